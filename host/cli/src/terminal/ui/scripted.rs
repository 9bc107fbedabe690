//! In-memory terminals for tests.

use super::*;

/// An in-memory output stream.
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
    /// Creates an unattended `Ui` over two in-memory streams, optionally a terminal of 80 by 24.
    pub(crate) fn scripted(terminal: bool) -> (Self, TestScreen, TestScreen) {
        let (out, err) = (TestScreen::default(), TestScreen::default());
        let ui = Self::over(terminal, &out, &err, || (80, 24));
        (ui, out, err)
    }

    /// Creates an unattended `Ui` with stdout and stderr on one terminal of this size.
    pub(crate) fn on_screen(size: fn() -> Size) -> (Self, TestScreen) {
        let screen = TestScreen::default();
        (Self::over(true, &screen, &screen, size), screen)
    }

    /// Creates the same for a terminal that does not show Unicode.
    pub(crate) fn on_ascii_screen(size: fn() -> Size) -> (Self, TestScreen) {
        let (mut ui, screen) = Self::on_screen(size);
        ui.stdout.target.unicode = false;
        ui.stderr.target.unicode = false;
        (ui, screen)
    }

    fn over(terminal: bool, out: &TestScreen, err: &TestScreen, size: fn() -> Size) -> Self {
        let stream = |to: &TestScreen| Stream {
            terminal,
            target: capabilities::target(terminal, false, |name| {
                (name == "NO_COLOR").then(|| "1".to_owned())
            }),
            to: RefCell::new(Box::new(to.clone())),
        };
        Self {
            json: false,
            consent: ConsentFlags::default(),
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
        self.stdout.target = capabilities::target(true, false, |name| {
            (name == "COLORTERM").then(|| "truecolor".to_owned())
        });
    }

    /// Draws an item of which nothing is left out.
    pub(crate) fn draw_item(&self, to: OutStream, key: &ItemKey, view: View) -> io::Result<()> {
        self.draw_shortened(to, key, view, "")
    }

    /// Creates an unattended `Ui` whose output is discarded.
    pub(crate) fn silent() -> Self {
        Self::scripted(false).0
    }
}
