//! Longer texts: prose, Markdown, code, and a file before and after.

use super::{With, hostile};

/// The number of lines of a huge text.
const MANY: usize = 6_000;

impl With {
    /// Returns a few lines of prose.
    pub(crate) fn prose(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Huge => lines(MANY, |n| format!("Line {n}: the curtain rises.")),
            Self::Hostile => hostile::ATTACKS.join("\n"),
            _ => format!(
                "{}\n\n{} and {} alternate.\n    Doors open an hour before.",
                self.line(),
                self.title(0),
                self.title(1)
            ),
        }
    }

    /// Returns Markdown with every construct.
    pub(crate) fn markdown(self) -> String {
        let (line, first, second) = (self.line(), self.title(0), self.title(1));
        match self {
            Self::Empty => String::new(),
            Self::Hostile => hostile::MARKDOWN.to_owned(),
            Self::Huge => lines(MANY / 4, |n| {
                format!("## {n}\n\nA *word* and `code`, once more.\n")
            }),
            _ => format!(
                "# {first}\n\n{line} This is *soft*, **loud**, ~~gone~~ and `exact`.\n\n\
                 ## The evening\n\n1. Doors\n2. Act one\n   - {first}\n   - {second}\n\n\
                 - [x] rehearsed\n- [ ] performed\n\n\
                 > All the world's a stage.\n\n\
                 | play | seats |\n| --- | ---: |\n| {first} | 211 |\n| {second} | 348 |\n\n\
                 ```rust\nfn main() {{\n    println!(\"curtain\");\n}}\n```\n\n---\n\n\
                 Read [the programme](https://theatre.example/programme), \
                 or see ![the curtain](https://theatre.example/curtain.png).\n"
            ),
        }
    }

    /// Returns a short program.
    pub(crate) fn code(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Huge => lines(MANY, |n| format!("const ACT_{n}: u32 = {n};")),
            Self::Hostile => hostile::ATTACKS.join("\n"),
            _ => format!(
                "//! {}\n\nuse std::fmt;\n\n/// How many acts there are.\nconst ACTS: u8 = 5;\n\n\
                 fn play(title: &str) -> Result<(), fmt::Error> {{\n\
                 \tfor act in 1..=ACTS {{\n\t\tprintln!(\"{{title}}, act {{act}}\"); // {}\n\t}}\n    \
                 Ok(())\n}}\n",
                self.line(),
                self.title(0)
            ),
        }
    }

    /// Returns a file, and the same file with some lines changed.
    pub(crate) fn change(self) -> (String, String) {
        match self {
            Self::Empty => (
                "Nothing changes here.\n".into(),
                "Nothing changes here.\n".into(),
            ),
            Self::Huge => (
                lines(MANY, |n| format!("seat {n} free")),
                lines(MANY, |n| {
                    format!("seat {n} {}", if n % 2 == 0 { "sold" } else { "free" })
                }),
            ),
            _ => {
                let (line, first, second) = (self.line(), self.title(0), self.title(1));
                let before = format!(
                    "[season]\nname = \"autumn\"\n\n# {line}\nopening = \"{first}\"\nseats = 211\n\
                     price = 30\n\n[house]\nrows = 20\nlights = true\nbar = true\n"
                );
                let after = before
                    .replace(
                        &format!("opening = \"{first}\""),
                        &format!("opening = \"{second}\""),
                    )
                    .replace("price = 30\n", "price = 35\nstudents = 15\n")
                    .replace("bar = true\n", "");
                (before, after)
            }
        }
    }

    /// Returns lines with colour escapes, as a program prints them to a terminal.
    pub(crate) fn printed(self) -> Vec<String> {
        match self {
            Self::Hostile => hostile::ATTACKS.iter().map(|&attack| attack.into()).collect(),
            Self::Empty => Vec::new(),
            Self::Huge => (1..=MANY).map(|n| format!("\u{1b}[2mcue {n}\u{1b}[0m go")).collect(),
            _ => vec![
                format!("\u{1b}[1mstanding by\u{1b}[0m for {}", self.title(0)),
                "\u{1b}[32mgo\u{1b}[0m lights, \u{1b}[31;1mstop\u{1b}[0m sound".to_owned(),
                "\u{1b}[38;5;208morange\u{1b}[39m \u{1b}[38;2;90;120;200mblue\u{1b}[39m \u{1b}[44mon blue\u{1b}[0m".to_owned(),
                self.line(),
            ],
        }
    }
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (1..=count).map(|n| line(n) + "\n").collect()
}
