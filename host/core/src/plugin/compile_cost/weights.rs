//! What each instruction costs the compiler, in steps.
//!
//! Measured by the benchmark `compiler` of the tests, which repeats an instruction thousands of times in
//! functions of different sizes. An instruction that is listed nowhere weighs as much as a
//! vector instruction, so that a new one is not free.

use wasmparser::Operator;

/// The weight of an instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weight {
    /// The steps that it takes in a small function, without what depends on live values.
    pub(super) steps: u64,
    /// In how many places it makes control flow split.
    pub(super) splits: u64,
}

const fn steps(steps: u64) -> Weight {
    Weight { steps, splits: 0 }
}

const fn splitting(steps: u64, splits: u64) -> Weight {
    Weight { steps, splits }
}

/// Instructions that become nothing, or a constant.
const MOVE: Weight = steps(1);

/// Most instructions on integers.
const INTEGER: Weight = steps(2);

/// Division and rotation, which need certain registers, and checks.
const DIVISION: Weight = steps(10);

/// Loads, comparisons and conversions of floats.
const FLOAT: Weight = steps(10);

/// Arithmetic on floats. Results that are not a number get one representation, which takes a comparison
/// and a selection each.
const FLOAT_ARITHMETIC: Weight = steps(30);

/// Vector instructions, some of which become a dozen of the machine's.
const VECTOR: Weight = steps(40);

/// A reference to a function, which the runtime makes.
const REFERENCE: Weight = steps(40);

/// A direct call, without its operands: it saves registers.
const CALL: Weight = steps(10);

/// A branch or a return, without the values that live across it.
const BRANCH: Weight = steps(5);

/// The beginning of a block.
const BLOCK: Weight = splitting(10, 1);

/// The beginning of a loop, where a guest can be interrupted by the runtime.
const LOOP: Weight = splitting(80, 8);

/// An instruction that can become a call into the runtime, such as `memory.grow`: it saves every register,
/// with checks around it.
const RUNTIME_CALL: Weight = splitting(80, 2);

/// The same for several elements of a table, with checks of two ranges.
const TABLE_CALL: Weight = splitting(320, 8);

/// Returns the weight of an instruction.
pub(super) fn of(operator: &Operator<'_>) -> Weight {
    use Operator as O;
    match operator {
        O::Nop | O::Drop | O::End | O::Unreachable => MOVE,
        O::LocalGet { .. } | O::LocalSet { .. } | O::LocalTee { .. } => MOVE,
        O::I32Const { .. } | O::I64Const { .. } => MOVE,
        O::GlobalGet { .. } | O::GlobalSet { .. } => INTEGER,
        O::Select | O::TypedSelect { .. } => DIVISION,
        O::Block { .. } | O::If { .. } | O::Else | O::BrTable { .. } => BLOCK,
        O::Loop { .. } => LOOP,
        O::Br { .. } | O::BrIf { .. } | O::Return => BRANCH,
        O::Call { .. } => CALL,
        // A table fills its entries when they are first used, which the runtime does.
        O::CallIndirect { .. } | O::TableGet { .. } => RUNTIME_CALL,
        O::MemoryGrow { .. }
        | O::MemoryFill { .. }
        | O::MemoryCopy { .. }
        | O::MemoryInit { .. } => RUNTIME_CALL,
        O::DataDrop { .. } | O::ElemDrop { .. } | O::TableSet { .. } => DIVISION,
        O::TableGrow { .. } | O::TableFill { .. } | O::TableCopy { .. } | O::TableInit { .. } => {
            TABLE_CALL
        }
        O::MemorySize { .. } | O::TableSize { .. } => INTEGER,
        O::RefNull { .. } | O::RefIsNull => INTEGER,
        O::RefFunc { .. } => REFERENCE,
        other => number(other),
    }
}

