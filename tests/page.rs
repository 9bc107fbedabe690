//! The page of the server in a real browser.
//!
//! One browser and one server serve all scenarios, each in a session of its own: `talk` is about
//! conversations, `people` about questions, approvals and presses, `links` about links for one decision,
//! `connection` about tabs and restarts, `outside` about what leaves the page, `looks` about what is seen, by whom, and what a hostile plugin achieves,
//! `history` about conversations that are longer than what is shown, `dev` about the screens of a plugin that its author is working on.

mod connection;
mod dev;
mod history;
mod links;
mod looks;
mod outside;
mod people;
mod talk;

use footlight::Host;
use footlight::model::Script;
use footlight::store::{MemoryStore, Store};
use footlight_serve::{Identity, Permission, Server, Tokens};
use footlight_tests::browser::{Browser, Look};
use footlight_tests::plugins;
use footlight_tests::programs::program;
use footlight_tests::scripted_call::builder;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const WIDE: Look = Look {
    width: 1_280,
    dark: false,
};

/// What the model says and calls, by words of the prompt.
const SCRIPT: &str = include_str!("page/script.yaml");

/// A server, and the browser that shows its page.
struct Stage {
    browser: Browser,
    store: Arc<dyn Store>,
    address: SocketAddr,
    /// A token for what is done without the page.
    token: String,
    code: String,
    renderers: Option<tempfile::TempDir>,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
    _profile: tempfile::TempDir,
}

impl Stage {
    /// Starts both; none where there is no browser.
    async fn start() -> Option<Self> {
        let chromium = program("chromium", "install Debian's package `chromium`")?;
        let profile = tempfile::tempdir().expect("a folder");
        let mut stage = Self {
            browser: Browser::start(&chromium, profile.path()),
            store: Arc::new(MemoryStore::default()),
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            token: String::new(),
            code: String::new(),
            renderers: None,
            running: None,
            _profile: profile,
        };
        stage.serve().await;
        let url = format!("http://{}/#c={}", stage.address, stage.code);
        stage.browser.open(&url, WIDE);
        stage.until("document.querySelector('.home')");
        assert_eq!(stage.read("location.hash"), "", "the code is gone");
        Some(stage)
    }

    /// Starts a server over the store, at the address of the one before.
    async fn serve(&mut self) {
        let host: Host = builder()
            .store(Arc::clone(&self.store))
            .build()
            .expect("builds");
        for path in [plugins::WEATHER, plugins::TODO, plugins::GALLERY] {
            host.load(path).await.expect("loads");
        }
        let identity = Identity {
            person: "ada".to_owned(),
            may: Permission::Approve,
        };
        let mut tokens = Tokens::new(None).expect("no file");
        match self.token.as_str() {
            "" => self.token = tokens.mint(identity.clone()).expect("randomness"),
            // A server keeps the tokens of logins in a file; here the page uses this one after a restart.
            token => tokens.add(token, identity.clone()),
        }
        let model = Script::parse("page", SCRIPT).expect("a script");
        if self.address.port() == 0 {
            let free = std::net::TcpListener::bind(self.address).expect("a free port");
            self.address = free.local_addr().expect("has an address");
        }
        let mut server = Server::new(host, model, tokens)
            .keeps_rules_of("ada")
            .public_origin(format!("http://localhost:{}", self.address.port()));
        if let Some(folder) = &self.renderers {
            server = server.renderers(folder.path());
        }
        let server = server.bind(self.address).await.expect("the port is free");
        self.address = server.address();
        self.code = server.mint_code(identity).expect("randomness");
        server.resume("ada").await.expect("resumes");
        let (end, ended) = oneshot::channel::<()>();
        let task = tokio::spawn(server.run(async {
            let _ = ended.await;
        }));
        self.running = Some((end, task));
    }

    async fn stop(&mut self) {
        if let Some((end, task)) = self.running.take() {
            drop(end);
            task.await.expect("the server ends");
        }
    }

    fn until(&mut self, expression: &str) {
        self.browser.until(expression);
    }

    fn read(&mut self, expression: &str) -> Value {
        self.browser.evaluate(expression)
    }

    /// Carries statements out.
    fn run(&mut self, statements: &str) {
        self.browser
            .evaluate(&format!("(() => {{ {statements} }})(); 0"));
    }

    /// Clicks on the first element that a selector finds.
    fn click(&mut self, selector: &str) {
        let selector = serde_json::to_string(selector).expect("JSON");
        self.until(&format!("document.querySelector({selector})"));
        self.run(&format!("document.querySelector({selector}).click()"));
    }

