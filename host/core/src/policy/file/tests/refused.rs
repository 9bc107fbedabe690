//! Every mistake that a file can hold: where it is said to be, and what is said of it.

use super::*;

#[test]
fn what_is_not_understood_refuses_the_file_and_says_where_and_what_to_do() {
    let rule =
        "[[deny]]\nplugin = \"mail\"\nbuild = \"any\"\ntool = \"draft\"\nsubject = \"any\"\n";
    let with = |from: &str, to: &str| rule.replace(from, to);
    let digest = "9".repeat(63);
    let table: &[(String, (usize, usize), &str)] = &[
        (
            "levle = 1".into(),
            (1, 1),
            "unknown key `levle` in a rules file; it may have `level`, `ask`, `allow`, `deny`",
        ),
        (
            "level = \"ful\"".into(),
            (1, 9),
            "`ful` is not a value of `level`; write one of `deny`, `allowlist`, `full`",
        ),
        (
            "level = 3".into(),
            (1, 9),
            "`level` must be a string, not a value of type integer",
        ),
        (
            "ask = \"on_miss\"".into(),
            (1, 7),
            "`on_miss` is not a value of `ask`; write one of `off`, `on-miss`, `always`",
        ),
        (
            "ask = \"off\"\nask = \"off\"".into(),
            (2, 1),
            "not TOML: duplicate key",
        ),
        (
            "é = ".into(),
            (1, 1),
            "not TOML: invalid unquoted key, expected letters, numbers, `-`, `_`",
        ),
        (
            "deny = []".into(),
            (1, 8),
            "`deny` holds rules; write [[deny]] above each of them",
        ),
        (
            "deny = [{ plugin = \"mail\" }]".into(),
            (1, 9),
            "`deny` holds rules; write [[deny]] above each of them",
        ),
        (
            "[deny]".into(),
            (1, 1),
            "`deny` holds rules; write [[deny]] above each of them",
        ),
        (
            with("tool", "tol"),
            (4, 1),
            "unknown key `tol` in [[deny]]; it may have `plugin`, `build`, `tool`, `action`, `host`, `folder`, `secret`, `subject`, `path`, `mode`",
        ),
        (
            format!("{rule}level = \"full\"\n"),
            (6, 1),
            "`level` stands below [[deny]]; move it to the top",
        ),
        (
            with("plugin = \"mail\"\n", ""),
            (1, 1),
            "[[deny]] lacks `plugin`; add plugin = \"mail\"",
        ),
        (
            with("build = \"any\"\n", ""),
            (1, 1),
            "[[deny]] lacks `build`; add build = \"any\"",
        ),
        (
            with("subject = \"any\"\n", ""),
            (1, 1),
            "[[deny]] lacks `subject`; add subject = \"any\"",
        ),
        (
            with("tool = \"draft\"\n", ""),
            (1, 1),
            "[[deny]] does not say what it is about; add one of `tool`, `action`, `host`, `folder`, `secret`",
        ),
        (
            format!("{rule}host = \"a.example\"\n"),
            (6, 8),
            "a rule is about one thing, not `tool` and `host`; write two",
        ),
        (
            with("\"mail\"", "\"Mail\""),
            (2, 10),
            "`Mail` is not a valid plugin name; write it like \"mail\"",
        ),
        (
            with("\"mail\"", "\"*\""),
            (2, 10),
            "`*` is not a valid plugin name; write it like \"mail\"",
        ),
        (
            with("draft", "dr*"),
            (4, 8),
            "\"dr*\" is not a pattern; write one whole name, or `*` for every name",
        ),
        (
            with("draft", ""),
            (4, 8),
            "\"\" is not a pattern; write one whole name, or `*` for every name",
        ),
        (
            with("draft", "mail.draft"),
            (4, 8),
            "`mail.draft` is not a valid tool name; write it like \"draft\"",
        ),
        (
            with("tool = \"draft\"", "action = \"Send\""),
            (4, 10),
            "`Send` is not a valid action name; write it like \"mail.send\"",
        ),
        (
            with("tool = \"draft\"", "host = \"https://a.example\""),
            (4, 8),
            "`https://a.example` is not a valid host name; write it like \"api.example.com\"",
        ),
        (
            with("tool = \"draft\"", "host = \"*.a.example\""),
            (4, 8),
            "\"*.a.example\" is not a pattern; write one whole name, or `*` for every name",
        ),
        (
            with("tool = \"draft\"", "folder = \"data\""),
            (4, 10),
            "`data` is not a valid folder name; write it like \"/data\"",
        ),
        (
            with("tool = \"draft\"", "tool = \"draft\"\npath = \"/srv/ada\""),
            (5, 8),
            "`path` and `mode` belong to a rule that allows a `folder`; remove them",
        ),
        (
            with("tool = \"draft\"", "folder = \"/data\"\nmode = \"ro\""),
            (5, 8),
            "`path` and `mode` belong to a rule that allows a `folder`; remove them",
        ),
        (
            with("build = \"any\"", &format!("build = \"{digest}\"")),
            (3, 9),
            &format!(
                "`{digest}` is not a build; write \"any\", or \"sha256:\" and the 64 digits of a digest"
            ),
        ),
        (
            with("subject = \"any\"", "subject = \"bob\""),
            (5, 11),
            "`subject` must be \"any\", \"none\" or { exactly = \"...\" }",
        ),
        (
            with("subject = \"any\"", "subject = \"*\""),
            (5, 11),
            "`subject` must be \"any\", \"none\" or { exactly = \"...\" }",
        ),
        (
            with("subject = \"any\"", "subject.exactly = \"bob\""),
            (5, 1),
            "`subject` must be \"any\", \"none\" or { exactly = \"...\" }",
        ),
        (
            with("subject = \"any\"", "[deny.subject]\nexactly = \"bob\""),
            (5, 1),
            "`subject` must be \"any\", \"none\" or { exactly = \"...\" }",
        ),
        (
            with("subject = \"any\"", "subject = { like = \"bob\" }"),
            (5, 13),
            "unknown key `like` in `subject`; it may have `exactly`",
        ),
        (
            with("subject = \"any\"", "subject = {}"),
            (5, 11),
            "`subject` lacks `exactly`; add exactly = \"bob@example.com\"",
        ),
        (
            with("subject = \"any\"", "subject = { exactly = 1 }"),
            (5, 23),
            "`exactly` must be a string, not a value of type integer",
        ),
        (
            format!("\u{feff}{rule}\n{rule}"),
            (7, 1),
            "this rule stands on line 1 already; remove one",
        ),
    ];
    for (text, place, said) in table {
        let folder = Folder::holding(text);
        let error = RulesFile::open(folder.path()).expect_err(text);
        let shown = error.to_string();
        let RulesError::Invalid {
            line,
            column,
            message,
            ..
        } = error
        else {
            panic!("{text}: {shown}");
        };
        assert_eq!(
            (message.as_str(), (line, column)),
            (*said, *place),
            "{text}"
        );
        let (line, column) = place;
        let path = folder.path();
        let path = path.display();
        assert_eq!(
            shown,
            format!("`{path}`, line {line}, column {column}: {said}")
        );
    }
}
