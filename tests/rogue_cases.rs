//! Every call of `rogue` that the tests make, and how it must end.
//!
//! After each of them `canary` answers at once, nothing has panicked, and memory is back to what it
//! was. The order does not matter, except that `read_leftovers` follows a `fail_halfway`.
//!
//! Invariant: every tool of `rogue` has a case here; [`tools`] is what to compare with `describe`.

use std::collections::BTreeSet;

/// How a call must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expect {
    /// With an outcome.
    Ok,
    /// With an outcome whose data has each of these.
    Says(&'static [&'static str]),
    /// With an outcome whose data has none of these.
    Lacks(&'static [&'static str]),
    /// With the plugin's own failure, of this code.
    Failure(&'static str),
    /// With one of these faults: `cpu`, `wall`, `memory`, `stack`, `payload`, `handles`, `trap`,
    /// `exit`, `protocol`.
    Fault(&'static [&'static str]),
    /// `assess` fails: nothing runs until a person has decided.
    Concern,
    /// As cancelled, soon after the two seconds of grace.
    Cancelled,
    /// In any of these ways.
    OneOf(&'static [Expect]),
}

/// What the person does while the call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Person {
    /// Nobody can be asked.
    Away,
    /// Answers each question and approves each request.
    Agrees,
    /// Skips each question and denies each request.
    Refuses,
    /// Cancels when the first progress arrives.
    Cancels,
}

/// One call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    /// A tool of `rogue`.
    pub(crate) tool: &'static str,
    /// Its input, as JSON.
    pub(crate) input: &'static str,
    /// What the person does.
    pub(crate) person: Person,
    /// How it must end.
    pub(crate) expect: Expect,
}

/// The names of all tools that have a case.
pub(crate) fn tools() -> BTreeSet<&'static str> {
    CASES.iter().map(|case| case.tool).collect()
}

const fn case(tool: &'static str, input: &'static str, expect: Expect) -> Case {
    Case {
        tool,
        input,
        person: Person::Away,
        expect,
    }
}

impl Case {
    const fn with(mut self, person: Person) -> Self {
        self.person = person;
        self
    }
}

use Expect::{Cancelled, Concern, Failure, Fault, Lacks, Ok, OneOf, Says};
use Person::{Agrees, Cancels, Refuses};

const CPU: Expect = Fault(&["cpu"]);
const TIME: Expect = Fault(&["cpu", "wall"]);
const MEMORY: Expect = Fault(&["memory"]);
// A compiled program keeps its own stack in linear memory, and overflowing it is an ordinary trap.
const STACK: Expect = Fault(&["stack", "trap"]);
// A recursion that also asks, stores or prints may exhaust another limit first.
const DEEP: Expect = Fault(&["stack", "trap", "cpu", "wall", "handles"]);
const PAYLOAD: Expect = Fault(&["payload"]);
const HANDLES: Expect = Fault(&["handles"]);
const TRAP: Expect = Fault(&["trap"]);
const EXIT: Expect = Fault(&["exit"]);
const REFUSED: Expect = Says(&["refused"]);
const ACCEPTED: Expect = Says(&["accepted"]);
const REFUSED_OR_PAYLOAD: Expect = OneOf(&[REFUSED, PAYLOAD]);
const STOPPED: Expect = Lacks(&["\"refused\":null"]);
const TEXT_OR_PROTOCOL: Expect = OneOf(&[Ok, Fault(&["protocol"])]);
const NO_WAY_IN: Expect = Lacks(&["got in"]);
const NOT_THERE: Expect = OneOf(&[Failure("denied"), Failure("other")]);

