//! Components that no compiler would emit: hand-written text in `wat/`, and generated ones here.
//!
//! Each file of `wat/` opens with what it attacks and what must
//! happen. A line `;; @include name` stands for `wat/name.inc.wat`, which has what all attackers share, so that
//! a file contains little but its attack. [`files`] assembles them.
//!
//! [`Attacker`] generates a component that returns given values from `describe`, `assess` and `run`,
//! for the attacks by data, which [`liars`] lists. [`heavy`] lists those on the compiler.

/// Components from text with shared parts.
mod assembly;

/// The memory of a guest, laid out by hand.
mod image;

/// Attacks on the compiler.
mod heavy;

/// Components that repeat one instruction.
mod opcodes;

/// Attacks by manifests, by declared memories, and by bytes that are not a component.
mod envelope;

/// Attacks by data.
mod liars;

pub(crate) use envelope::no_components;
pub(crate) use heavy::heavy;
pub(crate) use liars::liars;
pub(crate) use opcodes::opcodes;

use assembly::assemble;
use image::{Image, custom_sections, quoted};
use std::fmt::Write;

/// How an attack must end. In every case a benign call works at once afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Loads, describes itself and answers; whatever is wrong with it is corrected or left out.
    Fine,
    /// Loads and answers, or is refused: either is fine. It ends soon, and nothing is fetched.
    Either,
    /// Refused before any of its code runs, with a message that contains these words.
    Refused(&'static [&'static str]),
    /// Instantiation or `describe` ends as one of these faults.
    Load(&'static [&'static str]),
    /// `describe` returns, and the host refuses the description with a message that contains these words.
    Description(&'static [&'static str]),
    /// `assess` fails, which counts as a concern: a person decides, or the call is denied.
    Concern,
    /// A call of its tool `attack` ends as one of these faults.
    Run(&'static [&'static str]),
}

/// One hostile component.
#[derive(Clone)]
pub(crate) struct Attack {
    /// The file's name without its extension, or the generator's name for it.
    pub(crate) name: String,
    /// The bytes of the component or would-be component.
    pub(crate) component: Vec<u8>,
    /// How it must end.
    pub(crate) ends: Ends,
}

/// Omits the bytes.
impl std::fmt::Debug for Attack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

macro_rules! files {
    ($($name:literal => $ends:expr),+ $(,)?) => {
        &[$(($name, include_str!(concat!("wat/", $name, ".wat")), $ends)),+]
    };
}

const TRAP: Ends = Ends::Run(&["trap"]);
const TRAP_AT_LOAD: Ends = Ends::Load(&["trap"]);
const NO_FEATURE: Ends = Ends::Refused(&[]);

const FILES: &[(&str, &str, Ends)] = files![
    "calm" => Ends::Fine,
    "start_spins" => Ends::Load(&["cpu"]),
    "start_traps" => TRAP_AT_LOAD,
    "describe_spins" => Ends::Load(&["cpu"]),
    "describe_traps" => TRAP_AT_LOAD,
    "describe_forges_stage" => TRAP_AT_LOAD,
    "describe_list_lies" => Ends::Load(&["trap", "payload"]),
    "describe_list_misaligned" => TRAP_AT_LOAD,
    "describe_list_repeats" => Ends::Load(&["payload"]),
    "assess_spins" => Ends::Concern,
    "assess_forges_stage" => Ends::Concern,
    "realloc_spins" => Ends::Run(&["cpu"]),
    "realloc_lies" => TRAP,
    "post_return_spins" => Ends::Run(&["cpu"]),
    "run_spins_calling" => Ends::Run(&["cpu", "wall"]),
    "recurse" => Ends::Run(&["stack"]),
    "recurse_calling" => Ends::Run(&["stack"]),
    "memory_minimum" => Ends::Load(&["memory"]),
    "memory_grows" => Ends::Run(&["memory", "cpu"]),
    "table_minimum" => Ends::Load(&["memory"]),
    "table_grows" => Ends::Run(&["memory", "cpu"]),
    "handle_leak" => Ends::Run(&["handles", "cpu"]),
    "pollable_hoard" => Ends::Run(&["handles"]),
    "random_gib" => Ends::Run(&["payload", "memory", "trap"]),
    "argument_not_utf8" => TRAP,
    "argument_out_of_bounds" => TRAP,
    "argument_wraps" => TRAP,
    "argument_utf16_misaligned" => TRAP,
    "argument_utf16_lone_surrogate" => TRAP,
    "argument_latin1_lies" => TRAP,
    "result_misaligned" => TRAP,
    "result_out_of_bounds" => TRAP,
    "result_not_utf8" => TRAP,
    "result_string_out_of_bounds" => Ends::Run(&["trap", "payload"]),
    "result_bad_discriminant" => TRAP,
    "stage_kept" => TRAP,
    "stage_used_after_drop" => TRAP,
    "stage_forged" => TRAP,
    "chameleon" => Ends::Fine,
    "unknown_interface" => Ends::Refused(&["footlight:plugin/teleport"]),
    "unknown_function" => Ends::Refused(&["shout", "footlight:plugin/progress"]),
    "mistyped_import" => Ends::Refused(&["settings"]),
    "wasi_http" => Ends::Refused(&["wasi:http/outgoing-handler"]),
    "core_module" => Ends::Refused(&["component"]),
    "no_export" => Ends::Refused(&["footlight:plugin/tools"]),
    "export_lacks_run" => Ends::Refused(&["footlight:plugin/tools"]),
    "export_mistyped" => TRAP_AT_LOAD,
    "export_is_a_function" => Ends::Refused(&["footlight:plugin/tools"]),
    "another_contract" => Ends::Refused(&["0.9.0", "0.1"]),
    "stage_of_another_contract" => Ends::Refused(&["0.9.0", "0.1"]),
    "feature_shared_memory" => NO_FEATURE,
    "feature_memory64" => NO_FEATURE,
    "feature_gc" => NO_FEATURE,
    "feature_exceptions" => NO_FEATURE,
    "feature_tail_call" => NO_FEATURE,
];

