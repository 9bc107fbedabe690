//! Whatever plugins and models write: the whole card is on the last screen, and nothing else looks like
//! a row of it.

use super::*;
use crate::terminal::ui::Size;
use footlight::policy::Quote;
use std::num::NonZero;

/// The beginnings of the rows of a card.
pub(super) const FRAME: [char; 3] = ['┏', '┃', '┗'];

/// The beginning of a row of a card on a terminal without Unicode.
pub(super) const ASCII_FRAME: &str = "!#";

/// Texts that are long, padded, wide, invisible, or imitate the card.
pub(super) fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ \n]{0,200}",
        "(\n| )(┏━ APPROVAL NEEDED ━━|┃ what     nothing|┗ a.b: verdict \\[deny\\]: o){1,20}",
        "(\n| )(!#= APPROVAL NEEDED ==|!# what     nothing|!# a.b: verdict \\[deny\\]: o){1,20}",
        "[a┃\u{300}\u{200d}\u{fe0f}🎭👩\u{1f3fd}🇳🇴]{0,200}",
        "[a-z┃]{0,2000}",
        "[漢字┃]{0,300}",
        "([a-z]{1,12} ┃ ){0,200}",
        "(\u{1b}\\[2J|\u{1b}\\[1;1H|\r|\u{8}|\u{9b}H|┃ ){0,40}",
    ]
}

/// Writes everything that a plugin and a model can have written at a terminal.
pub(super) fn write_all(ui: &Ui, text: &str) {
    let views = || View::column(Lower::default().markdown(text));
    ui.show(OutStream::Stdout, &views()).expect("prints");
    for part in filter::clean(text).split_inclusive(' ') {
        ui.stream_text(part).expect("prints");
    }
    ui.finish_stream(&views()).expect("prints");
    ui.note(&filter::clean(text));
    ui.print(&filter::clean(text)).expect("prints");
    ui.progress(text);
    ui.end_partial_line();
}

pub(super) fn rows(written: &str, (columns, rows): Size) -> Vec<String> {
    let size = |n: usize| NonZero::new(u16::try_from(n).expect("small")).expect("not 0");
    let mut screen = vt100::Parser::new(size(rows), size(columns), 0);
    screen.process(written.replace('\n', "\r\n").as_bytes());
    let contents = screen.screen().contents();
    contents
        .lines()
        .map(|row| row.trim_end().to_owned())
        .collect()
}

proptest! {
    #[test]
    fn the_whole_card_is_on_the_last_screen_and_no_other_row_looks_like_it(
        said in hostile(),
        label in hostile(),
        subject in prop::option::of(hostile()),
        reason in hostile(),
        input in hostile(),
        details in hostile(),
        is_action in any::<bool>(),
    ) {
        for size in [(|| (80, 24)) as fn() -> Size, || (40, 24)] {
            let (ui, screen) = Ui::on_screen(size);
            write_all(&ui, &said);
            let terminal = PromptTerminal {
                input: Box::new(io::Cursor::new(String::new())),
                output: FoldingWriter::sized(Box::new(screen.clone()), Some(size)),
                secret: Box::new(|| Ok(String::new())),
                render: footlight_render::terminal::Terminal::new(size().0),
                hide: || Ok(None),
                edit: None,
                arm: Box::new(|| ()),
                size,
            };
            let mut person = Person::new(PreparedReplies::default(), Some(terminal));
            let field = json!([{ "name": "a", "type": "text", "label": label, "help": said }]);
            if let Ok(asked) = Question::parse(&said, field) {
                person.ask("demo", &asked).expect("asks");
            }
            let before = screen.text();
            prop_assert!(!before.contains(FRAME), "{}", before);
            prop_assert!(!before.contains(ASCII_FRAME), "{}", before);

            let mut request = wanted(&json!({ "text": input }));
            request.binding.action = is_action.then(|| "mail.deliver".to_owned());
            request.subject = subject.clone();
            request.details = Some(json!([details]));
            request.quotes.push(Quote::new("the plugin", reason.clone()));
            person.approve("mail", &request, FolderNaming::Elsewhere).expect("asks");
            // Up to where the person types.
            let written = screen.text();
            let prompt = "verdict [deny]: ";
            let end = written.rfind(prompt).expect("a prompt") + prompt.len();
            let written = &written[..end];
            let rows = rows(written, size());
            let text = rows.join("\n");
            let top = rows.iter().rposition(|row| row.starts_with('┏'));
            let Some(top) = top else { panic!("the first row has scrolled off:\n{text}") };
            prop_assert!(!rows[..top].iter().any(|row| row.starts_with(FRAME)), "{}", text);
            let card = &rows[top..];
            for row in &card[1..card.len() - 1] {
                prop_assert!(row.starts_with('┃'), "{}\n{}", row, text);
            }
            let what = if is_action { "┃ what     mail.deliver" } else { "┃ what     run mail.send" };
            prop_assert_eq!(card[1].as_str(), what);
            for label in ["┃ input ", "┃ by ", "┃ d  deny", "┃ v  view"] {
                prop_assert!(card.iter().any(|row| row.starts_with(label)), "{}", text);
            }
            prop_assert_eq!(card.last().map(String::as_str), Some("┗ mail.send: verdict [deny]:"));
        }
    }
}
