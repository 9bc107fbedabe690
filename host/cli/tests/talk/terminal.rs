//! A pseudo-terminal with a scripted person.
//!
//! It is nobody's controlling terminal, so Ctrl-C in a prompt arrives as a character and elsewhere is
//! sent as the signal it means.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// After what time nothing more is expected to come: something hangs.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What stands at the end of prompts that take no input until a person can have read them.
const DECISIONS: [&str; 4] = [
    "[deny]:",
    "[as offered]:",
    "[y/N]",
    "not shown as you type:",
];

/// After what time they do.
const ARMING: Duration = Duration::from_millis(450);

pub(crate) struct Terminal {
    child: Child,
    keys: File,
    seen: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Everything that was ever written to it.
    pub(crate) written: String,
    /// How many decisions this person has read.
    read: usize,
}

impl Terminal {
    /// Runs a command on a screen of this size.
    pub(crate) fn run(mut command: Command, columns: u16, rows: u16) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).expect("a terminal is there");
        grantpt(&master).expect("is ours");
        unlockpt(&master).expect("is ours");
        let name = ptsname(&master, Vec::new()).expect("has a name");
        let name = name.to_str().expect("is text").to_owned();
        let master = File::from(master);
        let size = Winsize {
            ws_col: columns,
            ws_row: rows,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).expect("has a size");
        let slave = OpenOptions::new().read(true).write(true).open(name);
        let slave = slave.expect("is there");
        let stdio = || Stdio::from(slave.try_clone().expect("can be shared"));
        command.stdin(stdio()).stdout(stdio()).stderr(stdio());
        command.env("TERM", "xterm");
        let child = command.spawn().expect("the binary is built");
        // Only the child's ends keep it open.
        drop((command, slave));
        let mut output = master.try_clone().expect("can be shared");
        let (sender, seen) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // It ends with an error once the other side is closed.
            while let Ok(length @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let size = |n: u16| NonZero::new(n).expect("is not 0");
        Self {
            child,
            keys: master,
            seen,
            screen: vt100::Parser::new(size(rows), size(columns), 0),
            written: String::new(),
            read: 0,
        }
    }

    /// The rows of the screen.
    pub(crate) fn screen(&self) -> String {
        let contents = self.screen.screen().contents();
        let rows: Vec<&str> = contents.lines().map(str::trim_end).collect();
        rows.join("\n").trim_end().to_owned()
    }

    /// Waits until this stands on the screen.
    pub(crate) fn expect(&mut self, text: &str) -> String {
        // Nobody sees spaces at the end of a row.
        while !self.screen().contains(text.trim_end()) {
            let Ok(bytes) = self.seen.recv_timeout(TIMEOUT) else {
                panic!("`{text}` does not come:\n{}", self.screen());
            };
            self.take(&bytes);
        }
        self.screen()
    }

    fn take(&mut self, bytes: &[u8]) {
        self.written.push_str(&String::from_utf8_lossy(bytes));
        self.screen.process(bytes);
    }

    /// Waits until this was written so many times, also where it stood on the screen before.
    pub(crate) fn expect_again(&mut self, text: &str, times: usize) {
        while self.written.matches(text).count() < times {
            let Ok(bytes) = self.seen.recv_timeout(TIMEOUT) else {
                panic!("`{text}` does not come again:\n{}", self.screen());
            };
            self.take(&bytes);
        }
    }

    /// Types, once a decision that stands on the screen was read.
    pub(crate) fn keys(&mut self, text: &str) {
        while let Ok(bytes) = self.seen.try_recv() {
            self.take(&bytes);
        }
        let shown = DECISIONS.map(|end| self.written.matches(end).count());
        let shown = shown.into_iter().sum();
        if shown > self.read {
            self.read = shown;
            std::thread::sleep(ARMING);
        }
        self.hasty_keys(text);
    }

    /// Types without reading.
    pub(crate) fn hasty_keys(&mut self, text: &str) {
        self.keys.write_all(text.as_bytes()).expect("is read");
    }

    /// Whether the terminal itself shows what is typed.
    pub(crate) fn echoes(&self) -> bool {
        let mode = tcgetattr(&self.keys).expect("is a terminal");
        mode.local_modes.contains(LocalModes::ECHO)
    }

    /// The process that runs.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it runs a moment from now.
    pub(crate) fn has_not_ended(&mut self) -> bool {
        std::thread::sleep(Duration::from_millis(100));
        self.child.try_wait().expect("is a child").is_none()
    }

    /// Waits for the end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        loop {
            match self.seen.recv_timeout(TIMEOUT) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end:\n{}", self.screen()),
            }
        }
        self.child.wait().expect("it ends")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Whatever a test has left running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
