//! The contract as Rust: the one `generate!`, and nothing else.
//!
//! Generated once, here, so that plugin crates stay free of unsafe code and of build steps.

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
