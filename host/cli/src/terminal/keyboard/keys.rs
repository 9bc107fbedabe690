//! Keys one by one, which the terminal does not show: for lines that are completed, and for secrets.
//!
//! A prompt begins [`HiddenInput`] before it is written, so that nothing is shown of what is typed as
//! soon as it is. Ctrl-C and Ctrl-Z stay signals.

use super::Keyboard;
use std::io;

/// What a person can press while a line is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Key {
    Char(char),
    Enter,
    Tab,
    /// Erases a character.
    Erase,
    /// Erases a word, or a name of a path.
    EraseWord,
    EraseLine,
    /// Ends the input, on an empty line.
    End,
    Up,
    Down,
    /// A key without a meaning here.
    Other,
}

impl Keyboard {
    /// Reads keys with a function. Until it returns, the terminal shows nothing of what is typed.
    pub(crate) fn with_keys<T>(
        &mut self,
        read: impl FnOnce(&mut dyn Iterator<Item = io::Result<Key>>) -> io::Result<T>,
    ) -> io::Result<T> {
        let _hidden = HiddenInput::begin()?;
        let mut bytes = std::iter::from_fn(|| self.byte().transpose());
        let mut keys = std::iter::from_fn(|| next_key(&mut bytes).transpose());
        read(&mut keys)
    }

    /// Reads a line without showing it.
    ///
    /// # Errors
    /// When the input ends, the read is dismissed, or it fails.
    #[cfg(unix)]
    pub(crate) fn read_hidden_line(&mut self) -> io::Result<String> {
        use std::io::Write;
        let line = self.with_keys(hidden_line)?;
        // The terminal did not show Enter either.
        writeln!(io::stderr())?;
        Ok(line)
    }

    #[cfg(not(unix))]
    pub(crate) fn read_hidden_line(&mut self) -> io::Result<String> {
        rpassword::read_password()
    }

