//! The English that the router knows: words without meaning of their own, and forms of a word.
//!
//! Invariant: the lists hold no word of any plugin.

use std::collections::HashSet;
use std::sync::LazyLock;

type WordSet = LazyLock<HashSet<&'static str>>;

fn word_set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

/// Returns the stem that forms of a word share: `compar` for `compare`, `compares`, `comparing`.
///
/// Much simpler than Porter's algorithm: plurals, `-ing`, `-ed`, a final `e` and a doubled last
/// letter. A comparative keeps its ending, because `warm` and `warmer` are different questions.
pub(super) fn stem(word: &str) -> String {
    let mut stem = bare(&word.to_lowercase()).to_owned();
    if !stem.is_ascii() || stem.len() < 3 {
        return stem;
    }
    let is_es = |end: &&str| stem.ends_with(end) && stem.len() > 4;
    if ["ies", "sses", "ches", "shes", "xes"].iter().any(is_es) {
        stem.truncate(stem.len() - 2);
    } else if stem.ends_with('s') && !["ss", "us", "is"].iter().any(|end| stem.ends_with(end)) {
        stem.pop();
    }
    for ending in ["ing", "ed"] {
        if let Some(rest) = stem.strip_suffix(ending)
            && rest.len() >= 3
            && rest.contains(['a', 'e', 'i', 'o', 'u', 'y'])
        {
            stem.truncate(rest.len());
            break;
        }
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    let bytes = stem.as_bytes();
    if let [.., last, end] = bytes
        && last == end
        && !b"aeiou".contains(end)
    {
        stem.pop();
    }
    stem
}

/// Reports whether a lower-case word is a stop word or one of politeness.
pub(super) fn is_stop(word: &str) -> bool {
    STOP.contains(bare(word))
}

/// Reports whether a lower-case word names a time; it counts neither for nor against a tool.
pub(super) fn is_time(word: &str) -> bool {
    let word = bare(word);
    TIME.contains(word) || super::day::weekday(word).is_some()
}

/// Reports whether a lower-case word is common in descriptions of any tool.
pub(super) fn is_weak(word: &str) -> bool {
    WEAK.contains(bare(word))
}

/// Reports whether a lower-case word negates.
pub(super) fn is_negation(word: &str) -> bool {
    matches!(word, "not" | "never" | "without" | "cannot")
        || word.ends_with("n't")
        || word.ends_with("n’t")
}

/// Reports whether a name may follow this word: `in Oslo`, `to Ada`.
pub(super) fn leads_to_name(word: &str) -> bool {
    matches!(
        word,
        "in" | "for" | "to" | "at" | "from" | "of" | "with" | "near" | "around" | "between" | "by"
    )
}

/// Reports whether this word separates the values of a list.
pub(super) fn is_separator(word: &str) -> bool {
    matches!(
        word,
        "," | "and" | "or" | "vs" | "versus" | "&" | "with" | "to" | "than"
    )
}

/// Returns the number that a lower-case word names.
pub(super) fn number(word: &str) -> Option<f64> {
    const NAMES: &str = "zero one two three four five six seven eight nine ten eleven twelve \
        thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty";
    let number = match word {
        "dozen" => 12,
        "thirty" => 30,
        "forty" => 40,
        "fifty" => 50,
        _ => NAMES.split(' ').position(|name| name == word)?,
    };
    u32::try_from(number).ok().map(f64::from)
}

/// Returns the seconds of a unit of time, by its stem. A month has no fixed length.
pub(super) fn unit(stem: &str) -> Option<f64> {
    Some(match stem {
        "second" | "sec" => 1.0,
        "minut" | "min" => 60.0,
        "hour" => 3600.0,
        "dai" | "day" => 86_400.0,
        "week" | "wek" => 604_800.0,
        _ => return None,
    })
}

/// Returns a word without what follows an apostrophe.
fn bare(word: &str) -> &str {
    word.find(['\'', '’']).map_or(word, |at| &word[..at])
}

static STOP: WordSet = LazyLock::new(|| {
    word_set(
        "a about after again all also always am an and any anything are as at be been before
         being but by can could couldn d did didn do does doesn doing don each else every for
         from get gets getting give go going had has have having he help her here hers him his
         how i if in into is isn it its just kindly know let like ll m many may me might mine
         more most much must my myself near need no now of off ok on onto or other our ours
         out over own please re s shall she should so some something still such t tell than
         that the their them then there these they this those through to too under until up
         upon us ve very want was we well were what when where whether which while who whom
         whose why will with within won would yes you your yours",
    )
});

static TIME: WordSet = LazyLock::new(|| {
    word_set(
        "afternoon ahead coming current currently day days evening following future later
         month months morning next night noon soon today tomorrow tonight week weekend weeks
         year years yesterday",
    )
});

static WEAK: WordSet = LazyLock::new(|| {
    word_set(
        "call called find give given item items look make makes model name named names number
         numbers people person put result results return returns run set show shows somebody
         someone take takes text thing things tool tools two use used user users value values
         way word words",
    )
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            ["compare", "compares", "comparing"],
            ["add", "adds", "added"],
            ["city", "cities", "city's"],
            ["plan", "planned", "planning"],
            ["finish", "finishes", "finished"],
            ["delete", "deleted", "Deletes"],
            ["match", "matches", "matching"],
        ] {
            let stems = forms.map(stem);
            assert!(stems.iter().all(|one| *one == stems[0]), "{stems:?}");
        }
    }

    #[test]
    fn words_that_mean_different_things_keep_different_stems() {
        for [one, other] in [
            ["warm", "warmer"],
            ["rain", "rainbow"],
            ["thing", "the"],
            ["bus", "bu"],
            ["list", "lisp"],
        ] {
            assert_ne!(stem(one), stem(other));
        }
    }

    #[test]
    fn any_word_at_all_has_a_stem() {
        for word in ["", "'", "é", "ß's", "s", "ing", "ed", "明日", "ies"] {
            stem(word);
        }
    }

    #[test]
    fn numbers_are_read_as_words() {
        assert_eq!(number("two"), Some(2.0));
        assert_eq!(number("twenty"), Some(20.0));
        assert_eq!(number("dozen"), Some(12.0));
        assert_eq!(number("many"), None);
    }
}
