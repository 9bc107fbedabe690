//! Which components may use an id.
//!
//! An id selects a plugin's state, its settings and the rules of the person. It belongs to the
//! components that the person accepted for it: the first one that was loaded, and those they agreed
//! to later. A file is known by its digest, a crate folder by its path and owner.

use crate::consent::{self, Consents, CrateFolder, KnownPlugin};
use crate::data::display_path;
use crate::exit::ExitError;
use crate::plugin_source::PluginSource;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use footlight::Plugin;
use footlight_render::filter;
use footlight_render::terminal::{ConsentCard, ConsentGroup};

/// How many digits of a digest are shown.
const DIGITS: usize = 12;

/// How many tools or powers are listed that were added or removed.
const LISTED: usize = 20;

/// Returns if the plugin may use its id. A new id is remembered; another component under a known id
/// needs the person's consent.
///
/// # Errors
/// When the person declines, or cannot be asked.
pub(crate) fn ensure_accepted(plugin: &Plugin, source: &PluginSource, ui: &Ui) -> Result<()> {
    let mut consents = Consents::open()?;
    let seen = seen(plugin, source);
    if consents.plugin(&seen.id).is_none() && consents.accept_first_plugin(seen.clone())? {
        return Ok(());
    }
    let known = consents.plugin(&seen.id).context("it was remembered")?;
    let is_known = is_known(known, &seen);
    if is_known && !wants_more(known, &seen) {
        let is_same = known.tools == seen.tools && known.powers == seen.powers;
        return match is_same {
            true => Ok(()),
            // Later differences are told from this one.
            false => consents.accept_plugin(seen),
        };
    }
    let id = filter::line(&seen.id, 40);
    if !ui.consent.accept_plugin.contains(&seen.id) {
        let difference = differences(known, &seen);
        let from = display_path(&source.typed);
        let digest = plugin.digest().to_string();
        let (what, state) = match is_known {
            true => ("asks for more than the", "has changed, and asks for more."),
            false => ("is not the", "is known to you as another component."),
        };
        let headless = || {
            format!(
                "`{from}` (sha256:{}) {what} `{id}` that you know; it has {}; accept it with `--accept-plugin {id}`",
                short(&digest),
                difference.join("; ")
            )
        };
        let now = format!("sha256:{} from {}", short(&digest), source.typed.display());
        let card = ConsentCard {
            head: format!(
                "`{id}` {state} This one would use the state, the settings and the rules of `{id}`."
            ),
            groups: groups(known, &seen, now),
            question: "Accept it?".to_owned(),
        };
        if !consent::ask(&card, headless, ui)? {
            return Err(ExitError::denied(format!(
                "`{from}` was not accepted as `{id}`"
            )));
        }
    }
    consents.accept_plugin(seen)
}

/// Reports whether the builds of a crate may use an id without a question: it is new, or the crate is known
/// under it.
pub(crate) fn is_free_for(id: &str, folder: &CrateFolder) -> Result<bool> {
    let consents = Consents::open()?;
    let known = consents.plugin(id);
    Ok(known.is_none_or(|known| known.crates.contains(folder)))
}

/// Remembers a build of a crate that its owner works on. Whether it asks for more than the build before is no
/// question to whoever has just written that down.
///
/// # Errors
/// When the id [belongs to something else](is_free_for).
pub(crate) fn accept_own_build(plugin: &Plugin, source: &PluginSource) -> Result<()> {
    let seen = seen(plugin, source);
    let mut consents = Consents::open()?;
    if consents.plugin(&seen.id).is_none() && consents.accept_first_plugin(seen.clone())? {
        return Ok(());
    }
    let known = consents.plugin(&seen.id);
    let known = known.filter(|known| is_known(known, &seen));
    let known =
        known.with_context(|| format!("`{}` is known to you as another component", seen.id))?;
    match known.tools == seen.tools && known.powers == seen.powers {
        true => Ok(()),
        false => consents.accept_plugin(seen),
    }
}

