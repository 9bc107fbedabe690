//! Assembles components from text, with the parts that all attackers share.

macro_rules! parts {
    ($($name:literal),+ $(,)?) => { &[$(($name, include_str!(concat!("../wat/", $name, ".inc.wat")))),+] };
}

const PARTS: &[(&str, &str)] = parts![
    "head", "calm", "realloc", "describe", "assess", "run", "main", "tail", "libc", "log",
];

/// Assembles a component from text in which a line `;; @include name` stands for `wat/name.inc.wat`.
pub(crate) fn assemble(name: &str, text: &str) -> Vec<u8> {
    let mut whole = String::new();
    include(text, &mut whole);
    wat::parse_str(&whole).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn include(text: &str, whole: &mut String) {
    for line in text.lines() {
        if let Some(name) = line.trim().strip_prefix(";; @include ") {
            let part = PARTS.iter().find(|(part, _)| *part == name);
            include(part.expect("a part that PARTS lists").1, whole);
        } else {
            whole.push_str(line);
            whole.push('\n');
        }
    }
}

/// Assembles a well-formed component with more definitions in front of it and in its core module.
pub(crate) fn assemble_around(name: &str, component: &str, module: &str) -> Vec<u8> {
    let text = format!(
        r#"(component
  {component}
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
    {module}
  )
  ;; @include main
)"#
    );
    assemble(name, &text)
}
