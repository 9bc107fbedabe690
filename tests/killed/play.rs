//! The session that is killed: what the person does, what the model answers, and the expected calls.
//!
//! Nothing is held in memory. The next turn follows from the number of turns in the store, and the
//! model's answer from its request, so that any process can resume where another one died.

use footlight::model::{Message, Model, Part, Request, Step};
use footlight::session::{Session, Turn};
use footlight::vocabulary::item::{Content, Item, Widget};
use footlight_tests::scripted_session::{Answer, Scripted, calls, press, says};
use serde_json::{Value, json};

/// The start of a turn.
pub(super) enum Begins {
    /// A prompt, and the model's answers step by step.
    Prompt(&'static str, fn() -> Vec<Answer>),
    /// A press: the widget's type, the tool, and the form values.
    Press(&'static str, &'static str, fn() -> Value),
    /// A press that the model answers with these words.
    Answered(&'static str, &'static str, &'static str),
}

/// The turns.
pub(super) const PLAY: [Begins; 7] = [
    Begins::Prompt("Look around", || {
        // Concurrent calls; two of them show something.
        let look = calls([
            ("hello__greet", json!({ "name": "Ada" })),
            ("todo__list", json!({ "filter": "all" })),
            ("gallery__card", json!({})),
            ("hello__greet", json!({ "name": "Bea" })),
        ]);
        vec![look, says("This is all.")]
    }),
    Begins::Prompt("Fill my list", || {
        let fill = calls([
            ("todo__add", json!({ "title": "milk" })),
            ("todo__add", json!({ "title": "bread" })),
        ]);
        vec![fill, says("Two things.")]
    }),
    // The card of the first turn is replaced in place.
    Begins::Press("todo-list", "add", || json!({ "title": "honey" })),
    Begins::Prompt("Clear my list", || {
        // The first needs approval before it runs, the second while it runs.
        let clear = calls([
            ("gallery__strike", json!({})),
            ("todo__clear", json!({ "what": "everything" })),
            ("hello__greet", json!({ "name": "Cyd" })),
        ]);
        vec![clear, says("Gone.")]
    }),
    Begins::Prompt("The weather in Springfield", || {
        // The guest asks which city is meant, and waits.
        let look_up = calls([
            (
                "weather__forecast",
                json!({ "city": "Springfield", "days": 1 }),
            ),
            ("gallery__outputs", json!({})),
        ]);
        vec![look_up, says("Mild.")]
    }),
    // Shows a new card in place of the old one, then asks.
    Begins::Answered("gallery-card", "prompt", "On with the show."),
    Begins::Prompt("And tea", || {
        vec![
            calls([("todo__add", json!({ "title": "tea" }))]),
            // Says that it only reads, is approved while it runs, writes, and asks.
            calls([(
                "rogue__act_while_reading",
                json!({ "approve": true, "write": true }),
            )]),
            calls([("todo__list", json!({ "filter": "all" }))]),
            says("Tea it is."),
        ]
    }),
];

/// A call that the play must make exactly once.
pub(super) struct Made {
    pub(super) turn: u32,
    pub(super) function: &'static str,
    /// Whether it only reads: then it is run again and a kill leaves no trace.
    pub(super) reads: bool,
    /// Numbers of widgets and outputs after it when it has succeeded.
    pub(super) shows: (usize, usize),
}

/// The calls in the order of the record.
pub(super) const CALLS: [Made; 16] = [
    made(1, "hello.greet", true, (0, 0)),
    made(1, "todo.list", true, (1, 0)),
    made(1, "gallery.card", true, (1, 0)),
    made(1, "hello.greet", true, (0, 0)),
    made(2, "todo.add", false, (1, 0)),
    made(2, "todo.add", false, (1, 0)),
    made(3, "todo.add", false, (0, 0)),
    made(4, "gallery.strike", false, (1, 0)),
    made(4, "todo.clear", false, (1, 0)),
    made(4, "hello.greet", true, (0, 0)),
    made(5, "weather.forecast", true, (1, 0)),
    made(5, "gallery.outputs", false, (0, 4)),
    made(6, "gallery.prompt", false, (0, 0)),
    made(7, "todo.add", false, (1, 0)),
    made(7, LIAR, false, (0, 0)),
    made(7, "todo.list", true, (1, 0)),
];

/// The tool that says that it only reads.
pub(super) const LIAR: &str = "rogue.act_while_reading";

const fn made(turn: u32, function: &'static str, reads: bool, shows: (usize, usize)) -> Made {
    Made {
        turn,
        function,
        reads,
        shows,
    }
}

/// Number of texts of the model at the end.
pub(super) const TEXTS: usize = 6;

/// A model whose answer depends only on its request.
pub(super) struct Steady;

impl Model for Steady {
    fn name(&self) -> &str {
        "steady"
    }

    fn step(&self, request: Request) -> Step {
        let is_prompt = |message: &Message| matches!(message, Message::Person { .. });
        let messages = &request.messages;
        let last = messages.iter().rposition(is_prompt).expect("a prompt");
        let Message::Person { content } = &messages[last] else {
            unreachable!("it was found as one");
        };
        let steps = messages[last..].iter();
        let steps = steps.filter(|message| matches!(message, Message::Model { .. }));
        let answer = script(content.last()).into_iter().nth(steps.count());
        let answer = answer.expect("it is not asked again after its last word");
        Scripted::new([answer]).step(request)
    }
}

/// Returns the answers to a prompt.
fn script(prompt: Option<&Part>) -> Vec<Answer> {
    let of = |begins: &Begins| match begins {
        Begins::Prompt(words, script) => {
            let said = matches!(prompt, Some(Part::Text { text }) if text == words);
            said.then(script)
        }
        Begins::Press(..) => None,
        Begins::Answered(_, tool, words) => {
            let line = format!("[action:gallery.{tool}] ");
            let said = matches!(prompt, Some(Part::Text { text }) if text.starts_with(&line));
            // The first step is the press itself.
            said.then(|| vec![says("never"), says(words)])
        }
    };
    let mut found = PLAY.iter().filter_map(of);
    found.next().expect("a prompt of the play")
}

impl Begins {
    /// Begins the turn.
    pub(super) fn begin(&self, session: &Session) -> Turn {
        match self {
            Self::Prompt(words, _) => session.turn(*words).expect("no other turn goes on"),
            Self::Press(widget, tool, values) => {
                let items = session.items();
                let press = press(shown(&items, widget).0, tool, values());
                session.press(press).expect("it can be pressed")
            }
            Self::Answered(widget, tool, _) => {
                let items = session.items();
                let press = press(shown(&items, widget).0, tool, json!({}));
                let turn = session.press_and_answer(press);
                turn.expect("it can be pressed")
            }
        }
    }
}

/// Returns the first widget of this type.
pub(super) fn shown<'a>(items: &'a [Item], widget: &str) -> (&'a Item, &'a Widget) {
    let of_type = |item: &'a Item| match &item.content {
        Content::Widget(shown) if shown.widget == widget => Some((item, shown)),
        _ => None,
    };
    let mut found = items.iter().filter_map(of_type);
    found.next().expect("only reading shows it, so it is there")
}
