//! Components that repeat one instruction, for what each instruction costs the compiler.

use super::assembly::assemble_around;
use std::fmt::Write;

/// What instructions refer to.
const DEFINITIONS: &str = r#"
    (table $t 10 100 funcref)
    (global $g (mut i32) (i32.const 0))
    (global $v (mut v128) (v128.const i64x2 0 0))
    (type $none (func))
    (type $many (func (param i64 i64 i64 i64 i64 i64 i64 i64) (result i64 i64 i64 i64)))
    (func $empty (type $none))
    (func $eight (type $many) local.get 0 local.get 1 local.get 2 local.get 3)
    (elem $e declare func $empty)
    (elem $p func $empty)
    (data $d "x")
"#;

/// One instruction, with what it takes and returns.
#[derive(Debug, Clone)]
pub(crate) struct Opcode {
    /// The instruction, with its immediates.
    pub(crate) text: String,
    takes: Vec<Type>,
    returns: Option<Type>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    I32,
    I64,
    F32,
    F64,
    V128,
}

use Type::{F32, F64, I32, I64, V128};

impl Type {
    /// Makes an operand of the variable, whose value is never known to the compiler.
    fn operand(self) -> &'static str {
        match self {
            I32 => "local.get 0",
            I64 => "local.get 0 i64.extend_i32_u",
            F32 => "local.get 0 f32.reinterpret_i32",
            F64 => "local.get 0 i64.extend_i32_u f64.reinterpret_i64",
            V128 => "local.get 0 i32x4.splat",
        }
    }

    /// Adds a result to the variable, so that it is needed.
    fn result(self) -> &'static str {
        match self {
            I32 => "",
            I64 => "i32.wrap_i64",
            F32 => "i32.reinterpret_f32",
            F64 => "i64.reinterpret_f64 i32.wrap_i64",
            V128 => "i32x4.extract_lane 0",
        }
    }
}

impl Opcode {
    fn new(text: impl Into<String>, takes: &[Type], returns: Option<Type>) -> Self {
        Self {
            text: text.into(),
            takes: takes.to_vec(),
            returns,
        }
    }

    /// Returns a component with this many functions, each of which repeats the instruction this often.
    pub(crate) fn component(&self, functions: usize, count: usize) -> Vec<u8> {
        let mut unit = String::new();
        for taken in &self.takes {
            unit.push_str(taken.operand());
            unit.push(' ');
        }
        unit.push_str(&self.text);
        if let Some(returned) = self.returns {
            // Writing to a string cannot fail.
            let _ = write!(
                unit,
                " {} local.get 0 i32.xor local.set 0",
                returned.result()
            );
        }
        unit.push('\n');
        let function = format!(
            "(func (param i32) (result i32) (local v128) {} local.get 0)\n",
            unit.repeat(count)
        );
        let module = format!("{DEFINITIONS}{}", function.repeat(functions));
        assemble_around(&self.text, "", &module)
    }
}

