//! Content for the person that the model does not see.

use crate::backend::{Backend, WriterBackend, WriterHandle};
use crate::{OutputError, Stage};
use serde::Serialize;
use std::io;

/// The most bytes that the host accepts in one write.
const CHUNK: usize = 1 << 20;

/// The metadata of an output: title, kind and media type.
///
/// ```
/// # use footlight_sdk::prelude::*;
/// # fn tool(stage: &Stage) -> Result<Text> {
/// let id = stage.output(Output::new("report.csv").kind("table").mime_type("text/csv"), "day,rain\nMon,3\n")?;
/// Ok(Text::new(format!("The report is on the screen: [output:{id}]")))
/// # }
/// ```
#[derive(Debug)]
#[must_use]
pub struct Output {
    pub(crate) title: String,
    pub(crate) kind: String,
    pub(crate) mime_type: String,
    meta: Option<serde_json::Result<String>>,
}

impl Output {
    /// Creates metadata for plain text with this title.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            kind: "text".to_owned(),
            mime_type: "text/plain; charset=utf-8".to_owned(),
            meta: None,
        }
    }

    /// Sets the kind: a semantic kind or any other name.
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = kind.into();
        self
    }

    /// Sets the media type.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = mime_type.into();
        self
    }

    /// Sets free-form metadata for the surface that draws the output.
    pub fn meta(mut self, meta: &impl Serialize) -> Self {
        self.meta = Some(serde_json::to_string(meta));
        self
    }

    pub(crate) fn begin(mut self, stage: &Stage) -> Result<OutputWriter, OutputError> {
        let meta = self.meta.take().transpose();
        let meta = meta.map_err(|error| OutputError::Other(error.to_string()))?;
        Ok(OutputWriter(stage.create(&self, meta.as_deref())?))
    }
}

/// An output being written. Nothing is stored until [`finish`](Self::finish).
///
/// Implements [`std::io::Write`], for use with `write!` and with writers such as those for CSV.
pub struct OutputWriter(WriterHandle);

impl OutputWriter {
    /// Appends bytes of any length.
    ///
    /// # Errors
    /// If the quota is exhausted.
    pub fn write_bytes(&self, bytes: &[u8]) -> Result<(), OutputError> {
        let mut chunks = bytes.chunks(CHUNK);
        chunks.try_for_each(|chunk| WriterBackend::write(&self.0, chunk))
    }

    /// Stores and shows the output, and returns its id.
    ///
    /// # Errors
    /// If the output cannot be stored.
    pub fn finish(self) -> Result<String, OutputError> {
        WriterBackend::finish(self.0)
    }
}

impl io::Write for OutputWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_bytes(bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