/// Describes a loaded plugin as it is remembered.
fn seen(plugin: &Plugin, source: &PluginSource) -> KnownPlugin {
    let tools = plugin.tools().iter().map(|tool| tool.name.clone());
    KnownPlugin {
        id: plugin.id().to_owned(),
        digests: match source.crate_folder {
            // Each build has another one.
            Some(_) => Vec::new(),
            None => vec![plugin.digest().to_string()],
        },
        crates: source.crate_folder.iter().cloned().collect(),
        tools: tools.collect(),
        powers: plugin.manifest().powers().into_iter().collect(),
    }
}

fn is_known(known: &KnownPlugin, seen: &KnownPlugin) -> bool {
    let mut digests = seen.digests.iter();
    let mut crates = seen.crates.iter();
    digests.all(|digest| known.digests.contains(digest))
        && crates.all(|folder| known.crates.contains(folder))
}

/// Reports whether a rebuilt crate asks for powers that it did not ask for before.
fn wants_more(known: &KnownPlugin, seen: &KnownPlugin) -> bool {
    !known.powers.is_superset(&seen.powers)
}

/// Describes where the known components came from.
pub(crate) fn origins(known: &KnownPlugin) -> Vec<String> {
    let digests = known.digests.iter().rev().take(3);
    let digests = digests.map(|digest| format!("sha256:{}", short(digest)));
    let crates = known.crates.iter().rev().take(3);
    let crates = crates.map(|folder| format!("the crate {}", folder.path.display()));
    crates.chain(digests).collect()
}

/// Returns what the person is shown of two components: the new powers last.
fn groups(known: &KnownPlugin, seen: &KnownPlugin, now: String) -> Vec<ConsentGroup> {
    let group = |title: &str, items: Vec<String>| ConsentGroup {
        title: title.to_owned(),
        items,
        // The methods of a power stand at its end.
        is_whole: true,
    };
    let mut groups = vec![
        ConsentGroup {
            is_whole: false,
            ..group("known", origins(known))
        },
        ConsentGroup {
            is_whole: false,
            ..group("now", vec![now])
        },
    ];
    let difference = difference(known, seen).into_iter();
    let difference = difference.map(|(title, items)| group(&title, items));
    let (new, old): (Vec<_>, Vec<_>) =
        difference.partition(|group| group.title.starts_with("new "));
    groups.extend(old.into_iter().chain(new));
    groups
}

/// Describes how a component differs from what is known, a line for each kind of difference.
pub(crate) fn differences(known: &KnownPlugin, seen: &KnownPlugin) -> Vec<String> {
    difference(known, seen).iter().map(listed).collect()
}

/// Returns the tools and powers that were added and removed.
fn difference(known: &KnownPlugin, seen: &KnownPlugin) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (what, old, new) in [
        ("tools", &known.tools, &seen.tools),
        ("powers", &known.powers, &seen.powers),
    ] {
        for (how, from, to) in [("new", old, new), ("no longer the", new, old)] {
            let names: Vec<String> = to.difference(from).cloned().collect();
            if !names.is_empty() {
                found.push((format!("{how} {what}"), names));
            }
        }
    }
    if found.is_empty() {
        found.push(("the same tools and powers".to_owned(), Vec::new()));
    }
    found
}

/// Describes a difference on one line.
fn listed((title, names): &(String, Vec<String>)) -> String {
    if names.is_empty() {
        return title.clone();
    }
    let shown = names.iter().take(LISTED);
    // The longest power, whose methods stand at the end.
    let mut shown: Vec<String> = shown.map(|name| filter::line(name, 600)).collect();
    if names.len() > LISTED {
        shown.push(format!("and {} more", names.len() - LISTED));
    }
    format!("{title}: {}", shown.join(", "))
}

