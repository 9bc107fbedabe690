//! The data that the tools show: a season of plays, in eight variants from ordinary to hostile.
//!
//! A tool decides how to show something, and [`With`] decides what: it provides lines, titles, plays
//! and nights. The data is deterministic: the same call always shows the same data.

pub(crate) mod hostile;

pub(crate) mod texts;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A picture of a curtain, 96 by 64 pixels.
pub(crate) const CURTAIN: &[u8] = include_bytes!("curtain.png");

/// Which data a tool shows.
// The variants have no doc comments, which would appear in the schema of every tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum With {
    // Typical data.
    #[default]
    Ordinary,
    // Empty texts and no rows.
    Empty,
    // More data than a surface draws.
    Huge,
    // Long words without break opportunities, and many columns.
    Wide,
    // Hebrew and Arabic mixed with Latin.
    Rtl,
    // Chinese, Japanese and Korean, whose characters take two terminal columns.
    Cjk,
    // Emoji of several code points each.
    Emoji,
    // Data that attacks the surface.
    Hostile,
}

// The arguments of nearly every tool. A doc comment would appear in the schema of each.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Show {
    /// Which data to show.
    #[serde(default)]
    pub(crate) with: With,
}

/// A play of the season.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Play {
    /// The title.
    pub(crate) title: String,
    /// How many seats are sold.
    pub(crate) seats: i64,
    /// The day of the first night, `YYYY-MM-DD`.
    pub(crate) first_night: String,
    /// Whether all seats are sold.
    pub(crate) sold_out: bool,
    /// The URL of the play's page.
    pub(crate) site: String,
    /// The seats sold on each night, only in the wide variant.
    #[serde(flatten, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(skip)]
    pub(crate) nights: BTreeMap<String, i64>,
}

/// The seats sold on one night.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Night {
    /// The name of the night.
    pub(crate) night: String,
    /// The seats sold in the stalls.
    pub(crate) stalls: f64,
    /// The seats sold in the circle.
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

// The seats sold on each night: in the stalls, in the circle, and in the hostile variant.
const STALLS: &[f64] = &[120.0, 180.0, 90.0, 210.0, 150.0];
const CIRCLE: &[f64] = &[40.0, 65.5, -12.0, 80.0, 0.0];
const HOSTILE: &[f64] = &[f64::MAX, f64::MIN, f64::NAN, 5e-324, -0.0];

impl With {
    /// Returns a number of items: `few`, `many` for huge data, or none for empty data.
    pub(crate) fn count(self, few: usize, many: usize) -> usize {
        match self {
            Self::Empty => 0,
            Self::Huge => many,
            _ => few,
        }
    }

    /// Returns `ordinary` for ordinary data, else a line of this variant.
    pub(crate) fn or(self, ordinary: &str) -> String {
        match self {
            Self::Ordinary => ordinary.to_owned(),
            _ => self.line(),
        }
    }

    /// Returns one line of text.
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

    /// Returns the title of the `n`th play.
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

    /// Returns the titles of the season.
    pub(crate) fn titles(self, many: usize) -> Vec<String> {
        let few = match self {
            Self::Hostile => hostile::ATTACKS.len(),
            _ => ORDINARY.len(),
        };
        (0..self.count(few, many)).map(|n| self.title(n)).collect()
    }

    /// Returns the plays of the season.
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

    /// Returns the nights of a week, or of many years for huge data.
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