/// Returns the instructions of every class, at least one of each that is compiled differently.
pub(crate) fn opcodes() -> Vec<Opcode> {
    let mut all = Vec::new();
    let mut add = |names: &str, takes: &[Type], returns: Option<Type>| {
        let names = names.split_whitespace();
        all.extend(names.map(|name| Opcode::new(name, takes, returns)));
    };
    for (of, name) in [(I32, "i32"), (I64, "i64")] {
        let named = |names: &str| prefixed(name, names);
        add(
            &named("clz ctz popcnt extend8_s extend16_s"),
            &[of],
            Some(of),
        );
        add(&named("eqz"), &[of], Some(I32));
        add(
            &named("add mul div_s div_u rem_s rem_u and shl shr_s rotl"),
            &[of, of],
            Some(of),
        );
        add(&named("eq lt_s ge_u"), &[of, of], Some(I32));
        add(&named("load load8_s load16_u"), &[I32], Some(of));
        add(&named("store store8"), &[I32, of], None);
        add(
            &named("trunc_f32_s trunc_f32_u trunc_sat_f32_s trunc_sat_f32_u"),
            &[F32],
            Some(of),
        );
        add(
            &named("trunc_f64_s trunc_f64_u trunc_sat_f64_s trunc_sat_f64_u"),
            &[F64],
            Some(of),
        );
    }
    for (of, name) in [(F32, "f32"), (F64, "f64")] {
        let named = |names: &str| prefixed(name, names);
        add(
            &named("abs neg ceil floor trunc nearest sqrt"),
            &[of],
            Some(of),
        );
        add(
            &named("add sub mul div min max copysign"),
            &[of, of],
            Some(of),
        );
        add(&named("eq lt ge"), &[of, of], Some(I32));
        add(&named("load"), &[I32], Some(of));
        add(&named("store"), &[I32, of], None);
        add(&named("convert_i32_s convert_i32_u"), &[I32], Some(of));
        add(&named("convert_i64_s convert_i64_u"), &[I64], Some(of));
    }
    add("f64.promote_f32", &[F32], Some(F64));
    add("f32.demote_f64", &[F64], Some(F32));
    for shape in ["i8x16", "i16x8", "i32x4", "i64x2"] {
        let named = |names: &str| prefixed(shape, names);
        add(&named("abs neg"), &[V128], Some(V128));
        add(&named("add sub eq gt_s"), &[V128, V128], Some(V128));
        add(&named("shl shr_s shr_u"), &[V128, I32], Some(V128));
        add(&named("all_true bitmask"), &[V128], Some(I32));
        if shape != "i8x16" {
            add(&named("mul"), &[V128, V128], Some(V128));
            let half = match shape {
                "i16x8" => "i8x16",
                "i32x4" => "i16x8",
                _ => "i32x4",
            };
            add(
                &named(&format!("extend_low_{half}_s extend_high_{half}_u")),
                &[V128],
                Some(V128),
            );
            add(
                &named(&format!("extmul_low_{half}_s extmul_high_{half}_u")),
                &[V128, V128],
                Some(V128),
            );
        }
        if shape != "i64x2" {
            add(&named("lt_u ge_u min_s max_u"), &[V128, V128], Some(V128));
        }
    }
    add(
        "i8x16.swizzle i8x16.add_sat_s i8x16.sub_sat_u i8x16.avgr_u i16x8.q15mulr_sat_s \
         i32x4.dot_i16x8_s i8x16.narrow_i16x8_s i16x8.narrow_i32x4_u v128.andnot v128.xor",
        &[V128, V128],
        Some(V128),
    );
    add(
        "i8x16.popcnt v128.not i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u \
         i32x4.trunc_sat_f64x2_s_zero i32x4.trunc_sat_f64x2_u_zero f32x4.convert_i32x4_s f32x4.convert_i32x4_u \
         f64x2.convert_low_i32x4_u f32x4.demote_f64x2_zero f64x2.promote_low_f32x4 \
         i16x8.extadd_pairwise_i8x16_s i32x4.extadd_pairwise_i16x8_u",
        &[V128],
        Some(V128),
    );
    for shape in ["f32x4", "f64x2"] {
        let named = |names: &str| prefixed(shape, names);
        add(&named("abs neg ceil nearest sqrt"), &[V128], Some(V128));
        add(
            &named("add mul div min max pmin pmax lt"),
            &[V128, V128],
            Some(V128),
        );
    }
    add("v128.bitselect", &[V128, V128, V128], Some(V128));
    add("v128.any_true", &[V128], Some(I32));
    add(
        "v128.load v128.load8x8_s v128.load32_splat v128.load64_zero",
        &[I32],
        Some(V128),
    );
    add("v128.store", &[I32, V128], None);
    let more: Vec<(&str, &[Type], Option<Type>)> = vec![
        ("nop", &[], None),
        (
            "i8x16.shuffle 0 17 2 19 4 21 6 23 8 25 10 27 12 29 14 31",
            &[V128, V128],
            Some(V128),
        ),
        ("v128.const i64x2 123456789 987654321", &[], Some(V128)),
        ("v128.load8_lane 3", &[I32, V128], Some(V128)),
        ("i8x16.replace_lane 3", &[V128, I32], Some(V128)),
        ("i16x8.extract_lane_s 3", &[V128], Some(I32)),
        ("f64.const 1.25", &[], Some(F64)),
        ("memory.size", &[], Some(I32)),
        ("memory.grow", &[I32], Some(I32)),
        ("memory.fill", &[I32, I32, I32], None),
        ("memory.copy", &[I32, I32, I32], None),
        ("memory.init $d", &[I32, I32, I32], None),
        ("data.drop $d", &[], None),
        ("table.size $t", &[], Some(I32)),
        ("ref.null func local.get 0 table.grow $t", &[], Some(I32)),
        ("local.get 0 table.get $t ref.is_null", &[], Some(I32)),
        ("local.get 0 ref.null func table.set $t", &[], None),
        ("local.get 0 ref.func $empty table.set $t", &[], None),
        (
            "local.get 0 ref.null func local.get 0 table.fill $t",
            &[],
            None,
        ),
        ("table.copy $t $t", &[I32, I32, I32], None),
        ("table.init $t $p", &[I32, I32, I32], None),
        ("elem.drop $p", &[], None),
        ("global.get $g", &[], Some(I32)),
        ("global.set $g", &[I32], None),
        ("global.set $v", &[V128], None),
        ("call $empty", &[], None),
        ("call $drop", &[I32], None),
        ("call $eight drop drop drop", &[I64; 8], Some(I64)),
        ("call_indirect $t (type $none)", &[I32], None),
        (
            "call_indirect $t (type $many) drop drop drop",
            &[I64, I64, I64, I64, I64, I64, I64, I64, I32],
            Some(I64),
        ),
        ("select", &[I32, I32, I32], Some(I32)),
        ("select", &[V128, V128, I32], Some(V128)),
        ("local.tee 0", &[I32], Some(I32)),
        ("(block (br_if 0 (local.get 0)))", &[], None),
        ("(block br 0)", &[], None),
        ("(loop)", &[], None),
        ("(loop (br_if 0 (local.get 0)))", &[], None),
        ("(if (local.get 0) (then))", &[], None),
        (
            "(if (result i32) (local.get 0) (then (i32.const 1)) (else (i32.const 2)))",
            &[],
            Some(I32),
        ),
        (
            "(block (block (block (br_table 0 1 2 (local.get 0)))))",
            &[],
            None,
        ),
        (
            "(if (local.get 0) (then (return (i32.const 1))))",
            &[],
            None,
        ),
        ("(if (local.get 0) (then unreachable))", &[], None),
        ("(block unreachable)", &[], None),
    ];
    let more = more.into_iter();
    all.extend(more.map(|(text, takes, returns)| Opcode::new(text, takes, returns)));
    all
}

/// Prefixes each of the names with a type.
fn prefixed(name: &str, operations: &str) -> String {
    let operations = operations.split_whitespace();
    operations
        .map(|operation| format!("{name}.{operation} "))
        .collect()
}
