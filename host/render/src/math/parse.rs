//! Parses the source of a formula.

use super::symbols;
use super::{Class, Math, Scripts};

/// The longest source, in bytes.
pub(super) const MAX_SOURCE: usize = 4 << 10;

/// The deepest nesting of groups and arguments. Each level is at most three elements of a page.
pub(super) const MAX_DEPTH: usize = 10;

/// How much deeper the cells of a table are.
const TABLE_DEPTH: usize = 2;

/// Parses a formula; none if it has something that is not supported.
pub(super) fn parse(source: &str) -> Option<Math> {
    if source.len() > MAX_SOURCE {
        return None;
    }
    let mut parser = Parser {
        rest: source,
        depth: 0,
    };
    let root = parser.row()?;
    parser.rest.is_empty().then_some(root)
}

struct Parser<'s> {
    rest: &'s str,
    depth: usize,
}

impl<'s> Parser<'s> {
    /// Parses parts up to what ends the enclosing group, cell or formula, which is not consumed.
    fn row(&mut self) -> Option<Math> {
        let mut parts = Vec::new();
        loop {
            self.skip_space();
            let Some(c) = self.rest.chars().next() else {
                break;
            };
            match c {
                '}' | '&' => break,
                '^' | '_' | '\'' => {
                    let base = match parts.last() {
                        Some(Math::Space(_)) | None => Math::Row(Vec::new()),
                        Some(_) => parts.pop()?,
                    };
                    parts.push(self.script(base)?);
                }
                '\\' => match self.peek_command() {
                    "\\" | "right" | "end" | "cr" => break,
                    name @ ("limits" | "nolimits") => {
                        self.take_command();
                        let base = parts.pop()?;
                        parts.push(Math::Scripts(Box::new(Scripts {
                            base,
                            sub: None,
                            sup: None,
                            limits: Some(name == "limits"),
                        })));
                    }
                    _ => parts.extend(self.command()?),
                },
                _ => parts.push(self.simple()?),
            }
        }
        Some(Math::row(parts))
    }

    /// Parses a group or a single character.
    fn simple(&mut self) -> Option<Math> {
        let c = self.rest.chars().next()?;
        match c {
            '{' => self.group(),
            '0'..='9' => Some(self.number()),
            '$' | '#' | '%' | '}' | '&' | '^' | '_' => None,
            '~' => {
                self.advance(1);
                Some(Math::Space("0.33em"))
            }
            c => {
                self.advance(c.len_utf8());
                let (class, sign) = symbols::character(c);
                Some(Math::atom(class, sign))
            }
        }
    }

    /// Parses digits with a decimal point within.
    fn number(&mut self) -> Math {
        let digits =
            |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let mut end = digits(self.rest);
        if let Some(after) = self.rest[end..].strip_prefix('.') {
            let decimals = digits(after);
            end += if decimals > 0 { decimals + 1 } else { 0 };
        }
        let number = &self.rest[..end];
        self.advance(end);
        Math::atom(Class::Number, number)
    }

    fn group(&mut self) -> Option<Math> {
        self.expect("{")?;
        let body = self.nested(1, Self::row)?;
        self.expect("}")?;
        Some(match body {
            // A sign in braces is an ordinary symbol: `3{,}14`.
            Math::Atom(Class::Punctuation | Class::Binary | Class::Relation, sign) => {
                Math::Atom(Class::Symbol, sign)
            }
            body => body,
        })
    }

    /// Parses the argument of a command or a script.
    fn argument(&mut self) -> Option<Math> {
        self.skip_space();
        match self.rest.chars().next()? {
            '\\' => {
                let parts = self.nested(1, Self::command)?;
                Some(Math::row(parts.into_iter().collect()))
            }
            // One digit: `x^12` is x¹2.
            c @ '0'..='9' => {
                self.advance(1);
                Some(Math::atom(Class::Number, c))
            }
            _ => self.simple(),
        }
    }

