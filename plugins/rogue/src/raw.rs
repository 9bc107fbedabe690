//! Direct calls of the imports, for what the SDK never sends: text that is not JSON, changes to a
//! widget that was removed.
//!
//! In a native build there are no imports, so every function here fails.

use footlight_sdk::prelude::*;

/// A widget as the contract transfers it.
#[cfg_attr(
    not(target_family = "wasm"),
    expect(dead_code, reason = "only a component sends it")
)]
pub(crate) struct Wire {
    pub(crate) widget: String,
    pub(crate) data: String,
    pub(crate) fallback: String,
    pub(crate) view: Option<String>,
}

#[cfg(target_family = "wasm")]
mod imports {
    use super::Wire;
    use footlight_sdk::bindings::footlight::plugin as host;
    use footlight_sdk::prelude::*;

    impl From<Wire> for host::display_widget::Widget {
        fn from(wire: Wire) -> Self {
            Self {
                widget: wire.widget,
                data: wire.data,
                fallback: wire.fallback,
                view: wire.view,
            }
        }
    }

    pub(crate) fn show(stage: &Stage, wire: Wire) -> Result<String, String> {
        let shown = host::display_widget::show(stage, &wire.into()).map_err(debug_text)?;
        Ok(shown.id())
    }

    pub(crate) fn show_and_update(stage: &Stage, old: Wire, new: Wire) -> Result<String, String> {
        let shown = host::display_widget::show(stage, &old.into()).map_err(debug_text)?;
        shown.update(&new.into()).map_err(debug_text)?;
        Ok(shown.id())
    }

    pub(crate) fn touch_removed(stage: &Stage, first: Wire, then: Wire) -> Vec<String> {
        let shown = match host::display_widget::show(stage, &first.into()) {
            Ok(shown) => shown,
            Err(error) => return vec![debug_text(error)],
        };
        vec![
            format!("{:?}", shown.remove()),
            format!("{:?}", shown.update(&then.into())),
            format!("{:?}", shown.append_text("text", "still here")),
            format!("{:?}", shown.remove()),
            shown.id(),
        ]
    }

    pub(crate) fn ask(stage: &Stage, prompt: &str, fields: &str) -> Result<String, String> {
        host::ask::ask(stage, prompt, fields).map_err(debug_text)
    }

    pub(crate) fn request(stage: &Stage, details: &str) -> Result<String, String> {
        host::approval::request(stage, "rogue.declared", "bad details", "", Some(details))
            .map_err(debug_text)?;
        Ok(String::new())
    }

    pub(crate) fn set(stage: &Stage, value: &str) -> Result<String, String> {
        let bucket = host::state::session(stage);
        bucket.set("raw", Some(value)).map_err(debug_text)?;
        Ok(format!("{:?}", bucket.get("raw")))
    }

    pub(crate) fn output(stage: &Stage, meta: &str) -> Result<String, String> {
        let writer = host::output::create(stage, "raw", "text", "text/plain", Some(meta))
            .map_err(debug_text)?;
        host::output::Writer::finish(writer).map_err(debug_text)
    }

    /// Writes to the log. Needs no stage, so it also works in `assess`.
    pub(crate) fn log(message: &str) {
        host::log::write(host::log::Level::Info, message);
    }

    pub(crate) fn trap() -> ! {
        core::arch::wasm32::unreachable()
    }

    fn debug_text(error: impl std::fmt::Debug) -> String {
        format!("{error:?}")
    }
}

#[cfg(not(target_family = "wasm"))]
mod imports {
    use super::Wire;
    use footlight_sdk::prelude::*;

    const NATIVE: &str = "this attack needs a component";

    macro_rules! failing {
        ($($name:ident($($type:ty),+);)+) => {$(
            pub(crate) fn $name($(_: $type),+) -> Result<String, String> {
                Err(NATIVE.to_owned())
            }
        )+};
    }

    failing! {
        show(&Stage, Wire);
        show_and_update(&Stage, Wire, Wire);
        ask(&Stage, &str, &str);
        request(&Stage, &str);
        set(&Stage, &str);
        output(&Stage, &str);
    }

    pub(crate) fn touch_removed(_: &Stage, _: Wire, _: Wire) -> Vec<String> {
        vec![NATIVE.to_owned()]
    }

    pub(crate) fn log(_: &str) {}

    pub(crate) fn trap() -> ! {
        panic!("{NATIVE}")
    }
}

pub(crate) use imports::*;

/// Reports whether the host accepted something that it should have refused.
pub(crate) fn verdict(result: Result<String, String>) -> Result<Text> {
    Ok(Text::new(match result {
        Ok(reply) => format!("accepted: {reply}"),
        Err(error) => format!("refused: {error}"),
    }))
}
