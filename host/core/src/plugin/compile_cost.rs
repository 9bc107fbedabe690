//! Bounds the work of the compiler for a hostile component, before it is compiled.
//!
//! A compiler's time and memory grow faster than the code: two kilobytes made for the purpose keep
//! it busy for ever. Its input is therefore bounded. The unit is a step, the cost of an average
//! instruction: 0.8 microseconds in a build with `opt-level = 1`. [`weights`] has what each instruction costs. A place
//! where control flow joins or splits costs one step more for each live value, because the compiler may
//! have to track each of them, and more the more such places there are before it.
//!
//! Invariant: one pass, in time linear in the size of the component.

mod weights;

use super::survey::InvalidPluginError;
use wasmparser::{
    BinaryReaderError, ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentTypeRef,
    CompositeInnerType, ElementItems, FuncValidator, FuncValidatorAllocations, FunctionBody,
    Operator, OperatorsReader, Parser, Payload, ValidPayload, Validator, WasmModuleResources,
};

/// The limits. Before instructions were weighed, CPython, the largest real component, needed a quarter of
/// each at most.
struct MaxCost;

impl MaxCost {
    /// Steps for one function.
    const FUNCTION: u64 = 2_000_000;
    /// Steps for all functions.
    const TOTAL: u64 = 100_000_000;
    /// Arguments and results of one function.
    const ARITY: u64 = 128;
    /// Variables of one function, its arguments included.
    const LOCALS: u64 = 10_000;
    /// Nested blocks.
    const NESTING: u64 = 5_000;
    /// Instances of modules and components, nested ones counted as often as they are instantiated.
    const INSTANCES: u64 = 1_000;
}

/// The steps that a component of any size can take ...
const BASE_STEPS: u64 = 4_000_000;

/// ... and those that it can take more for each of its bytes.
const STEPS_PER_BYTE: u64 = 16;

/// The cost of a function, a type or another part of a module.
const PART_COST: u64 = 500;

/// How many places where control flow splits make the next one cost a step more.
const SPLITS_PER_STEP: u64 = 64;

/// The cost of passing one value to or from a function.
const OPERAND_COST: u64 = 16;

/// Checks that a component can be compiled in bounded time and memory.
pub(crate) fn check(bytes: &[u8]) -> Result<(), InvalidPluginError> {
    let mut cost = CompileCost::new(bytes.len());
    let mut validator = Validator::new();
    let mut memory = FuncValidatorAllocations::default();
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(malformed)?;
        cost.section(&payload)?;
        if let ValidPayload::Func(function, body) =
            validator.payload(&payload).map_err(malformed)?
        {
            let mut function = function.into_validator(memory);
            cost.function(&mut function, &body)?;
            memory = function.into_allocations();
        }
    }
    Ok(())
}

/// The cost so far.
struct CompileCost {
    steps: u64,
    most_steps: u64,
    /// How many components each open component instantiates, the outermost first.
    open: Vec<u64>,
    /// The product over all levels of nesting.
    made: u64,
    /// How many modules a component instantiates.
    modules: u64,
}

impl CompileCost {
    fn new(bytes: usize) -> Self {
        let most_steps = BASE_STEPS + STEPS_PER_BYTE * bytes as u64;
        Self {
            steps: 0,
            most_steps: most_steps.min(MaxCost::TOTAL),
            open: Vec::new(),
            made: 1,
            modules: 1,
        }
    }