    /// Parses one script or some primes of a base.
    fn script(&mut self, base: Math) -> Option<Math> {
        let mut scripts = match base {
            Math::Scripts(scripts) => *scripts,
            base => Scripts {
                base,
                sub: None,
                sup: None,
                limits: None,
            },
        };
        let mark = self.rest.chars().next()?;
        let place = match mark {
            '_' => &mut scripts.sub,
            _ => &mut scripts.sup,
        };
        if mark == '\'' {
            let primes = self.rest.len() - self.rest.trim_start_matches('\'').len();
            self.advance(primes);
            let primes = Math::atom(Class::Symbol, "′".repeat(primes));
            if place.replace(primes).is_some() {
                return None;
            }
        } else {
            self.advance(1);
            let script = self.argument()?;
            *place = Some(match place.take() {
                None => script,
                // `f'^2` has both above.
                Some(Math::Atom(Class::Symbol, primes)) if primes.starts_with('′') => {
                    Math::Row(vec![Math::Atom(Class::Symbol, primes), script])
                }
                Some(_) => return None,
            });
        }
        Some(Math::Scripts(Box::new(scripts)))
    }

    /// Parses a command; some of them stand for nothing.
    fn command(&mut self) -> Option<Option<Math>> {
        let name = self.take_command();
        if symbols::IGNORED.contains(&name) {
            return Some(None);
        }
        if let Some(width) = symbols::space(name) {
            return Some(Some(Math::Space(width)));
        }
        if let Some((class, symbol)) = symbols::symbol(name) {
            return Some(Some(Math::atom(class, symbol)));
        }
        if let Some(mark) = symbols::mark(name) {
            let base = Box::new(self.argument()?);
            return Some(Some(Math::Accent { base, mark }));
        }
        let part = match name {
            "frac" | "dfrac" | "tfrac" | "cfrac" => self.fraction(true)?,
            "binom" | "dbinom" | "tbinom" => Math::Fenced {
                open: "(",
                close: ")",
                body: Box::new(self.fraction(false)?),
            },
            "sqrt" => self.root()?,
            "left" => self.fenced()?,
            "begin" => self.environment()?,
            "text" | "textrm" | "textnormal" | "mbox" | "textit" | "textbf" => {
                Math::Text(self.words()?.to_owned())
            }
            "operatorname" => Math::atom(Class::Word, self.words()?),
            "mathrm" | "mathop" | "rm" | "mathup" => match self.words()? {
                words if words.bytes().all(|b| b.is_ascii_alphanumeric()) => {
                    Math::atom(Class::Word, words)
                }
                _ => return None,
            },
            "mathit" => self.argument()?,
            "pmod" => Math::Row(vec![
                Math::Space("0.5em"),
                Math::atom(Class::Open, "("),
                Math::atom(Class::Word, "mod"),
                self.argument()?,
                Math::atom(Class::Close, ")"),
            ]),
            "not" => self.negated()?,
            "overset" | "stackrel" => self.stacked(true)?,
            "underset" => self.stacked(false)?,
            alphabet => self.styled(alphabet)?,
        };
        Some(Some(part))
    }

    fn fraction(&mut self, has_bar: bool) -> Option<Math> {
        Some(Math::Fraction {
            over: Box::new(self.argument()?),
            under: Box::new(self.argument()?),
            has_bar,
        })
    }

    fn root(&mut self) -> Option<Math> {
        self.skip_space();
        let mut degree = None;
        if let Some(after) = self.rest.strip_prefix('[') {
            // A degree is a number or a letter or two.
            let (inner, after) = after.split_once(']')?;
            let mut parser = Parser {
                rest: inner,
                depth: self.depth,
            };
            degree = Some(Box::new(parser.nested(1, Self::row)?));
            if !parser.rest.is_empty() {
                return None;
            }
            self.rest = after;
        }
        let body = Box::new(self.argument()?);
        Some(Math::Root { body, degree })
    }

    fn fenced(&mut self) -> Option<Math> {
        let open = self.bracket()?;
        let body = Box::new(self.nested(1, Self::row)?);
        if self.take_command() != "right" {
            return None;
        }
        let close = self.bracket()?;
        Some(Math::Fenced { open, close, body })
    }