/// Every case.
#[rustfmt::skip] // One line for each case.
pub(crate) const CASES: &[Case] = &[
    case("canary", "{}", Says(&["alive"])),
    // Processor and stack.
    case("spin", "{}", CPU),
    case("spin_calling", "{}", TIME),
    case("bulk", r#"{"mebibytes":100,"times":1}"#, Ok),
    // One operation counts as one time slice at most, however long a busy machine takes.
    case("bulk", r#"{"mebibytes":100,"times":1000000}"#, TIME),
    case("bulk", r#"{"mebibytes":1000}"#, MEMORY),
    case("compute", r#"{"million":300}"#, Ok),
    case("recurse", "{}", STACK),
    case("recurse_calling", r#"{"import":"locale"}"#, STACK),
    case("recurse_calling", r#"{"import":"log"}"#, STACK),
    case("recurse_calling", r#"{"import":"progress"}"#, STACK),
    case("recurse_calling", r#"{"import":"show"}"#, DEEP),
    case("recurse_calling", r#"{"import":"ask"}"#, DEEP),
    case("recurse_calling", r#"{"import":"approve"}"#, DEEP),
    case("recurse_calling", r#"{"import":"state"}"#, DEEP),
    case("recurse_calling", r#"{"import":"output"}"#, DEEP),
    case("recurse_calling", r#"{"import":"http"}"#, DEEP),
    case("recurse_calling", r#"{"import":"config"}"#, STACK),
    case("recurse_calling", r#"{"import":"print"}"#, DEEP),
    case("recurse_calling", r#"{"import":"clock"}"#, STACK),
    case("recurse_calling", r#"{"import":"random"}"#, STACK),
    case("assessed_spin", "{}", Concern),
    case("assessed_panic", "{}", Concern),
    case("assessed_failure", "{}", Concern),
    case("assessed_recursion", "{}", Concern),
    case("assessed_growth", "{}", Concern),
    case("assessed_log", "{}", Ok),
    // Memory.
    case("grow", "{}", MEMORY),
    case("grow_in_steps", "{}", MEMORY),
    case("reserve", r#"{"gibibytes":1}"#, OneOf(&[MEMORY, Says(&["false"])])),
    // Rust itself refuses more than half the address space.
    case("reserve", r#"{"gibibytes":3}"#, Says(&["false"])),
    case("big_string", r#"{"through":"fallback","bytes":1000}"#, Ok),
    case("big_string", r#"{"through":"data","bytes":1000}"#, Ok),
    case("big_string", r#"{"through":"data","bytes":300000}"#, Failure("other")),
    case("big_string", r#"{"through":"log","bytes":8000}"#, Ok),
    case("big_string", r#"{"through":"progress","bytes":8000}"#, Ok),
    case("big_string", r#"{"through":"fallback","bytes":67108864}"#, PAYLOAD),
    case("big_string", r#"{"through":"data","bytes":41943040}"#, PAYLOAD),
    case("big_string", r#"{"through":"log","bytes":67108864}"#, PAYLOAD),
    case("big_string", r#"{"through":"progress","bytes":67108864}"#, PAYLOAD),
    case("big_string", r#"{"through":"prompt","bytes":67108864}"#, PAYLOAD),
    case("big_string", r#"{"through":"subject","bytes":67108864}"#, PAYLOAD),
    case("big_string", r#"{"through":"key","bytes":67108864}"#, PAYLOAD),
    case("big_string", r#"{"through":"value","bytes":41943040}"#, PAYLOAD),
    case("big_string", r#"{"through":"title","bytes":67108864}"#, PAYLOAD),
    case("big_string", r#"{"through":"url","bytes":67108864}"#, PAYLOAD),
    case("big_string", r#"{"through":"append","bytes":67108864}"#, PAYLOAD),
    case("big_list", r#"{"pairs":1000000}"#, PAYLOAD),
    case("big_result", r#"{"part":"data","bytes":1000}"#, Ok),
    case("big_result", r#"{"part":"data","bytes":25165824}"#, PAYLOAD),
    case("big_result", r#"{"part":"summary","bytes":25165824}"#, PAYLOAD),
    case("big_result", r#"{"part":"model","bytes":25165824}"#, PAYLOAD),
    case("big_result", r#"{"part":"failure","bytes":25165824}"#, PAYLOAD),
    case("hoard_buckets", "{}", HANDLES),
    case("hoard_outputs", "{}", OneOf(&[Failure("other"), HANDLES])),
    // Ends without a result.
    case("panic", "{}", TRAP),
    case("panic_loudly", "{}", TRAP),
    case("panic_twice", "{}", TRAP),
    case("index", "{}", TRAP),
    case("index", r#"{"at":2}"#, Says(&["3"])),
    case("exit_well", "{}", EXIT),
    case("exit_badly", "{}", EXIT),
    case("abort", "{}", TRAP),
    case("trap", "{}", TRAP),
    case("fail", r#"{"code":"invalid-input"}"#, Failure("invalid-input")),
    // Nobody has refused or cancelled anything.
    case("fail", r#"{"code":"denied"}"#, Failure("other")),
    case("fail", r#"{"code":"cancelled"}"#, Failure("other")),
    case("fail", r#"{"code":"unavailable"}"#, Failure("unavailable")),
    case("fail", "{}", Failure("other")),
    case("fail_halfway", r#"{"by":"failure"}"#, Failure("unavailable")),
    case("fail_halfway", r#"{"by":"panic"}"#, TRAP),
    case("fail_halfway", r#"{"by":"trap"}"#, TRAP),
    case("fail_halfway", r#"{"by":"exit"}"#, EXIT),
    case("fail_halfway", r#"{"by":"spin"}"#, CPU),
    case("fail_halfway", r#"{"by":"grow"}"#, MEMORY),
    case("read_leftovers", "{}", Ok),
    // Floods.
    case("flood_log", "{}", Ok),
    case("flood_long_log", "{}", Ok),
    case("flood_widgets", "{}", Says(&["\"taken\":100,", "more than 100 widgets"])),
    case("flood_updates", "{}", Ok),
    case("flood_and_remove", "{}", Ok),
    case("flood_changes", r#"{"how":"one","count":200}"#, Says(&["\"taken\":200"])),
    case("flood_changes", r#"{"how":"each","count":200}"#, Says(&["\"taken\":200"])),
    case("flood_changes", r#"{"how":"new","count":200}"#, Says(&["\"taken\":200"])),
    case("flood_append", "{}", STOPPED),
    case("flood_progress", "{}", Ok),
    case("flood_asks", "{}", Says(&["\"taken\":0,"])),
    case("flood_asks", "{}", STOPPED).with(Agrees),
    case("flood_asks", "{}", Says(&["\"taken\":0,"])).with(Refuses),
    case("flood_approvals", "{}", Says(&["\"refusals\":50"])),
    case("flood_approvals", "{}", Says(&["\"refusals\":50"])).with(Refuses),
    case("flood_output", "{}", STOPPED),
    case("flood_outputs", "{}", STOPPED),
    case("flood_keys", "{}", STOPPED),
    case("flood_values", "{}", STOPPED),
    case("flood_values", r#"{"count":1,"bytes":2000000}"#, STOPPED),
    case("flood_prints", "{}", OneOf(&[Ok, CPU])),
    case("flood_line", "{}", Ok),
    // Text in place of JSON.
    case("json_widget", r#"{"part":"data","bomb":"empty"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"open"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"words"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"trailing"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"two"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"nan"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"infinity"}"#, Ok),
    case("json_widget", r#"{"part":"data","bomb":"bom"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"nul"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"surrogate"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"duplicate"}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"precise"}"#, ACCEPTED),
    case("json_widget", r#"{"part":"data","bomb":"lists","size":64}"#, ACCEPTED),
    case("json_widget", r#"{"part":"data","bomb":"lists","size":65}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"lists","size":127}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"lists","size":129}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"lists","size":100000}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"objects","size":30000}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"unclosed","size":100000}"#, REFUSED),
    case("json_widget", r#"{"part":"data","bomb":"keys","size":20000}"#, Ok),
    case("json_widget", r#"{"part":"data","bomb":"keys","size":1000000}"#, REFUSED_OR_PAYLOAD),
    case("json_widget", r#"{"part":"data","bomb":"number","size":100000}"#, Ok),
    case("json_widget", r#"{"part":"data","bomb":"digits","size":100000}"#, Ok),
    case("json_widget", r#"{"part":"data","bomb":"number","size":10000000}"#, REFUSED_OR_PAYLOAD),
    case("json_widget", r#"{"part":"view","bomb":"open"}"#, REFUSED),
    case("json_widget", r#"{"part":"view","bomb":"duplicate"}"#, REFUSED),
    case("json_widget", r#"{"part":"view","bomb":"views","size":10}"#, Ok),
    case("json_widget", r#"{"part":"view","bomb":"views","size":100}"#, REFUSED),
    case("json_widget", r#"{"part":"view","bomb":"lists","size":20000}"#, REFUSED),
    case("json_update", r#"{"bomb":"open"}"#, REFUSED),
    case("json_update", r#"{"bomb":"duplicate"}"#, REFUSED),
    case("json_update", r#"{"bomb":"lists","size":100000}"#, REFUSED),
    case("json_result", r#"{"part":"data","bomb":"empty"}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"data","bomb":"open"}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"data","bomb":"duplicate"}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"data","bomb":"surrogate"}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"data","bomb":"precise"}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"data","bomb":"lists","size":100000}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"data","bomb":"objects","size":100000}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"data","bomb":"keys","size":50000}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"data","bomb":"number","size":500000}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"more","bomb":"open"}"#, TEXT_OR_PROTOCOL),
    case("json_result", r#"{"part":"more","bomb":"lists","size":100000}"#, TEXT_OR_PROTOCOL),
    case("json_question", r#"{"bomb":"empty"}"#, REFUSED).with(Agrees),
    case("json_question", r#"{"bomb":"open"}"#, REFUSED).with(Agrees),
    case("json_question", r#"{"bomb":"duplicate"}"#, REFUSED).with(Agrees),
    case("json_question", r#"{"bomb":"lists","size":100000}"#, REFUSED).with(Agrees),
    case("json_question", r#"{"bomb":"keys","size":1000}"#, REFUSED).with(Agrees),
    case("json_approval", r#"{"bomb":"open"}"#, REFUSED).with(Agrees),
    case("json_approval", r#"{"bomb":"duplicate"}"#, REFUSED).with(Agrees),
    case("json_approval", r#"{"bomb":"lists","size":100000}"#, REFUSED).with(Agrees),
    case("json_state", r#"{"bomb":"open"}"#, REFUSED),
    case("json_state", r#"{"bomb":"duplicate"}"#, REFUSED),
    case("json_state", r#"{"bomb":"precise"}"#, ACCEPTED),
    case("json_state", r#"{"bomb":"lists","size":100000}"#, REFUSED),
    case("json_state", r#"{"bomb":"keys","size":1000000}"#, REFUSED_OR_PAYLOAD),
    case("json_output", r#"{"bomb":"open"}"#, REFUSED),
    case("json_output", r#"{"bomb":"duplicate"}"#, REFUSED),
    case("json_output", r#"{"bomb":"lists","size":100000}"#, REFUSED),
    case("kind", r#"{"kind":"Bad-Kind"}"#, TEXT_OR_PROTOCOL),
    case("kind", r#"{"kind":""}"#, TEXT_OR_PROTOCOL),
    case("kind", r#"{"kind":"from.the.future"}"#, Ok),
    case("unknown_widget", r#"{"widget":"hologram"}"#, ACCEPTED),
    case("unknown_widget", r#"{"widget":"todo-list"}"#, ACCEPTED),
    // Probes.
    case("environment", "{}", Says(&["\"variables\":[]", "\"arguments\":[]"])),
    case("environment", "{}", NO_WAY_IN),
    case("files", "{}", NO_WAY_IN),
    case("open_files", "{}", Says(&["0"])),
    case("sockets", "{}", NO_WAY_IN),
    case("spawn", "{}", NO_WAY_IN),
    // `steal::every_way_out_is_refused` looks at each of its attempts.
    case("steal", "{}", Ok),
    case("fetch", "{}", Failure("no-person")),
    case("fetch", r#"{"url":"https://elsewhere.example/"}"#, Failure("denied")),
    case("fetch", r#"{"url":"http://169.254.169.254/"}"#, Failure("denied")),
    case("fetch", r#"{"url":"file:///etc/passwd"}"#, NOT_THERE),
    case("fetch", r#"{"url":"https://api.example.com@127.0.0.1/"}"#, NOT_THERE),
    case("fetch", r#"{"url":""}"#, NOT_THERE),
    case("fetch", r#"{"method":"POST / HTTP/1.1\r\n\r\nGET"}"#, NOT_THERE),
    case("guess_outputs", "{}", NO_WAY_IN),
    case("identities", "{}", Ok),
    case("clocks", "{}", Ok),
    case("stdio", "{}", Says(&["Ok(0)"])),
    // People.
    case("ask_then_compute", "{}", Says(&["true"])).with(Agrees),
    case("ask_then_compute", "{}", Failure("denied")).with(Refuses),
    case("ask_then_compute", "{}", Failure("no-person")),
    case("ask_wrongly", r#"{"how":"no options"}"#, REFUSED).with(Agrees),
    case("ask_wrongly", r#"{"how":"same name"}"#, REFUSED).with(Agrees),
    case("ask_wrongly", r#"{"how":"no name"}"#, ACCEPTED).with(Agrees),
    case("ask_wrongly", r#"{"how":"no prompt"}"#, REFUSED),
    case("ask_wrongly", r#"{"how":"many"}"#, REFUSED),
    case("ask_wrongly", r#"{"how":"backwards"}"#, REFUSED),
    case("ask_secret", "{}", Failure("no-person")),
    case("betray_secret", r#"{"how":"panic"}"#, Failure("no-person")),
    case("approve_undeclared", "{}", Failure("denied")).with(Agrees),
    case("approve_hidden", "{}", Failure("denied")).with(Refuses),
    case("approve_hidden", "{}", Ok).with(Agrees),
    case("approve_itself", "{}", Ok),
    case("lie", "{}", Ok),
    case("hostile", r#"{"place":"widget"}"#, Ok),
    case("hostile", r#"{"place":"data"}"#, Ok),
    case("hostile", r#"{"place":"view"}"#, Ok),
    case("hostile", r#"{"place":"fallback"}"#, Ok),
    case("hostile", r#"{"place":"progress"}"#, Ok),
    case("hostile", r#"{"place":"log"}"#, Ok),
    case("hostile", r#"{"place":"prompt"}"#, Ok).with(Agrees),
    case("hostile", r#"{"place":"label"}"#, OneOf(&[Failure("no-person"), Failure("other")])),
    case("hostile", r#"{"place":"title"}"#, Ok),
    case("hostile", r#"{"place":"mime"}"#, OneOf(&[Ok, Failure("other")])),
    case("hostile", r#"{"place":"key"}"#, OneOf(&[Ok, Failure("other")])),
    case("hostile", r#"{"place":"summary"}"#, Ok),
    case("hostile", r#"{"place":"data of the result"}"#, Ok),
    case("hostile", r#"{"place":"failure"}"#, Failure("unavailable")),
    case("hostile", r#"{"place":"url"}"#, NOT_THERE),
    // The data is a JSON string, whose quotes count.
    case("plain", r#"{"data":"{\"kind\":\"text\",\"content\":\"a\"}"}"#, Ok),
    case("plain", r#"{"data":"{\"success\":false,\"error\":\"no disk\"}"}"#, Failure("other")),
    case("big_widget", r#"{"data":262142}"#, ACCEPTED),
    case("big_widget", r#"{"data":262143}"#, REFUSED),
    case("big_widget", r#"{"data":307200}"#, REFUSED),
    case("big_widget", r#"{"view":40000}"#, ACCEPTED),
    case("big_widget", r#"{"view":60000}"#, REFUSED),
    case("touch_removed", "{}", Says(&["Gone"])),
    // Time.
    case("sleep", r#"{"seconds":0}"#, Ok),
    case("sleep", "{}", Fault(&["wall"])),
    case("nap", r#"{"millis":1,"times":20}"#, Ok),
    case("nap", "{}", Fault(&["wall"])),
    case("read_stdin", "{}", Says(&["0"])),
    case("watch_clock", "{}", TIME),
    case("await_often", "{}", Ok),
    case("await_often", r#"{"rounds":2}"#, Ok).with(Agrees),
    case("await_often", r#"{"rounds":2}"#, Ok).with(Refuses),
    case("await_often", r#"{"rounds":100000}"#, Cancelled).with(Cancels),
    case("ignore_cancel", "{}", Cancelled).with(Cancels),
    case("ignore_cancel_asking", "{}", Cancelled).with(Cancels),
    case("heed_cancel", "{}", Cancelled).with(Cancels),
    case("tidy_up", "{}", Cancelled).with(Cancels),
    case("panic_when_cancelled", "{}", Cancelled).with(Cancels),
    case("act_when_cancelled", r#"{"function":"display-widget.show"}"#, Cancelled).with(Cancels),
    case("act_while_reading", r#"{"approve":true,"write":true}"#, Ok).with(Agrees),
    case("act_while_reading", r#"{"approve":true,"write":true}"#, Failure("denied")).with(Refuses),
    case("act_when_approved", r#"{"approve":true}"#, Ok).with(Agrees),
];