fn short(digest: &str) -> String {
    digest.chars().take(DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consent::CrateFolder;

    fn plugin(digest: Option<&str>, folder: Option<(&str, u32)>) -> KnownPlugin {
        let folder = folder.map(|(path, owner)| CrateFolder {
            path: path.into(),
            owner,
        });
        KnownPlugin {
            id: "todo".to_owned(),
            digests: digest.map(str::to_owned).into_iter().collect(),
            crates: folder.into_iter().collect(),
            ..KnownPlugin::default()
        }
    }

    #[test]
    fn a_file_is_known_by_its_digest_and_a_crate_by_path_and_owner() {
        let mut known = plugin(Some("d1"), Some(("/a", 1)));
        known.digests.push("d2".to_owned());
        for (seen, expected) in [
            (plugin(Some("d1"), None), true),
            (plugin(Some("d2"), None), true),
            (plugin(Some("d3"), None), false),
            (plugin(None, Some(("/a", 1))), true),
            (plugin(None, Some(("/a", 2))), false),
            (plugin(None, Some(("/b", 1))), false),
        ] {
            assert_eq!(is_known(&known, &seen), expected, "{seen:?}");
        }
    }

    #[test]
    fn every_power_that_is_new_or_wider_counts_as_more() {
        let powers = |text: &str| {
            let head =
                "[plugin]\nid = \"a\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A\"\n";
            let approval = "[[approval]]\naction = \"a.send\"\ndescription = \"Send\"\nseverity = \"normal\"\n";
            let text = format!("{head}{approval}{text}");
            let manifest = footlight_vocabulary::manifest::Manifest::parse(&text);
            KnownPlugin {
                powers: manifest.expect("is valid").powers().into_iter().collect(),
                ..plugin(None, Some(("/a", 1)))
            }
        };
        const NET: &str = "[[net]]\nhost = \"a.example\"\n";
        const SECRET: &str = "[[secret]]\nname = \"t\"\nhost = \"a.example\"\nheader = \"x-key\"\n";
        for (before, now) in [
            ("", NET),
            (NET, "[[net]]\nhost = \"b.example\"\n"),
            (NET, "[[net]]\nhost = \"*.a.example\"\n"),
            (NET, "[[net]]\nhost = \"a.example:8443\"\n"),
            (NET, "[[net]]\nhost = \"a.example\"\nscheme = \"http\"\n"),
            (
                NET,
                "[[net]]\nhost = \"a.example\"\nmethods = [\"GET\", \"POST\"]\n",
            ),
            (
                "[[net]]\nhost = \"a.example\"\napproval = \"a.send\"\n",
                NET,
            ),
            (NET, &format!("{NET}{SECRET}")),
            ("", "[[fs]]\npath = \"/data\"\nmode = \"ro\"\n"),
            (
                "[[fs]]\npath = \"/data\"\nmode = \"ro\"\n",
                "[[fs]]\npath = \"/data\"\nmode = \"rw\"\n",
            ),
            (
                "[[fs]]\npath = \"/data\"\nmode = \"rw\"\napproval = \"a.send\"\n",
                "[[fs]]\npath = \"/data\"\nmode = \"rw\"\n",
            ),
            (
                "",
                "[[approval]]\naction = \"a.wipe\"\ndescription = \"Wipe\"\nseverity = \"normal\"\n",
            ),
        ] {
            let (before, now) = (powers(before), powers(now));
            assert!(wants_more(&before, &now), "{before:?} {now:?}");
            assert!(!wants_more(&now, &now), "{now:?}");
        }
        assert!(!wants_more(&powers(NET), &powers("")), "less is not more");
    }

    #[test]
    fn differences_name_what_was_added_and_removed() {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let of = |tools: &[&str], powers: &[&str]| KnownPlugin {
            tools: set(tools),
            powers: set(powers),
            ..KnownPlugin::default()
        };
        let old = of(&["add", "list"], &["reach a.example (GET)"]);
        let new = of(&["add", "wipe\u{1b}[2J"], &["reach b.example (GET)"]);
        let lines = |old: &KnownPlugin, new: &KnownPlugin| -> Vec<String> {
            difference(old, new).iter().map(listed).collect()
        };
        assert_eq!(
            lines(&old, &new),
            [
                "new tools: wipe",
                "no longer the tools: list",
                "new powers: reach b.example (GET)",
                "no longer the powers: reach a.example (GET)",
            ]
        );
        assert_eq!(lines(&old, &old), ["the same tools and powers"]);
        let many = (0..25).map(|n| format!("t{n:02}")).collect();
        assert!(listed(&("new tools".to_owned(), many)).ends_with("t19, and 5 more"));
        let groups = groups(&old, &new, "sha256:1 from x.wasm".to_owned());
        let titles: Vec<&str> = groups.iter().map(|group| group.title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "known",
                "now",
                "no longer the tools",
                "no longer the powers",
                "new tools",
                "new powers"
            ]
        );
    }
}