    /// Adds the cost of a section, before it is validated.
    fn section(&mut self, payload: &Payload<'_>) -> Result<(), InvalidPluginError> {
        let parts = match payload {
            Payload::Version { .. } => {
                self.open.push(0);
                1
            }
            Payload::End(_) => {
                let inner = self.open.pop().unwrap_or_default();
                self.made = self.made.saturating_mul(inner + 1);
                0
            }
            Payload::TypeSection(types) => {
                for group in types.clone() {
                    for kind in group.map_err(malformed)?.types() {
                        if let CompositeInnerType::Func(function) = &kind.composite_type.inner {
                            let arity = function.params().len() + function.results().len();
                            ensure_at_most(
                                "arguments and results of a function",
                                arity as u64,
                                MaxCost::ARITY,
                            )?;
                            // Trampolines are compiled for calls in both directions.
                            self.steps += 4 * OPERAND_COST * arity as u64;
                        }
                    }
                }
                types.count()
            }
            Payload::ElementSection(segments) => {
                for segment in segments.clone() {
                    self.steps += u64::from(match segment.map_err(malformed)?.items {
                        ElementItems::Functions(items) => items.count(),
                        ElementItems::Expressions(_, items) => items.count(),
                    });
                }
                segments.count()
            }
            Payload::InstanceSection(instances) => {
                self.modules += u64::from(instances.count());
                instances.count()
            }
            Payload::ComponentInstanceSection(instances) => {
                let mut makes = 0;
                for instance in instances.clone() {
                    let instance = instance.map_err(malformed)?;
                    makes += u64::from(matches!(instance, ComponentInstance::Instantiate { .. }));
                }
                if let Some(open) = self.open.last_mut() {
                    *open += makes;
                }
                instances.count()
            }
            // A component from outside could be chosen by the importer, so its cost is unknown.
            Payload::ComponentImportSection(imports) => {
                for import in imports.clone() {
                    if let ComponentTypeRef::Component(_) = import.map_err(malformed)?.ty {
                        return Err(handed_over());
                    }
                }
                imports.count()
            }
            Payload::ComponentAliasSection(aliases) => {
                for alias in aliases.clone() {
                    let alias = alias.map_err(malformed)?;
                    if let ComponentAlias::InstanceExport {
                        kind: ComponentExternalKind::Component,
                        ..
                    } = alias
                    {
                        return Err(handed_over());
                    }
                }
                aliases.count()
            }
            Payload::FunctionSection(functions) => functions.count(),
            Payload::ImportSection(imports) => imports.count(),
            Payload::ExportSection(exports) => exports.count(),
            Payload::GlobalSection(globals) => globals.count(),
            Payload::TableSection(tables) => tables.count(),
            Payload::DataSection(segments) => segments.count(),
            Payload::CoreTypeSection(types) => types.count(),
            Payload::ComponentTypeSection(types) => types.count(),
            Payload::ComponentCanonicalSection(functions) => functions.count(),
            Payload::ComponentExportSection(exports) => exports.count(),
            _ => 0,
        };
        self.steps += PART_COST * u64::from(parts);
        let instances = self.made.saturating_mul(self.modules);
        ensure_at_most(
            "instances of modules and components",
            instances,
            MaxCost::INSTANCES,
        )?;
        ensure_at_most("steps to compile", self.steps, self.most_steps)
    }

    /// Adds the cost of a function while it is validated, which yields the number of live values.
    fn function<R: WasmModuleResources>(
        &mut self,
        function: &mut FuncValidator<R>,
        body: &FunctionBody<'_>,
    ) -> Result<(), InvalidPluginError> {
        let mut reader = body.get_binary_reader();
        function.read_locals(&mut reader).map_err(malformed)?;
        let locals = u64::from(function.len_locals());
        ensure_at_most("variables in a function", locals, MaxCost::LOCALS)?;
        let mut operators = OperatorsReader::new(reader);
        let (mut steps, mut splits) = (PART_COST + locals, 0);
        while !operators.eof() {
            let at = operators.original_position();
            let operator = operators.read().map_err(malformed)?;
            let before = u64::from(function.operand_stack_height());
            function.op(at, &operator).map_err(malformed)?;
            let alive = before.max(u64::from(function.operand_stack_height()));
            let weight = weights::of(&operator);
            // Each place where control flow splits costs more, the more of them there are.
            steps += weight.steps + weight.splits * splits / SPLITS_PER_STEP;
            splits += weight.splits;
            steps += match operator {
                Operator::Block { .. }
                | Operator::Loop { .. }
                | Operator::If { .. }
                | Operator::Else => alive + locals,
                Operator::BrTable { targets } => (u64::from(targets.len()) + 1) * (1 + alive),
                Operator::Call { .. } | Operator::Return => OPERAND_COST * alive,
                Operator::Br { .. } | Operator::BrIf { .. } => alive,
                // Control flow splits around a call into the runtime and joins after it.
                _ if weight.splits > 0 => OPERAND_COST * alive + 2 * locals,
                _ => 0,
            };
            let nesting = u64::from(function.control_stack_height());
            ensure_at_most("blocks within each other", nesting, MaxCost::NESTING)?;
            ensure_at_most("steps to compile one function", steps, MaxCost::FUNCTION)?;
        }
        operators.finish().map_err(malformed)?;
        self.steps += steps;
        ensure_at_most("steps to compile", self.steps, self.most_steps)
    }
}

fn ensure_at_most(what: &'static str, count: u64, most: u64) -> Result<(), InvalidPluginError> {
    if count > most {
        return Err(InvalidPluginError::TooCostly { what, count, most });
    }
    Ok(())
}

fn handed_over() -> InvalidPluginError {
    InvalidPluginError::Malformed("it wants a component handed to it".to_owned())
}

fn malformed(error: BinaryReaderError) -> InvalidPluginError {
    InvalidPluginError::Malformed(error.message().to_owned())
}