    /// Clicks on the first button with this text.
    fn press(&mut self, text: &str) {
        let find = format!(
            "[...document.querySelectorAll('button')].find(button => button.textContent.trim() === '{text}')"
        );
        self.until(&format!("{find} && !{find}.disabled"));
        self.run(&format!("{find}.click()"));
    }

    /// Begins a session with a prompt.
    fn begin(&mut self, prompt: &str) {
        self.run("location.hash = '#/'");
        self.until("document.querySelector('.home textarea')");
        self.say(prompt);
        self.until("location.hash.startsWith('#/s/') && document.querySelector('.said')");
    }

    /// Sends a prompt.
    fn say(&mut self, prompt: &str) {
        let prompt = serde_json::to_string(prompt).expect("JSON");
        self.run(&format!(
            "const area = document.querySelector('textarea'); area.focus(); area.value = {prompt}; \
             area.dispatchEvent(new Event('input', {{ bubbles: true }})); \
             document.querySelector('.composer').requestSubmit()"
        ));
    }

    /// Waits for words in the conversation.
    fn sees(&mut self, words: &str) {
        let words = serde_json::to_string(words).expect("JSON");
        self.until(&format!(
            "document.querySelector('.log')?.innerText.includes({words})"
        ));
    }

    /// Waits for the end of the turn.
    fn ends(&mut self) {
        self.until(
            "document.querySelector('fl-conversation')?.session?.isRunning === false \
             && !document.querySelector('.send.stop')",
        );
    }

    fn log(&mut self) -> String {
        let text = self.read("document.querySelector('.log').innerText");
        text.as_str().expect("text").to_owned()
    }

    /// Returns the session on the screen.
    fn session(&mut self) -> String {
        let id = self.read("document.querySelector('fl-conversation').id");
        id.as_str().expect("an id").to_owned()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn people_use_the_page_in_a_real_browser() {
    let Some(mut stage) = Stage::start().await else {
        return;
    };
    talk::text_streams_and_widgets_stay(&mut stage);
    talk::a_live_widget_changes_in_place(&mut stage);
    talk::tables_diffs_and_code_have_their_tools(&mut stage);
    talk::a_turn_is_stopped_and_one_that_fails_is_tried_again(&mut stage);
    talk::reasoning_is_folded_with_its_time(&mut stage);
    talk::formulas_are_drawn(&mut stage);
    people::every_control_takes_an_answer(&mut stage);
    people::approvals_are_given_once_for_the_session_and_denied_with_words(&mut stage);
    people::cards_and_forms_are_pressed(&mut stage);
    people::the_keyboard_is_enough(&mut stage);
    people::what_waits_is_in_the_inbox_and_can_be_declined(&mut stage);
    links::a_link_decides_one_request_once(&mut stage);
    links::a_link_answers_one_question_and_the_record_says_who(&mut stage);
    connection::a_draft_survives_a_reload_and_a_secret_does_not(&mut stage);
    connection::where_sockets_fail_events_do(&mut stage);
    connection::two_tabs_stay_in_step(&mut stage);
    connection::an_output_that_has_expired_says_so(&mut stage).await;
    connection::sessions_are_renamed_found_and_deleted(&mut stage);
    history::earlier_turns_come_when_they_are_wanted_and_nothing_jumps(&mut stage);
    history::a_print_of_a_long_conversation_has_all_of_it_or_says_so(&mut stage);
    history::what_changes_in_an_earlier_turn_is_there_when_it_is_shown(&mut stage);
    history::turns_and_frames_that_cross_agree(&mut stage);
    history::a_running_call_shows_what_it_logs_and_folds_it_in_the_end(&mut stage);
    outside::a_person_who_looks_elsewhere_is_notified(&mut stage);
    outside::a_print_is_the_whole_conversation(&mut stage);
    outside::a_conversation_is_exported_as_a_file(&mut stage);
    outside::a_player_is_loaded_on_a_click_in_a_frame_of_its_own(&mut stage);
    looks::nothing_is_wider_than_the_window(&mut stage);
    looks::hostile_plugins_run_nothing_and_reach_nobody(&mut stage);
    looks::axe_finds_nothing(&mut stage);
    people::an_approval_for_ever_is_not_asked_again(&mut stage);
    connection::a_decision_elsewhere_after_a_restart_reaches_the_page(&mut stage).await;
    looks::the_documented_renderer_draws_the_weather(&mut stage);
    dev::a_tool_is_called_from_a_form_and_again_with_the_next_build(&mut stage).await;
    dev::tools_of_buttons_and_tools_without_fields_have_forms_too(&mut stage).await;
    stage.stop().await;
}