/// Returns the weight of an instruction on numbers.
fn number(operator: &Operator<'_>) -> Weight {
    use Operator as O;
    match operator {
        O::I32DivS
        | O::I32DivU
        | O::I32RemS
        | O::I32RemU
        | O::I64DivS
        | O::I64DivU
        | O::I64RemS
        | O::I64RemU
        | O::I32Rotl
        | O::I32Rotr
        | O::I64Rotl
        | O::I64Rotr => DIVISION,
        O::I32Load { .. }
        | O::I32Load8S { .. }
        | O::I32Load8U { .. }
        | O::I32Load16S { .. }
        | O::I32Load16U { .. }
        | O::I64Load { .. }
        | O::I64Load8S { .. }
        | O::I64Load8U { .. }
        | O::I64Load16S { .. }
        | O::I64Load16U { .. }
        | O::I64Load32S { .. }
        | O::I64Load32U { .. }
        | O::I32Store { .. }
        | O::I32Store8 { .. }
        | O::I32Store16 { .. }
        | O::I64Store { .. }
        | O::I64Store8 { .. }
        | O::I64Store16 { .. }
        | O::I64Store32 { .. } => INTEGER,
        O::I32Eqz | O::I32Eq | O::I32Ne | O::I64Eqz | O::I64Eq | O::I64Ne => INTEGER,
        O::I32LtS | O::I32LtU | O::I32GtS | O::I32GtU => INTEGER,
        O::I32LeS | O::I32LeU | O::I32GeS | O::I32GeU => INTEGER,
        O::I64LtS | O::I64LtU | O::I64GtS | O::I64GtU => INTEGER,
        O::I64LeS | O::I64LeU | O::I64GeS | O::I64GeU => INTEGER,
        O::I32Clz | O::I32Ctz | O::I32Popcnt | O::I64Clz | O::I64Ctz | O::I64Popcnt => INTEGER,
        O::I32Add | O::I32Sub | O::I32Mul | O::I64Add | O::I64Sub | O::I64Mul => INTEGER,
        O::I32And | O::I32Or | O::I32Xor | O::I64And | O::I64Or | O::I64Xor => INTEGER,
        O::I32Shl | O::I32ShrS | O::I32ShrU | O::I64Shl | O::I64ShrS | O::I64ShrU => INTEGER,
        O::I32WrapI64 | O::I64ExtendI32S | O::I64ExtendI32U => INTEGER,
        O::I32Extend8S | O::I32Extend16S => INTEGER,
        O::I64Extend8S | O::I64Extend16S | O::I64Extend32S => INTEGER,
        other => float(other),
    }
}

/// Returns the weight of an instruction on floats or vectors.
fn float(operator: &Operator<'_>) -> Weight {
    use Operator as O;
    match operator {
        O::F32Const { .. } | O::F64Const { .. } => FLOAT,
        O::F32Load { .. } | O::F64Load { .. } | O::F32Store { .. } | O::F64Store { .. } => FLOAT,
        O::F32Eq | O::F32Ne | O::F32Lt | O::F32Gt | O::F32Le | O::F32Ge => FLOAT,
        O::F64Eq | O::F64Ne | O::F64Lt | O::F64Gt | O::F64Le | O::F64Ge => FLOAT,
        O::F32Abs | O::F32Neg | O::F32Copysign | O::F64Abs | O::F64Neg | O::F64Copysign => FLOAT,
        O::I32ReinterpretF32 | O::I64ReinterpretF64 => FLOAT,
        O::F32ReinterpretI32 | O::F64ReinterpretI64 => FLOAT,
        O::F32ConvertI32S | O::F32ConvertI32U | O::F32ConvertI64S | O::F32ConvertI64U => FLOAT,
        O::F64ConvertI32S | O::F64ConvertI32U | O::F64ConvertI64S | O::F64ConvertI64U => FLOAT,
        O::I32TruncF32S | O::I32TruncF32U | O::I32TruncF64S | O::I32TruncF64U => FLOAT,
        O::I64TruncF32S | O::I64TruncF32U | O::I64TruncF64S | O::I64TruncF64U => FLOAT,
        O::I32TruncSatF32S | O::I32TruncSatF32U | O::I32TruncSatF64S => FLOAT,
        O::I32TruncSatF64U | O::I64TruncSatF32S | O::I64TruncSatF32U => FLOAT,
        O::I64TruncSatF64S | O::I64TruncSatF64U => FLOAT,
        O::F32Ceil | O::F32Floor | O::F32Trunc | O::F32Nearest | O::F32Sqrt => FLOAT_ARITHMETIC,
        O::F64Ceil | O::F64Floor | O::F64Trunc | O::F64Nearest | O::F64Sqrt => FLOAT_ARITHMETIC,
        O::F32Add | O::F32Sub | O::F32Mul | O::F32Div | O::F32Min | O::F32Max => FLOAT_ARITHMETIC,
        O::F64Add | O::F64Sub | O::F64Mul | O::F64Div | O::F64Min | O::F64Max => FLOAT_ARITHMETIC,
        O::F32DemoteF64 | O::F64PromoteF32 => FLOAT_ARITHMETIC,
        _ => VECTOR,
    }
}
