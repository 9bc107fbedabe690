//! Runs the examples of the library.

#[path = "../host/core/examples/agent.rs"]
mod agent;

#[path = "../host/core/examples/native_tool.rs"]
mod native_tool;

#[path = "../host/core/examples/own_model.rs"]
mod own_model;

#[path = "../host/core/examples/two_people.rs"]
mod two_people;

use footlight_tests::plugins;

#[tokio::test]
async fn an_agent_with_a_loop_of_its_own_calls_tools() {
    let said = agent::run(plugins::HELLO).await.expect("it runs");
    assert_eq!(said, r#"["Hello, Ada!","Hello, Grace!","Hello, Barbara!"]"#);
}

#[tokio::test]
async fn a_session_takes_any_model() {
    let said = own_model::run(plugins::HELLO).await.expect("it runs");
    assert_eq!(said, "I have greeted them.");
}

#[tokio::test]
async fn a_native_tool_is_called_beside_that_of_a_plugin() {
    let results = native_tool::run(plugins::HELLO).await.expect("it runs");
    assert_eq!(
        results,
        [
            r#"hello.greet: {"content":"Hello, Ada!"}"#,
            r#"dice.add: {"sum":6,"of":2}"#
        ]
    );
}

#[tokio::test]
async fn two_people_have_lists_of_their_own_also_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let lists = two_people::run(plugins::TODO, folder.path()).await;
    let [ada, bob] = lists.expect("it runs");
    assert!(
        ada.starts_with("ada: ") && ada.contains("oat milk") && !ada.contains("honey"),
        "{ada}"
    );
    assert!(
        bob.starts_with("bob: ") && bob.contains("honey") && !bob.contains("milk"),
        "{bob}"
    );
}

#[test]
fn an_agent_is_less_than_sixty_lines() {
    let source = include_str!("../host/core/examples/agent.rs");
    assert!(source.lines().count() < 60);
}
