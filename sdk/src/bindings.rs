//! The bindings generated from `wit/`.
//!
//! Generated once, in this crate, so that plugin crates need no unsafe code and no build script.

#![allow(
    missing_docs,
    reason = "generated from wit/, where every item is documented"
)]
#![allow(unreachable_pub, reason = "generated")]
#![allow(
    clippy::all,
    clippy::allow_attributes_without_reason,
    reason = "generated"
)]

wit_bindgen::generate!({
    path: "wit",
    world: "plugin",
    pub_export_macro: true,
    export_macro_name: "__export",
    default_bindings_module: "footlight_sdk::bindings",
});
