//! Compares two texts line by line, with the greedy algorithm of Myers.
//!
//! A crate that does the same brings every algorithm there is, and makes the component a third larger.
//!
//! Work and memory are bounded: texts with more differences than the bound allows are compared as if
//! everything between their common start and end were replaced, which is a correct change, too.

use std::collections::BTreeMap;

/// The most differences, for which the search keeps 4 MB.
const MAX_EDITS: usize = 1_000;

/// The most steps of the search.
const MAX_STEPS: usize = 50_000_000;

/// What happens to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    Keep,
    Remove,
    Add,
}

/// Returns the edits that turn `old` into `new`; of neighbouring ones, removals come first.
pub(crate) fn edits(old: &[&str], new: &[&str]) -> Vec<Edit> {
    // Numbers are compared faster than lines.
    let mut numbers = BTreeMap::new();
    let mut number = |line| {
        let next = numbers.len() as u32;
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<u32> = old.iter().copied().map(&mut number).collect();
    let new: Vec<u32> = new.iter().copied().map(&mut number).collect();
    let same = |(one, other): &(&u32, &u32)| one == other;
    let start = old.iter().zip(&new).take_while(same).count();
    let (old, new) = (&old[start..], &new[start..]);
    let pairs = old.iter().rev().zip(new.iter().rev());
    let end = pairs.take_while(same).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    let mut edits = vec![Edit::Keep; start];
    match search(old, new) {
        Some(found) => edits.extend(removals_first(&found)),
        None => {
            edits.extend(vec![Edit::Remove; old.len()]);
            edits.extend(vec![Edit::Add; new.len()]);
        }
    }
    edits.extend(vec![Edit::Keep; end]);
    edits
}

/// Finds the fewest edits; `None` if there are too many.
///
/// A diagonal `k` holds the places where `k` more lines of `old` than of `new` are used. For each number
/// of edits, `reached` has the furthest line of `old` on each diagonal.
fn search(old: &[u32], new: &[u32]) -> Option<Vec<Edit>> {
    let all = old.len() + new.len();
    let most = all.min(MAX_EDITS).min(MAX_STEPS / (all + 1));
    // Diagonals from `-most - 1` to `most + 1`.
    let index = |k: isize| (k + most as isize + 1) as usize;
    let mut reached = vec![0_u32; 2 * most + 3];
    let mut trace: Vec<Vec<u32>> = Vec::new();
    for count in 0..=most as isize {
        let around = index(-count - 1)..=index(count + 1);
        trace.push(reached[around].to_vec());
        for k in (-count..=count).step_by(2) {
            let (below, above) = (reached[index(k - 1)], reached[index(k + 1)]);
            let mut x = match is_added(k, count, below, above) {
                true => above,
                false => below + 1,
            } as usize;
            while let (Some(one), Some(other)) = (old.get(x), new.get((x as isize - k) as usize))
                && one == other
            {
                x += 1;
            }
            reached[index(k)] = x as u32;
            if x >= old.len() && x as isize - k >= new.len() as isize {
                return Some(walk_back(&trace, old.len(), new.len()));
            }
        }
    }
    None
}

/// Reports whether the best way to a diagonal is to add a line, from the diagonal above.
fn is_added(k: isize, count: isize, below: u32, above: u32) -> bool {
    k == -count || (k != count && below < above)
}

/// Follows the trace from the end to the start.
fn walk_back(trace: &[Vec<u32>], old: usize, new: usize) -> Vec<Edit> {
    let (mut x, mut y) = (old as isize, new as isize);
    let mut edits = Vec::new();
    for (count, reached) in trace.iter().enumerate().skip(1).rev() {
        let count = count as isize;
        let at = |k: isize| reached[(k + count + 1) as usize];
        let k = x - y;
        let is_added = is_added(k, count, at(k - 1), at(k + 1));
        let from = if is_added { k + 1 } else { k - 1 };
        let from_x = at(from) as isize;
        let from_y = from_x - from;
        let kept = (x - from_x).min(y - from_y);
        edits.extend(std::iter::repeat_n(Edit::Keep, kept as usize));
        edits.push(if is_added { Edit::Add } else { Edit::Remove });
        (x, y) = (from_x, from_y);
    }
    edits.extend(std::iter::repeat_n(Edit::Keep, x as usize));
    edits.reverse();
    edits
}

/// Puts the removals of each change before its additions.
fn removals_first(edits: &[Edit]) -> Vec<Edit> {
    let mut sorted = Vec::with_capacity(edits.len());
    for change in edits.chunk_by(|one, other| (*one == Edit::Keep) == (*other == Edit::Keep)) {
        for wanted in [Edit::Keep, Edit::Remove, Edit::Add] {
            sorted.extend(change.iter().filter(|edit| **edit == wanted));
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &str) -> Vec<&str> {
        text.split_inclusive('\n').collect()
    }

    fn applied(old: &[&str], new: &[&str]) -> Vec<String> {
        let (mut old_lines, mut new_lines) = (old.iter(), new.iter());
        let mut made = Vec::new();
        for edit in edits(old, new) {
            let line = match edit {
                Edit::Keep => {
                    let kept = old_lines.next().expect("a line");
                    assert_eq!(new_lines.next(), Some(kept));
                    kept
                }
                Edit::Remove => {
                    old_lines.next().expect("a line");
                    continue;
                }
                Edit::Add => new_lines.next().expect("a line"),
            };
            made.push((*line).to_owned());
        }
        assert_eq!(old_lines.next(), None);
        made
    }

    /// The length of the longest common subsequence, by the textbook.
    fn common(old: &[&str], new: &[&str]) -> usize {
        let mut row = vec![0; new.len() + 1];
        for one in old {
            let mut diagonal = 0;
            for (at, other) in new.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if one == other {
                    diagonal + 1
                } else {
                    above.max(row[at])
                };
                diagonal = above;
            }
        }
        row[new.len()]
    }

    proptest! {
        #[test]
        fn edits_turn_one_text_into_the_other_and_keep_as_much_as_possible(
            old in "([abc]\n){0,30}", new in "([abc]\n){0,30}",
        ) {
            let (old, new) = (lines(&old), lines(&new));
            prop_assert_eq!(applied(&old, &new), new.clone());
            let kept = edits(&old, &new).iter().filter(|edit| **edit == Edit::Keep).count();
            prop_assert_eq!(kept, common(&old, &new));
        }
    }

    #[test]
    fn texts_with_nothing_in_common_are_replaced_as_a_whole() {
        let old: String = (0..5_000).map(|n| format!("old {n}\n")).collect();
        let new: String = (0..5_000).map(|n| format!("new {n}\n")).collect();
        let (old, new) = (format!("same\n{old}end\n"), format!("same\n{new}end\n"));
        let (old, new) = (lines(&old), lines(&new));
        assert_eq!(applied(&old, &new), new);
        let kept = edits(&old, &new)
            .iter()
            .filter(|edit| **edit == Edit::Keep)
            .count();
        assert_eq!(kept, 2);
    }
}
