//! Macros that declare components. Each prop is one line, which makes a setter, its documentation
//! and, on the host, an entry of the table.
//!
//! A declaration reads `Name = "Type" [children] (required) optional`, where a prop is
//! `setter = "nameInJson": Type` and `[children]` is one of
//!
//! * `[]`: none;
//! * `[Node]`: any number, or `[TableRow]`: of one type only;
//! * `[Node, required]`: a list that is present even if empty;
//! * `[Node, one]`: one child or `null`, not in a list.
//!
//! Setters take `bool`, `u32` and `f64` by value, and everything else as `impl Into<Type>`.

/// Declares a component.
macro_rules! component {
    (
        $(#[doc = $about:literal])+
        $name:ident = $kind:literal [$($children:tt)*]
        ($($(#[doc = $rdoc:literal])+ $rset:ident = $rname:literal: $rty:ident),* $(,)?)
        $($(#[doc = $pdoc:literal])+ $set:ident = $prop:literal: $ty:ident,)*
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        #[must_use]
        pub struct $name($crate::component::Node);

        #[allow(
            clippy::new_without_default,
            clippy::wrong_self_convention,
            reason = "one shape for all components; `asForm` is ChatKit's word"
        )]
        impl $name {
            #[cfg(feature = "host")]
            #[allow(dead_code, reason = "read only where it restricts a list of children")]
            pub(crate) const ONLY: Option<&'static str> = Some($kind);

            /// The entry of the host's table.
            #[cfg(feature = "host")]
            pub const SPEC: $crate::component::ComponentSpec = $crate::component::ComponentSpec {
                name: $kind,
                builder: stringify!($name),
                doc: concat!($($about),+),
                children: $crate::component::declare::children!(@spec $($children)*),
                props: $crate::component::declare::props!(
                    ($($(#[doc = $rdoc])+ $rset = $rname: $rty,)*)
                    $($(#[doc = $pdoc])+ $set = $prop: $ty,)*
                ),
            };

            #[doc = concat!("A new `", $kind, "` with what it cannot do without.")]
            pub fn new($($rset: impl Into<$rty>),*) -> Self {
                #[allow(unused_mut, reason = "a component may have nothing to set")]
                let mut node = $crate::component::Node::new($kind);
                $(
                    let value: $rty = $rset.into();
                    node.put($rname, value.into());
                )*
                $crate::component::declare::children!(@start node $($children)*);
                Self(node)
            }

            $($crate::component::declare::setter!($(#[doc = $pdoc])+ $set = $prop: $ty);)*

            $crate::component::declare::children!(@setters $($children)*);

            /// Sets the id, unique in the tree, that updates and answers refer to.
            pub fn id(mut self, id: impl Into<String>) -> Self {
                self.put("id", id.into().into());
                self
            }

            /// Sets the key that identifies the component among its siblings when a list changes.
            pub fn key(mut self, key: impl Into<String>) -> Self {
                self.put("key", key.into().into());
                self
            }

            /// Sets the text for surfaces that do not know this component.
            pub fn fallback(mut self, text: impl Into<String>) -> Self {
                self.put("fallback", text.into().into());
                self
            }

            /// Returns the component as a node.
            #[must_use]
            pub fn node(&self) -> &$crate::component::Node {
                &self.0
            }

            fn put(&mut self, name: &str, value: $crate::component::Prop) {
                self.0.put(name, value);
            }
        }

        impl From<$name> for $crate::component::Node {
            fn from(component: $name) -> Self {
                component.0
            }
        }
    };
}

/// Declares an object that is the value of a prop, such as a status or an option.
macro_rules! shape {
    (
        $(#[doc = $about:literal])+
        $name:ident
        ($($(#[doc = $rdoc:literal])+ $rset:ident = $rname:literal: $rty:ident),* $(,)?)
        $($(#[doc = $pdoc:literal])+ $set:ident = $prop:literal: $ty:ident,)*
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        #[must_use]
        pub struct $name($crate::component::prop::Object);

        #[allow(clippy::new_without_default, reason = "one shape for all of them")]
        impl $name {
            #[cfg(feature = "host")]
            pub(crate) const SHAPE: &'static [$crate::component::PropSpec] =
                $crate::component::declare::props!(
                    ($($(#[doc = $rdoc])+ $rset = $rname: $rty,)*)
                    $($(#[doc = $pdoc])+ $set = $prop: $ty,)*
                );

            #[doc = concat!("A new [`", stringify!($name), "`] with what it cannot do without.")]
            pub fn new($($rset: impl Into<$rty>),*) -> Self {
                #[allow(unused_mut, reason = "an object may have nothing to set")]
                let mut object = $crate::component::prop::Object::default();
                $(
                    let value: $rty = $rset.into();
                    object.put($rname, value.into());
                )*
                Self(object)
            }

            $($crate::component::declare::setter!($(#[doc = $pdoc])+ $set = $prop: $ty);)*

            #[allow(dead_code, reason = "an object may have nothing optional")]
            fn put(&mut self, name: &str, value: $crate::component::Prop) {
                self.0.put(name, value);
            }
        }

        impl From<$name> for $crate::component::Prop {
            fn from(object: $name) -> Self {
                object.0.into()
            }
        }
    };
}

/// Declares a value of one of several types, which differ in their JSON type. Without `from`, the
/// conversions are written by hand.
macro_rules! either {
    ($(#[doc = $about:literal])+ $name:ident $(from $($ty:ty),+)?; $described:expr) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name($crate::component::Prop);

        $($crate::builder::from_each!($name: $($ty),+; value => Self(value.into()));)?

        impl From<$name> for $crate::component::Prop {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        $crate::component::declare::described!($name = $described);
    };
}

/// Describes the JSON of a type, for the host's table.
macro_rules! described {
    ($name:ty = $described:expr) => {
        #[cfg(feature = "host")]
        impl $crate::component::spec::Described for $name {
            const TYPE: $crate::component::PropType = {
                #[allow(unused_imports, reason = "not every description is composed")]
                use $crate::component::PropType::*;
                $described
            };
        }
    };
}

/// Declares a setter.
macro_rules! setter {
    ($(#[doc = $doc:literal])+ $set:ident = $prop:literal: bool) => {
        $(#[doc = $doc])+
        pub fn $set(mut self, yes: bool) -> Self {
            self.put($prop, yes.into());
            self
        }
    };
    ($(#[doc = $doc:literal])+ $set:ident = $prop:literal: u32) => {
        $(#[doc = $doc])+
        pub fn $set(mut self, count: u32) -> Self {
            self.put($prop, count.into());
            self
        }
    };
    ($(#[doc = $doc:literal])+ $set:ident = $prop:literal: f64) => {
        $(#[doc = $doc])+
        pub fn $set(mut self, number: f64) -> Self {
            self.put($prop, number.into());
            self
        }
    };
    ($(#[doc = $doc:literal])+ $set:ident = $prop:literal: $ty:ident) => {
        $(#[doc = $doc])+
        pub fn $set(mut self, value: impl Into<$ty>) -> Self {
            let value: $ty = value.into();
            self.put($prop, value.into());
            self
        }
    };
}

/// Lists the props of a declaration, for the host's table.
#[cfg(feature = "host")]
macro_rules! props {
    (
        ($($(#[doc = $rdoc:literal])+ $rset:ident = $rname:literal: $rty:ident,)*)
        $($(#[doc = $pdoc:literal])+ $set:ident = $prop:literal: $ty:ident,)*
    ) => {
        &[
            $($crate::component::PropSpec {
                name: $rname,
                setter: stringify!($rset),
                doc: concat!($($rdoc),+),
                required: true,
                takes: <$rty as $crate::component::spec::Described>::TYPE,
            },)*
            $($crate::component::PropSpec {
                name: $prop,
                setter: stringify!($set),
                doc: concat!($($pdoc),+),
                required: false,
                takes: <$ty as $crate::component::spec::Described>::TYPE,
            },)*
        ]
    };
}

/// Expands the kind of children for the table, the constructor and the setters.
macro_rules! children {
    (@spec) => {
        $crate::component::Children::None
    };
    (@spec $child:ident) => {
        $crate::component::Children::Many {
            only: $child::ONLY,
            required: false,
        }
    };
    (@spec $child:ident, required) => {
        $crate::component::Children::Many {
            only: $child::ONLY,
            required: true,
        }
    };
    (@spec $child:ident, one) => {
        $crate::component::Children::One
    };

    (@start $node:ident) => {};
    (@start $node:ident $child:ident) => {};
    (@start $node:ident $child:ident, required) => {
        $node.put("children", serde_json::Value::Array(Vec::new()).into());
    };
    (@start $node:ident $child:ident, one) => {
        $node.put("children", serde_json::Value::Null.into());
    };

    (@setters) => {};
    (@setters $child:ident, one) => {
        /// Sets the child.
        pub fn child(mut self, child: impl Into<$child>) -> Self {
            self.put("children", child.into().into());
            self
        }
    };
    (@setters $child:ident $(, required)?) => {
        /// Adds a child.
        pub fn child(mut self, child: impl Into<$child>) -> Self {
            self.0.push(child.into().into());
            self
        }

        /// Adds children.
        pub fn children<C: Into<$child>>(mut self, children: impl IntoIterator<Item = C>) -> Self {
            for child in children {
                self.0.push(child.into().into());
            }
            self
        }
    };
}

#[cfg(feature = "host")]
pub(crate) use props;
pub(crate) use {children, component, described, either, setter, shape};
