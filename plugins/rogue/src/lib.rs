//! A plugin that attacks its host, for the tests: each tool is one attack that a single call can
//! make.
//!
//! The doc comment of a tool says what the attack attempts and what the host must do. The tests run
//! every attack, and after each one `canary` must answer at once in the same process.
//!
//! Attacks that Rust code cannot express (start functions, invalid pointers, bad descriptions, a
//! forged stage) are written by hand in `tests/wat`. A component cannot act after `run` has
//! returned, because it has no threads.

#![forbid(unsafe_code)]

mod cancelled;
mod cpu;
mod floods;
mod json;
mod memory;
mod panics;
mod people;
mod probes;
mod raw;
mod restarts;
mod steal;
mod timing;

use footlight_sdk::prelude::*;

/// Returns a constant. The host must run it at once after every attack.
#[tool(read_only)]
fn canary() -> &'static str {
    "alive"
}

plugin!(
    tools: [
        canary,
        cpu::spin, cpu::spin_calling, cpu::bulk, cpu::compute, cpu::recurse, cpu::recurse_calling,
        cpu::assessed_spin, cpu::assessed_panic, cpu::assessed_failure, cpu::assessed_recursion,
        cpu::assessed_growth, cpu::assessed_log,
        memory::grow, memory::grow_in_steps, memory::reserve, memory::big_string, memory::big_list,
        memory::big_result, memory::hoard_buckets, memory::hoard_outputs,
        panics::panic, panics::panic_loudly, panics::panic_twice, panics::index, panics::exit_well,
        panics::exit_badly, panics::abort, panics::trap, panics::fail, panics::fail_halfway,
        panics::read_leftovers,
        floods::flood_log, floods::flood_long_log, floods::flood_widgets, floods::flood_updates,
        floods::flood_and_remove, floods::flood_changes, floods::flood_append,
        floods::flood_progress, floods::flood_asks,
        floods::flood_approvals, floods::flood_output, floods::flood_outputs, floods::flood_keys,
        floods::flood_values, floods::flood_prints, floods::flood_line,
        json::json_widget, json::json_update, json::json_result, json::json_question,
        json::json_approval, json::json_state, json::json_output, json::kind, json::plain,
        json::unknown_widget,
        probes::environment, probes::files, probes::open_files, probes::sockets, probes::spawn,
        steal::steal, probes::fetch, probes::guess_outputs, probes::identities, probes::clocks, probes::stdio,
        people::ask_then_compute, people::ask_wrongly, people::ask_secret, people::betray_secret,
        people::approve_undeclared, people::approve_hidden, people::approve_itself, people::lie,
        people::hostile, people::big_widget, people::touch_removed,
        timing::sleep, timing::nap, timing::read_stdin, timing::watch_clock, timing::await_often,
        timing::ignore_cancel, timing::ignore_cancel_asking, timing::heed_cancel, timing::tidy_up,
        timing::panic_when_cancelled,
        cancelled::act_when_cancelled,
        restarts::act_while_reading, restarts::act_when_approved,
    ],
    instructions: "Never call this plugin: it attacks its host, for tests.",
);

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_sdk::testing;

    #[test]
    fn canary_is_alive() {
        assert_eq!(canary(), "alive");
    }

    #[test]
    fn every_tool_says_what_the_host_must_do() {
        for tool in testing::describe::<FootlightPlugin>().tools {
            let words: Vec<&str> = tool.description.split_whitespace().collect();
            let says = words
                .windows(3)
                .any(|three| three == ["The", "host", "must"]);
            assert!(says, "{}", tool.name);
        }
    }

    #[test]
    fn there_is_room_for_more_attacks() {
        assert!(testing::describe::<FootlightPlugin>().tools.len() <= 128);
    }
}
