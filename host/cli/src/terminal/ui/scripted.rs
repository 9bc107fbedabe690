//! Screens that a test reads in place of a terminal.

use super::*;

/// What a test reads in place of a terminal.
#[derive(Debug, Clone, Default)]
pub(crate) struct TestScreen(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl TestScreen {
    pub(crate) fn text(&self) -> String {
        let bytes = self.0.lock().expect("nobody panicked").clone();
        String::from_utf8(bytes).expect("is text")
    }
}

impl Write for TestScreen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = self.0.lock().expect("nobody panicked");
        text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Ui {
    /// Nobody to ask, and paper in place of stdout and stderr, which may be taken for a terminal of
    /// 80 columns and 24 rows.
    pub(crate) fn scripted(terminal: bool) -> (Self, TestScreen, TestScreen) {
        let (out, err) = (TestScreen::default(), TestScreen::default());
        let ui = Self::over(terminal, &out, &err, || (80, 24));
        (ui, out, err)
    }

    /// The same on one screen of this size, as a person has it.
    pub(crate) fn on_screen(size: fn() -> Size) -> (Self, TestScreen) {
        let screen = TestScreen::default();
        (Self::over(true, &screen, &screen, size), screen)
    }

    fn over(terminal: bool, out: &TestScreen, err: &TestScreen, size: fn() -> Size) -> Self {
        let stream = |to: &TestScreen| Stream {
            terminal,
            capabilities: Capabilities::of(terminal, false, |name| {
                (name == "NO_COLOR").then(|| "1".to_owned())
            }),
            to: RefCell::new(Box::new(to.clone())),
        };
        Self {
            json: false,
            yes: false,
            can_ask: false,
            pages: false,
            stdout: stream(out),
            stderr: stream(err),
            redraws: terminal,
            screen: RefCell::default(),
            actions: RefCell::default(),
            progress: RefCell::default(),
            flowing: RefCell::default(),
            size,
            width: Cell::default(),
            was_suspended: || false,
        }
    }

    /// Makes stdout a terminal with all colours.
    #[cfg(feature = "images")]
    pub(crate) fn show_true_colour(&mut self) {
        self.stdout.capabilities = Capabilities::of(true, false, |name| {
            (name == "COLORTERM").then(|| "truecolor".to_owned())
        });
    }

    /// No terminal anywhere, nobody to ask, and nobody who reads.
    pub(crate) fn silent() -> Self {
        Self::scripted(false).0
    }
}
