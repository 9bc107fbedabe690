//! Elements that are made one by one while they are written.
//!
//! An element takes about a hundred bytes, and a row of a long table has several of them. A table whose rows
//! are generated takes the memory of its data and of its text only.

use super::{Element, Node, to_json};
use std::fmt::Debug;
use std::sync::Arc;

/// A source of elements.
pub(crate) trait Generate: Debug + Send + Sync {
    /// Passes each element on, in order. Every call passes on the same elements.
    fn generate(&self, write: &mut dyn FnMut(Element));
}

/// Elements below each other that are made when they are written.
#[derive(Debug, Clone)]
pub struct Generated(Arc<dyn Generate>);

impl Generated {
    pub(super) fn for_each(&self, write: &mut dyn FnMut(Element)) {
        self.0.generate(write);
    }
}

impl<T: Generate + 'static> From<T> for Generated {
    fn from(source: T) -> Self {
        Self(Arc::new(source))
    }
}

impl From<Generated> for Node {
    fn from(generated: Generated) -> Self {
        Self::Generated(generated)
    }
}

/// Two sources are equal if they generate the same elements.
impl PartialEq for Generated {
    fn eq(&self, other: &Self) -> bool {
        let json = |generated: &Self| to_json(&[generated.clone().into()]);
        Arc::ptr_eq(&self.0, &other.0) || json(self) == json(other)
    }
}
