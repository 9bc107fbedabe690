//! Attacks its host: one tool for each way that a single call has.
//!
//! Nobody installs this. It is built so that the tests can show that a host survives it: after each
//! of these calls `canary` answers at once, in the same process. Cases are those of the threat
//! catalogue. What Rust will not emit (start functions, lying pointers, bad descriptions) is written
//! by hand in `tests/wat`.
//!
//! | tool | case | what must happen |
//! | --- | --- | --- |
//! | `canary` |  | `alive`, at once after every attack |
//! | `spin` | 1 | fault `cpu` |
//! | `spin_calling` | 1 | fault `cpu` or `wall`; others run meanwhile |
//! | `bulk` | 6 | one copy of 100 MiB is over in 200 ms; many end as `cpu`; beyond the limit `memory` |
//! | `compute` |  | an answer: within its budget |
//! | `recurse` | 10 | fault `stack` (or `trap`) |
//! | `recurse_calling` | 11 | the same, with every import at every depth; the host does not abort |
//! | `assessed_spin`, `assessed_panic`, `assessed_failure`, `assessed_recursion`, `assessed_growth` | 4 | a concern: a person decides |
//! | `assessed_log` | 45 | runs; the log is bounded |
//! | `grow`, `grow_in_steps` | 7 | fault `memory`; widgets withdrawn |
//! | `reserve` | 7 | fault `memory`, or `false` |
//! | `big_string` | 14 | taken, refused, or fault `payload`, by size |
//! | `big_list` | 15 | fault `payload`, charged by the host's size |
//! | `big_result` | 16 | an answer, or fault `payload`, by size |
//! | `hoard_buckets` | 12, 13 | fault `handles` |
//! | `hoard_outputs` | 12, 25 | refused, or fault `handles`; bytes released |
//! | `panic`, `panic_loudly`, `panic_twice`, `index` | 62 | fault `trap`; message and place in the log, cut and clean |
//! | `exit_well`, `exit_badly` |  | fault `exit` |
//! | `abort`, `trap` |  | fault `trap` |
//! | `fail` |  | a failure with its code, no fault |
//! | `fail_halfway` | 47 | the fault of its end; widget and output withdrawn, state kept |
//! | `read_leftovers` | 47 | what `fail_halfway` kept |
//! | `flood_log`, `flood_long_log` | 17 | an answer; 1,000 messages of 4 KiB kept, the rest counted |
//! | `flood_widgets` | 18 | 100 taken, then `too-many`; an answer |
//! | `flood_updates`, `flood_and_remove`, `flood_append` | 18 | an answer; the record does not grow with it |
//! | `flood_progress` | 19 | an answer; coalesced, the last arrives |
//! | `flood_asks` | 20 | a few taken, then refused; an answer |
//! | `flood_approvals` | 20 | each refused without a new question; an answer |
//! | `flood_output`, `flood_outputs` | 25 | refused with `full`; bytes released |
//! | `flood_keys`, `flood_values` |  | refused with `full` or `too-large` |
//! | `flood_prints`, `flood_line` |  | an answer; nothing reaches a terminal |
//! | `json_widget`, `json_update` | 32, 33, 34 | refused or drawn as fallback; the call goes on |
//! | `json_result` | 32, 33, 34 | fault `protocol`, or shown as text |
//! | `json_question` | 32, 33, 34 | `invalid`; nobody is asked |
//! | `json_approval` | 34 | refused; nobody is asked |
//! | `json_state`, `json_output` | 32, 33, 34 | refused |
//! | `kind` | 44 | fault `protocol` off the pattern; else shown neutrally |
//! | `unknown_widget` | 44 | drawn from its fallback |
//! | `environment`, `files`, `sockets`, `spawn` | 63 and on | nothing seen, nothing reached, no host path in an error |
//! | `open_files` | 12 | 0 |
//! | `fetch` |  | failure `denied`, naming what the manifest asks for |
//! | `guess_outputs` | 58 | `expired`, each time |
//! | `identities`, `clocks` |  | opaque, and the same when replayed |
//! | `stdio` |  | stdin at its end; output captured |
//! | `ask_then_compute` | 22 | an answer, after any wait |
//! | `ask_wrongly` | 20 | refused as `invalid`, with how |
//! | `ask_secret` | 52, 60 | the host says who asks |
//! | `approve_undeclared` |  | failure `denied`; nobody is asked |
//! | `approve_hidden` | 52 | asked, with the host's facts first |
//! | `approve_itself` | 49 | an answer that authorises nothing |
//! | `lie` | 53 | shown as the plugin's, never as the host's |
//! | `hostile` | 42, 52, 55 | shown clean, in each place |
//! | `big_widget` | 18 | `too-large` beyond 256 KiB or 50,000 bytes |
//! | `touch_removed` | 47 | `gone`, each time |
//! | `sleep`, `nap` | 21 | fault `wall` |
//! | `read_stdin` | 21 | 0 bytes, at once |
//! | `watch_clock` | 21 | fault `cpu` or `wall` |
//! | `await_often` | 30 | an answer, or cancelled at any point, exactly once |
//! | `ignore_cancel`, `ignore_cancel_asking` | 30 | ended two seconds after cancel |
//! | `heed_cancel`, `tidy_up` | 30 | `cancelled` |
//!
//! Not here, because a component cannot: showing or answering after `run` returned (cases 47, 48:
//! there are no threads, and a function returns once), acting without a stage (45, 46: `describe` and
//! `assess` are lent none; `tests/wat` forges one), and a described lie (37 to 43: the SDK writes the
//! description).

