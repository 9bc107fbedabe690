//! What the tools show: a season of plays, as ordinary data and as every other kind of it.
//!
//! A tool takes one [`With`] and asks it for lines, titles, plays and nights. So each tool says how
//! something is shown, and only this module knows what. Nothing here is random: the same call always
//! shows the same.

pub(crate) mod hostile;

pub(crate) mod texts;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A picture of a curtain, 96 by 64.
pub(crate) const CURTAIN: &[u8] = include_bytes!("curtain.png");

/// Which data a tool shows.
// Without documentation of each: it would stand in the schema of every tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum With {
    // What a plugin usually shows.
    #[default]
    Ordinary,
    // Nothing: empty texts, no rows.
    Empty,
    // More than anybody reads, or than a surface draws.
    Huge,
    // Words without a place to break, and many columns.
    Wide,
    // Hebrew and Arabic, with Latin in them.
    Rtl,
    // Chinese, Japanese and Korean, which take two columns.
    Cjk,
    // Pictures of several code points each.
    Emoji,
    // What a malicious plugin sends.
    Hostile,
}

/// The arguments of nearly every tool.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Show {
    /// Which data to show.
    #[serde(default)]
    pub(crate) with: With,
}

/// A play of the season.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Play {
    /// What it is called.
    pub(crate) title: String,
    /// How many seats are sold.
    pub(crate) seats: i64,
    /// The day of the first night, `YYYY-MM-DD`.
    pub(crate) first_night: String,
    /// Whether there are no seats left.
    pub(crate) sold_out: bool,
    /// Where to read more.
    pub(crate) site: String,
    /// The seats sold by night, where the data is to be wide.
    #[serde(flatten, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(skip)]
    pub(crate) nights: BTreeMap<String, i64>,
}

/// How many seats were sold on one night.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Night {
    /// Which night.
    pub(crate) night: String,
    /// Below.
    pub(crate) stalls: f64,
    /// Above.
    pub(crate) circle: f64,
}

const ORDINARY: &[&str] = &[
    "Hamlet",
    "The Seagull",
    "Twelfth Night",
    "Waiting for Godot",
];
const RTL: &[&str] = &[
    "הדיבוק",
    "مجنون ليلى",
    "Hamlet (המלט)",
    "ألف ليلة وليلة 1001",
];
const CJK: &[&str] = &["勧進帳", "牡丹亭", "春香傳", "ハムレット Hamlet"];
const EMOJI: &[&str] = &[
    "👩🏽‍🎤 The Singer",
    "👨‍👩‍👧‍👦 The Family",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Macbeth 🇩🇰 Hamlet",
    "❤️‍🔥 1️⃣ ⚠️ 🎭🎭🎭",
];

/// How the seats of the ordinary nights were sold, and of the hostile ones.
const STALLS: &[f64] = &[120.0, 180.0, 90.0, 210.0, 150.0];
const CIRCLE: &[f64] = &[40.0, 65.5, -12.0, 80.0, 0.0];
const HOSTILE: &[f64] = &[f64::MAX, f64::MIN, f64::NAN, 5e-324, -0.0];

impl With {
    /// How many there are of something of which one usually shows `few`.
    pub(crate) fn count(self, few: usize, many: usize) -> usize {
        match self {
            Self::Empty => 0,
            Self::Huge => many,
            _ => few,
        }
    }

    /// These words, where the data is ordinary; else a line of what it is.
    pub(crate) fn or(self, ordinary: &str) -> String {
        match self {
            Self::Ordinary => ordinary.to_owned(),
            _ => self.line(),
        }
    }

    /// One line of words.
    pub(crate) fn line(self) -> String {
        match self {
            Self::Ordinary => "The curtain rises at half past seven.".into(),
            Self::Empty => String::new(),
            Self::Huge => "The curtain rises, and falls, and rises again. ".repeat(60),
            Self::Wide => format!("https://theatre.example/{}", "season-of-plays/".repeat(12)),
            Self::Rtl => "המסך עולה בשבע וחצי (19:30), يُرفع الستار at half past seven.".into(),
            Self::Cjk => "幕は午後七時半に上がります。第二幕是休息之後。막이 오릅니다.".into(),
            Self::Emoji => "🎭 The 👨‍👩‍👧‍👦 claps 👏🏿, the flag 🇳🇴 waves, e\u{301}te\u{301}.".into(),
            Self::Hostile => hostile::ATTACKS.concat(),
        }
    }

    /// The title of a play; `n` tells them apart.
    pub(crate) fn title(self, n: usize) -> String {
        let of = |titles: &[&str]| titles[n % titles.len()].to_owned();
        match self {
            Self::Ordinary => of(ORDINARY),
            Self::Empty => String::new(),
            Self::Huge => format!("{} {}", of(ORDINARY), n + 1),
            Self::Wide => format!("{}{n}", "Tragicomedypastoralhistorical".repeat(4)),
            Self::Rtl => of(RTL),
            Self::Cjk => of(CJK),
            Self::Emoji => of(EMOJI),
            Self::Hostile => of(hostile::ATTACKS),
        }
    }

    /// The titles of the season.
    pub(crate) fn titles(self, many: usize) -> Vec<String> {
        let few = match self {
            Self::Hostile => hostile::ATTACKS.len(),
            _ => ORDINARY.len(),
        };
        (0..self.count(few, many)).map(|n| self.title(n)).collect()
    }

    /// The plays of the season.
    pub(crate) fn plays(self, many: usize) -> Vec<Play> {
        let titles = self.titles(many).into_iter().enumerate();
        titles.map(|(n, title)| self.play(n, title)).collect()
    }

    fn play(self, n: usize, title: String) -> Play {
        let seats = (n as i64 * 137 + 211) % 900;
        let nights = if self == Self::Wide { 30 } else { 0 };
        Play {
            site: match self {
                Self::Hostile => hostile::ADDRESSES[n % hostile::ADDRESSES.len()].to_owned(),
                Self::Empty => String::new(),
                _ => format!("https://theatre.example/plays/{}", n + 1),
            },
            title,
            seats,
            first_night: format!("2026-{:02}-{:02}", n % 12 + 1, n % 28 + 1),
            sold_out: n % 3 == 1,
            nights: (1..=nights)
                .map(|night| (format!("night {night:02}"), (seats + night) % 100))
                .collect(),
        }
    }

    /// The nights of a week, or of many years.
    pub(crate) fn nights(self) -> Vec<Night> {
        let night = |n: usize| Night {
            night: match self {
                Self::Ordinary => ["Mon", "Tue", "Wed", "Thu", "Fri"][n % 5].to_owned(),
                _ => self.title(n),
            },
            stalls: match self {
                Self::Hostile => HOSTILE[n % HOSTILE.len()],
                _ => STALLS[n % STALLS.len()],
            },
            circle: CIRCLE[n % CIRCLE.len()],
        };
        (0..self.count(5, 2_000)).map(night).collect()
    }
}
