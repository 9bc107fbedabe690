//! The contract as Rust: `bindgen!` and nothing else.

#![allow(
    missing_docs,
    reason = "generated from wit/, where every item is documented"
)]
#![allow(unreachable_pub, clippy::all, reason = "generated")]

wasmtime::component::bindgen!({
    path: "wit",
    world: "plugin",
    imports: { default: async | trappable },
    exports: { default: async },
    additional_derives: [PartialEq, serde::Serialize, serde::Deserialize],
    with: {
        "footlight:plugin/stage.stage": crate::sandbox::imports::StageHandle,
        "footlight:plugin/display-widget.shown": crate::sandbox::imports::ShownHandle,
        "footlight:plugin/output.writer": crate::sandbox::imports::WriterHandle,
        "footlight:plugin/state.bucket": crate::sandbox::imports::BucketHandle,
    },
});