    fn bracket(&mut self) -> Option<&'static str> {
        self.skip_space();
        let name = match self.rest.chars().next()? {
            '\\' => self.take_command(),
            c => {
                let name = &self.rest[..c.len_utf8()];
                self.advance(name.len());
                name
            }
        };
        symbols::bracket(name)
    }

    fn environment(&mut self) -> Option<Math> {
        let name = self.words()?;
        let (open, close, align) = symbols::environment(name)?;
        if name == "array" {
            // The columns are centred, whatever is asked for.
            self.words()?;
        }
        let rows = self.nested(TABLE_DEPTH, Self::rows)?;
        if self.take_command() != "end" || self.words()? != name {
            return None;
        }
        let table = Math::Table { align, rows };
        if open.is_empty() && close.is_empty() {
            return Some(table);
        }
        let body = Box::new(table);
        Some(Math::Fenced { open, close, body })
    }

    fn rows(&mut self) -> Option<Vec<Vec<Math>>> {
        let mut rows = vec![Vec::new()];
        loop {
            let cell = self.row()?;
            rows.last_mut()?.push(cell);
            if self.rest.starts_with('&') {
                self.advance(1);
                continue;
            }
            match self.peek_command() {
                "\\" | "cr" => {
                    self.take_command();
                    rows.push(Vec::new());
                }
                _ => break,
            }
        }
        // A line break after the last row begins no other.
        rows.pop_if(|row| matches!(row.as_slice(), [Math::Row(parts)] if parts.is_empty()));
        Some(rows)
    }

    /// Parses a relation that does not hold.
    fn negated(&mut self) -> Option<Math> {
        match self.argument()? {
            Math::Atom(class, sign) if sign.chars().count() == 1 => {
                Some(Math::Atom(class, format!("{sign}\u{338}")))
            }
            _ => None,
        }
    }

    /// Parses something that stands above or below something else.
    fn stacked(&mut self, is_above: bool) -> Option<Math> {
        let script = Some(self.argument()?);
        let base = self.argument()?;
        let (sub, sup) = match is_above {
            true => (None, script),
            false => (script, None),
        };
        Some(Math::Scripts(Box::new(Scripts {
            base,
            sub,
            sup,
            limits: Some(true),
        })))
    }

    /// Parses letters of another alphabet.
    fn styled(&mut self, alphabet: &str) -> Option<Math> {
        // Not a command that is known.
        symbols::styled(alphabet, 'A')?;
        let argument = self.argument()?;
        let parts = match argument {
            Math::Row(parts) => parts,
            part => vec![part],
        };
        let styled = parts.into_iter().map(|part| match part {
            Math::Atom(class, text) => {
                let styled = text
                    .chars()
                    .map(|c| symbols::styled(alphabet, c).unwrap_or(c));
                Some(Math::Atom(class, styled.collect()))
            }
            Math::Space(width) => Some(Math::Space(width)),
            _ => None,
        });
        Some(Math::row(styled.collect::<Option<Vec<_>>>()?))
    }

    /// Takes the text of an argument in braces, without nested braces.
    fn words(&mut self) -> Option<&'s str> {
        self.skip_space();
        let (words, rest) = self.rest.strip_prefix('{')?.split_once('}')?;
        if words.contains(['{', '\\', '$']) {
            return None;
        }
        self.rest = rest;
        Some(words)
    }

    /// Parses something that is nested deeper.
    fn nested<T>(
        &mut self,
        levels: usize,
        parse: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.depth += levels;
        let parsed = match self.depth <= MAX_DEPTH {
            true => parse(self),
            false => None,
        };
        self.depth -= levels;
        parsed
    }

    /// Returns the name of the command that comes next; empty if there is none.
    fn peek_command(&self) -> &'s str {
        let Some(after) = self.rest.strip_prefix('\\') else {
            return "";
        };
        let letters = after.len()
            - after
                .trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .len();
        match after.chars().next() {
            Some(c) if letters == 0 => &after[..c.len_utf8()],
            _ => &after[..letters],
        }
    }

    fn take_command(&mut self) -> &'s str {
        let name = self.peek_command();
        if self.rest.starts_with('\\') {
            self.advance(1 + name.len());
        }
        name
    }

    fn expect(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }
}