/// Every component of `wat/`.
pub(crate) fn files() -> Vec<Attack> {
    FILES
        .iter()
        .map(|(name, text, ends)| Attack {
            name: (*name).to_owned(),
            component: assemble(name, text),
            ends: *ends,
        })
        .collect()
}

/// A tool as an [`Attacker`] describes it: any text in any member.
#[derive(Debug, Clone)]
pub(crate) struct Tool {
    /// The contract's `name`.
    pub(crate) name: String,
    /// The contract's `description`.
    pub(crate) description: String,
    /// The contract's `input-schema`.
    pub(crate) schema: String,
    /// The contract's `traits`.
    pub(crate) traits: String,
}

impl Tool {
    /// Returns a tool that is well formed except for its name.
    pub(crate) fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: "Attacks.".to_owned(),
            schema: r#"{"type":"object"}"#.to_owned(),
            traits: "{}".to_owned(),
        }
    }
}

/// What `run` of an [`Attacker`] returns, verbatim.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// `kind`, `data`, `summary`, `more`.
    Outcome(String, String, Option<String>, Option<String>),
    /// `code`, `message`, `details`.
    Failure(String, String, Option<String>),
}

/// What `assess` of an [`Attacker`] returns, verbatim.
#[derive(Debug, Clone)]
pub(crate) enum Weighed {
    /// No concern.
    Nothing,
    /// `subject`, `reason`.
    Concern(String, String),
    /// `code`, `message`, `details`.
    Failure(String, String, Option<String>),
}

/// A component that returns whatever it is given. The default one is well formed.
#[derive(Debug, Clone)]
pub(crate) struct Attacker {
    /// The tools that `describe` lists.
    pub(crate) tools: Vec<Tool>,
    /// The description's `more`.
    pub(crate) more: String,
    /// What `assess` returns.
    pub(crate) weighed: Weighed,
    /// What `run` returns.
    pub(crate) answer: Answer,
    /// Manifests at the top of the component, where `footlight pack` embeds one.
    pub(crate) manifests: Vec<Vec<u8>>,
    /// Manifests inside the core module, where the SDK embeds one.
    pub(crate) inner_manifests: Vec<Vec<u8>>,
    /// Number of additional core modules, and the pages of 64 KiB in the memory of each.
    pub(crate) memories: (usize, u32),
}

impl Default for Attacker {
    fn default() -> Self {
        Self {
            tools: vec![Tool::named("attack")],
            more: "{}".to_owned(),
            weighed: Weighed::Nothing,
            answer: Answer::Outcome("text".into(), r#"{"content":"done"}"#.into(), None, None),
            manifests: Vec::new(),
            inner_manifests: Vec::new(),
            memories: (0, 0),
        }
    }
}

impl Attacker {
    /// The component.
    pub(crate) fn component(&self) -> Vec<u8> {
        let mut memory = Image::default();
        let tools: Vec<u8> = self
            .tools
            .iter()
            .flat_map(|tool| [&tool.name, &tool.description, &tool.schema, &tool.traits])
            .flat_map(|text| memory.text(text))
            .collect();
        let mut description = memory.list(&tools, self.tools.len());
        description.extend(memory.text(&self.more));
        let describe = memory.put(&description);
        let weighed = memory.weighed(&self.weighed);
        let assess = memory.put(&weighed);
        let answered = memory.answer(&self.answer);
        let run = memory.put(&answered);

        let top = memory.bytes.len().next_multiple_of(1 << 16);
        // One more for the arguments.
        let pages = (top >> 16) + 1;
        let data = quoted(&memory.bytes);
        let sections = custom_sections(&self.manifests);
        let inner_sections = custom_sections(&self.inner_manifests);
        let mut more = String::new();
        for index in 0..self.memories.0 {
            // Writing to a string cannot fail.
            let _ = writeln!(
                more,
                "(core module $more{index} (memory {}))",
                self.memories.1
            );
            let _ = writeln!(more, "(core instance (instantiate $more{index}))");
        }
        let text = format!(
            r#"(component
  {sections}
  ;; @include head
  {more}
  (core module $attack
    (import "host" "drop" (func $drop (param i32)))
    (memory (export "memory") {pages})
    (data (i32.const 0) "{data}")
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (global.get $top))
      (global.set $top (i32.add (local.get $at) (i32.and (i32.add (local.get 3) (i32.const 7)) (i32.const -8))))
      (local.get $at))
    (global $top (mut i32) (i32.const {top}))
    (func (export "post") (param i32))
    (func (export "describe") (result i32) (i32.const {describe}))
    (func (export "assess") (param i32 i32 i32 i32) (result i32) (i32.const {assess}))
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32) (call $drop (local.get 0)) (i32.const {run}))
    {inner_sections}
  )
  ;; @include main
)"#
        );
        assemble("an attacker", &text)
    }
}
