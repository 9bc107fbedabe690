//! Input fields and buttons. Each action has a number, by which the person invokes it.

use super::line::{Line, Lines, over, prefixed};
use super::{BOLD, MUTED, PLAIN, Painter, tone};
use crate::view::{Button, Choice, Control, Field, Press, Tone};

impl Painter<'_> {
    /// Draws the number of an action: `[2] `.
    pub(super) fn number<'v>(self, press: &Press) -> Line<'v> {
        self.numbered(press.number)
    }

    fn numbered<'v>(self, number: usize) -> Line<'v> {
        let number = self.terminal.action_number(number);
        Line::of(&format!("[{number}] "), over(tone(Tone::Accent), BOLD))
    }

    pub(super) fn button<'v>(self, button: &'v Button) -> Line<'v> {
        let mut line = Line::default();
        let style = match (button.disabled, button.tone, button.primary) {
            (true, ..) => MUTED,
            (false, which, true) => over(tone(which), BOLD),
            (false, which, false) => tone(which),
        };
        let own = button.press.as_ref().map(|press| press.number);
        let number = own.or(self.submit.filter(|_| button.submit));
        match number.filter(|_| !button.disabled) {
            Some(number) => line.append(self.numbered(number)),
            None => line.push("[ ", MUTED),
        }
        let closing = match (number, button.disabled) {
            (Some(_), false) => "",
            (_, false) => " ]",
            (_, true) => " ] (off)",
        };
        let room = self.width.saturating_sub(line.width() + closing.len());
        let words = match (button.label.trim(), &button.icon) {
            ("", Some(icon)) => icon.as_str(),
            (label, _) => label,
        };
        line.append(self.clip(Line::of(words, style), room));
        line.push(closing, MUTED);
        line
    }

    pub(super) fn field<'v>(self, field: &'v Field) -> Lines<'v> {
        let mut head = Line::default();
        if let Some(press) = field.press.as_ref().filter(|_| !field.disabled) {
            head.append(self.number(press));
        }
        let label = field.label.as_deref();
        if field.control == Control::Checkbox {
            let ticked = field.value.as_deref() == Some("true");
            head.push(self.symbols.tick[usize::from(ticked)], PLAIN);
            head.pad(1);
        }
        head.push(label.unwrap_or(&field.name), BOLD);
        if field.required {
            head.push(" *", tone(Tone::Danger));
        }
        if field.disabled {
            head.push(" (off)", MUTED);
        }
        let mut out = Vec::new();
        match field.control {
            Control::Checkbox => out.push(self.fit(head)),
            Control::Select
            | Control::Radio
            | Control::CheckboxGroup
            | Control::Buttons
            | Control::SelectMany => {
                out.push(self.fit(head));
                self.options(field, &mut out);
            }
            _ => {
                head.pad(1);
                let mut line = self.clip(head, self.width / 2);
                line.append(self.input(field, self.width - line.width()));
                out.push(line);
            }
        }
        if let Some(help) = field.help.as_deref().filter(|help| !help.trim().is_empty()) {
            out.extend(self.indented(2, |painter| painter.words(help, MUTED)));
        }
        out
    }

    /// Draws an input: `[Oslo______]`, with a hint about what to enter.
    fn input<'v>(self, field: &'v Field, room: usize) -> Line<'v> {
        let (words, style) = match (&field.value, &field.placeholder) {
            _ if field.control == Control::Secret => ("", PLAIN),
            (Some(value), _) if !value.is_empty() => (value.as_str(), PLAIN),
            (_, Some(placeholder)) => (placeholder.as_str(), MUTED),
            _ => ("", PLAIN),
        };
        let kind = match field.control {
            Control::Number => "number",
            Control::Date => "YYYY-MM-DD",
            Control::Email => "mail address",
            Control::Tel => "telephone number",
            Control::Url => "web address",
            Control::Secret => "secret",
            Control::Textarea => "several lines",
            _ => "",
        };
        let bounds = match (&field.min, &field.max) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("from {min}"),
            (None, Some(max)) => format!("up to {max}"),
            (None, None) => String::new(),
        };
        let unit = match field.control {
            _ if bounds.is_empty() => "",
            Control::Text | Control::Textarea | Control::Secret => " characters",
            _ => "",
        };
        let hint = match (kind, bounds.as_str()) {
            ("", "") => String::new(),
            ("", _) => format!(" {bounds}{unit}"),
            (_, "") => format!(" {kind}"),
            (_, _) => format!(" {kind}, {bounds}{unit}"),
        };
        let hint = Line::of(&hint, MUTED);
        let hint = self.clip(hint, room / 2);
        let mut line = Line::of("[", MUTED);
        let inner = room.saturating_sub(hint.width() + 2).clamp(4, 24);
        let mut words = self.clip(Line::of(words, style), inner);
        words.repeat("_", inner.saturating_sub(words.width()), MUTED);
        line.append(words);
        line.push("]", MUTED);
        line.append(hint);
        self.clip(line, room)
    }

    /// Draws options below each other, or on one line if they are short and have no descriptions.
    fn options<'v>(self, field: &'v Field, out: &mut Lines<'v>) {
        let many = matches!(field.control, Control::CheckboxGroup | Control::SelectMany);
        let chosen = |choice: &Choice| {
            choice.chosen || (!many && field.value.as_deref() == Some(choice.value.as_str()))
        };
        let symbols = match many {
            true => self.symbols.tick,
            false => self.symbols.radio,
        };
        let symbol = |choice: &Choice| symbols[usize::from(chosen(choice))];
        let head = |choice: &'v Choice| -> Line<'v> {
            let button = field.control == Control::Buttons;
            let style = match (choice.disabled, button) {
                (true, _) => MUTED,
                (false, true) => BOLD,
                (false, false) => PLAIN,
            };
            let mut line = match button {
                true => Line::of("[ ", MUTED),
                false => Line::mark(symbol(choice), MUTED),
            };
            line.push(&choice.label, style);
            line.push(if button { " ]" } else { "" }, MUTED);
            if choice.recommended {
                line.push(" (recommended)", tone(Tone::Success));
            }
            if choice.disabled {
                line.push(" (off)", MUTED);
            }
            line
        };
        let inner = self.inset(2);
        let gap = Line::spaces(self.width - inner.width);
        let mut lines: Lines<'v> = Vec::new();
        let options = field.options.iter();
        let brief = options.clone().all(|choice| choice.description.is_none());
        let total: usize = options.map(|choice| head(choice).width() + 2).sum();
        if brief && total <= inner.width + 2 {
            let mut line = Line::default();
            for (n, choice) in field.options.iter().enumerate() {
                line.pad(if n > 0 { 2 } else { 0 });
                line.append(head(choice));
            }
            lines.push(line);
        } else {
            for choice in &field.options {
                lines.push(head(choice).clip(inner.width, self.symbols.ellipsis));
                if let Some(description) = &choice.description {
                    lines.extend(inner.indented(4, |painter| painter.words(description, MUTED)));
                }
            }
        }
        lines.extend(field.more_options.map(|cut| inner.cut(cut)));
        if field.other {
            lines.push(inner.one_line("or an answer of your own", MUTED));
        }
        out.extend(prefixed(lines, &gap, &gap));
    }
}