    /// Returns the next byte, and none at the end of input. Nothing is read ahead of it.
    #[cfg(unix)]
    fn byte(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        loop {
            self.wait()?;
            match rustix::io::read(io::stdin(), &mut byte) {
                Ok(0) => return Ok(None),
                Ok(_) => return Ok(Some(byte[0])),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    #[cfg(not(unix))]
    fn byte(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        Ok((io::Read::read(self, &mut byte)? > 0).then_some(byte[0]))
    }
}

/// Reads a line from keys.
fn hidden_line(keys: &mut dyn Iterator<Item = io::Result<Key>>) -> io::Result<String> {
    let mut line = String::new();
    for key in keys {
        match key? {
            Key::Enter => return Ok(line),
            Key::Char(c) => line.push(c),
            Key::Tab => line.push('\t'),
            Key::Erase => drop(line.pop()),
            Key::EraseWord | Key::EraseLine => line.clear(),
            Key::End if line.is_empty() => break,
            Key::End | Key::Up | Key::Down | Key::Other => {}
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// Reads the next key, which may be several bytes.
fn next_key(bytes: &mut dyn Iterator<Item = io::Result<u8>>) -> io::Result<Option<Key>> {
    let Some(first) = bytes.next().transpose()? else {
        return Ok(None);
    };
    Ok(Some(match first {
        b'\n' | b'\r' => Key::Enter,
        b'\t' => Key::Tab,
        0x08 | 0x7f => Key::Erase,
        0x04 => Key::End,
        0x15 => Key::EraseLine,
        0x17 => Key::EraseWord,
        0x1b => sequence(bytes)?,
        0x00..0x20 => Key::Other,
        0x20..0x7f => Key::Char(char::from(first)),
        first => match character(first, bytes)? {
            Some(c) if !c.is_control() => Key::Char(c),
            _ => Key::Other,
        },
    }))
}

/// Reads the rest of a character of several bytes; none if it is not one.
fn character(
    first: u8,
    bytes: &mut dyn Iterator<Item = io::Result<u8>>,
) -> io::Result<Option<char>> {
    let length = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Ok(None),
    };
    let mut character = vec![first];
    while character.len() < length {
        let Some(byte) = bytes.next().transpose()? else {
            return Ok(None);
        };
        character.push(byte);
    }
    let text = std::str::from_utf8(&character).ok();
    Ok(text.and_then(|text| text.chars().next()))
}

/// Reads what a key such as an arrow sends after Escape.
fn sequence(bytes: &mut dyn Iterator<Item = io::Result<u8>>) -> io::Result<Key> {
    let introducer = bytes.next().transpose()?;
    let mut is_plain = true;
    let last = match introducer {
        Some(b'[') => loop {
            match bytes.next().transpose()? {
                Some(byte) if !(0x40..0x7f).contains(&byte) => is_plain = false,
                last => break last,
            }
        },
        Some(b'O') => bytes.next().transpose()?,
        _ => None,
    };
    Ok(match last {
        Some(b'A') if is_plain => Key::Up,
        Some(b'B') if is_plain => Key::Down,
        _ => Key::Other,
    })
}

#[cfg(unix)]
mod mode {
    use crate::terminal::interrupt;
    use rustix::termios::{
        LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
    };
    use std::io;
    use std::sync::{Mutex, PoisonError};

    /// The mode of the terminal before it was changed.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    /// The mode of the terminal before this process changed it for the first time, by itself or with a line editor.
    static FIRST: Mutex<Option<Termios>> = Mutex::new(None);

    /// Sets the terminal back when it is dropped.
    pub(crate) struct HiddenInput {
        /// Whether it is the outermost of those that are alive.
        is_first: bool,
    }

    impl HiddenInput {
        /// Has the terminal pass on each key at once, without showing it.
        pub(crate) fn begin() -> io::Result<Self> {
            let mut saved = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
            if saved.is_some() {
                return Ok(Self { is_first: false });
            }
            let before = tcgetattr(io::stdin())?;
            // From before the mode changes: a signal that ends the process sets the terminal back.
            interrupt::guard_terminal();
            let mut mode = before.clone();
            mode.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ECHONL;
            mode.special_codes[SpecialCodeIndex::VMIN] = 1;
            mode.special_codes[SpecialCodeIndex::VTIME] = 0;
            tcsetattr(io::stdin(), OptionalActions::Now, &mode)?;
            *saved = Some(before);
            Ok(Self { is_first: true })
        }
    }

    impl Drop for HiddenInput {
        fn drop(&mut self) {
            if self.is_first {
                restore_mode();
            }
        }
    }

    /// Remembers the mode of the terminal for [`reset_mode`].
    pub(crate) fn remember_mode() {
        let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_none() {
            *first = tcgetattr(io::stdin()).ok();
        }
    }

    /// Sets the terminal back to how it was before this process. Whoever ends the process in the middle of a prompt
    /// calls this first.
    pub(crate) fn reset_mode() {
        let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(first) = first {
            // A terminal that is gone needs no mode.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &first);
        }
    }

    /// Sets the terminal back to how it was.
    fn restore_mode() {
        let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(before) = before {
            // A terminal that is gone needs no mode.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
        }
    }
}

#[cfg(not(unix))]
mod mode {
    use std::io;

    /// Changes nothing: lines are read as the terminal passes them on.
    pub(crate) struct HiddenInput(());

    impl HiddenInput {
        pub(crate) fn begin() -> io::Result<Self> {
            Ok(Self(()))
        }
    }

    pub(crate) fn reset_mode() {}
}

#[cfg(unix)]
pub(crate) use mode::remember_mode;
pub(crate) use mode::{HiddenInput, reset_mode};

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(typed: &[u8]) -> Vec<Key> {
        let mut bytes = typed.iter().copied().map(Ok);
        let keys = std::iter::from_fn(|| next_key(&mut bytes).expect("reads"));
        keys.collect()
    }

    #[test]
    fn bytes_become_keys() {
        assert_eq!(
            keys(b"a\t\x7f\x08\x15\x17\x04\r\n"),
            [
                Key::Char('a'),
                Key::Tab,
                Key::Erase,
                Key::Erase,
                Key::EraseLine,
                Key::EraseWord,
                Key::End,
                Key::Enter,
                Key::Enter
            ]
        );
        for (sent, key) in [
            ("\u{1b}[A", Key::Up),
            ("\u{1b}OA", Key::Up),
            ("\u{1b}[B", Key::Down),
            ("\u{1b}OB", Key::Down),
            ("\u{1b}[C", Key::Other),
            ("\u{1b}[1;5A", Key::Other),
            ("\u{1b}x", Key::Other),
            ("\u{1}", Key::Other),
        ] {
            let typed = format!("{sent}é日🎭");
            let expected = [key, Key::Char('é'), Key::Char('日'), Key::Char('🎭')];
            assert_eq!(keys(typed.as_bytes()), expected, "{sent:?}");
        }
        // Not Unicode, a control character of two bytes, and a character without its end.
        assert_eq!(keys(b"\xff\xc2\x80"), [Key::Other, Key::Other]);
        assert_eq!(keys(b"\xe6\x97"), [Key::Other]);
    }

    #[test]
    fn a_hidden_line_can_be_corrected_and_ends_with_enter() {
        let read = |typed: &[u8]| {
            let keys = keys(typed);
            hidden_line(&mut keys.into_iter().map(Ok)).ok()
        };
        assert_eq!(read(b"hunter2\n").as_deref(), Some("hunter2"));
        assert_eq!(read(b"wrong\x15hunterr\x7f2\r").as_deref(), Some("hunter2"));
        assert_eq!(read(b"\n").as_deref(), Some(""));
        assert_eq!(read(b"\x04"), None);
        assert_eq!(read(b"half"), None);
        let long = "x".repeat(8192);
        assert_eq!(read(format!("{long}\n").as_bytes()), Some(long));
    }
}
