//! Runs the examples of the library.

#[path = "../host/core/examples/agent.rs"]
mod agent;

#[path = "../host/core/examples/own_model.rs"]
mod own_model;

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

#[test]
fn an_agent_is_less_than_sixty_lines() {
    let source = include_str!("../host/core/examples/agent.rs");
    assert!(source.lines().count() < 60);
}