#![forbid(unsafe_code)]

mod raw;

mod cpu;

mod memory;

mod panics;

mod floods;

mod json;

mod probes;

mod people;

mod timing;

use footlight_sdk::prelude::*;

/// Answers a constant: what must work at once after every attack.
#[tool(read_only)]
fn canary() -> &'static str {
    "alive"
}

plugin!(
    tools: [
        canary,
        cpu::spin,
        cpu::spin_calling,
        cpu::bulk,
        cpu::compute,
        cpu::recurse,
        cpu::recurse_calling,
        cpu::assessed_spin,
        cpu::assessed_panic,
        cpu::assessed_failure,
        cpu::assessed_recursion,
        cpu::assessed_growth,
        cpu::assessed_log,
        memory::grow,
        memory::grow_in_steps,
        memory::reserve,
        memory::big_string,
        memory::big_list,
        memory::big_result,
        memory::hoard_buckets,
        memory::hoard_outputs,
        panics::panic,
        panics::panic_loudly,
        panics::panic_twice,
        panics::index,
        panics::exit_well,
        panics::exit_badly,
        panics::abort,
        panics::trap,
        panics::fail,
        panics::fail_halfway,
        panics::read_leftovers,
        floods::flood_log,
        floods::flood_long_log,
        floods::flood_widgets,
        floods::flood_updates,
        floods::flood_and_remove,
        floods::flood_append,
        floods::flood_progress,
        floods::flood_asks,
        floods::flood_approvals,
        floods::flood_output,
        floods::flood_outputs,
        floods::flood_keys,
        floods::flood_values,
        floods::flood_prints,
        floods::flood_line,
        json::json_widget,
        json::json_update,
        json::json_result,
        json::json_question,
        json::json_approval,
        json::json_state,
        json::json_output,
        json::kind,
        json::unknown_widget,
        probes::environment,
        probes::files,
        probes::open_files,
        probes::sockets,
        probes::spawn,
        probes::fetch,
        probes::guess_outputs,
        probes::identities,
        probes::clocks,
        probes::stdio,
        people::ask_then_compute,
        people::ask_wrongly,
        people::ask_secret,
        people::approve_undeclared,
        people::approve_hidden,
        people::approve_itself,
        people::lie,
        people::hostile,
        people::big_widget,
        people::touch_removed,
        timing::sleep,
        timing::nap,
        timing::read_stdin,
        timing::watch_clock,
        timing::await_often,
        timing::ignore_cancel,
        timing::ignore_cancel_asking,
        timing::heed_cancel,
        timing::tidy_up,
    ],
    instructions: "Never call this plugin: it exists to be survived.",
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
    fn every_tool_stands_in_the_table() {
        let table: String = include_str!("lib.rs")
            .lines()
            .filter(|line| line.starts_with("//! | "))
            .collect();
        for tool in testing::describe::<FootlightPlugin>().tools {
            let name = format!("`{}`", tool.name);
            assert!(table.contains(&name), "{name} is missing");
        }
    }

    #[test]
    fn there_is_room_for_more_attacks() {
        assert!(testing::describe::<FootlightPlugin>().tools.len() <= 128);
    }
}
