//! What `--server` refuses, and what is wrong with a server that does not answer as it should.

use crate::machine::{Machine, ended, plugin};
use crate::serve::Served;

#[test]
fn what_is_up_to_the_server_is_refused_and_says_so() {
    let machine = Machine::new();
    let url = "http://127.0.0.1:9";
    let path = machine.file("todo.wasm", "");
    for (words, named) in [
        (&["--dir", "/data=docs"][..], "`--dir` is up to the server"),
        (
            &["--allow-net", "a.example"],
            "`--allow-net` is up to the server",
        ),
        (&["--secret", "token"], "`--secret` is up to the server"),
        (&["--model", "offline"], "`--model` is up to the server"),
        (&["--record", "file"], "`--record` is up to the server"),
        (
            &["--keep-outputs", "2h"],
            "`--keep-outputs` is up to the server",
        ),
        (&["--token-file", "absent"], "does not accept the token"),
        (&[], "there is no token for this server"),
    ] {
        for command in ["run", "chat"] {
            let mut all = vec![command, "--server", url];
            all.extend((command == "run").then_some("Hi"));
            all.extend_from_slice(words);
            let ran = machine.run(&all);
            let code = if words.first() == Some(&"--token-file") {
                1
            } else {
                2
            };
            assert_eq!(ran.code, Some(code), "{all:?}: {}", ran.stderr);
            assert!(ran.stderr.contains(named), "{all:?}: {}", ran.stderr);
        }
    }
    for words in [["run", &path, "Hi"], ["run", "plugins/todo", "Hi"]] {
        let mut all = words.to_vec();
        all.extend(["--server", url]);
        let ran = machine.run(&all);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains("is a path"), "{}", ran.stderr);
    }
    for url in ["7390", "http://192.0.2.1:7390", "http://127.0.0.1/api"] {
        let ran = machine.run(&["run", "Hi", "--server", url]);
        assert_eq!(ran.code, Some(2), "{url}: {}", ran.stderr);
        assert!(ran.stderr.contains("--server"), "{}", ran.stderr);
    }
    let path = machine.run(&["run", "Hi", "--server", url, "--session", "../grants"]);
    assert_eq!(path.code, Some(2), "{}", path.stderr);
    assert!(
        path.stderr.contains("not the id of a session"),
        "{}",
        path.stderr
    );
    let alone = machine.run(&["run", &plugin("todo"), "Hi", "--session", "ses_1"]);
    assert_eq!(alone.code, Some(2), "{}", alone.stderr);
}

#[test]
fn an_error_about_the_server_names_the_remedy() {
    let machine = Machine::new();
    let served = Served::start(&machine, &["todo", "gallery"], &[]);
    let url = served.url();
    let wrong = machine.file("token", &"0".repeat(64));
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&wrong, private).expect("is ours");
    for (words, code, said) in [
        (
            &["run", "Hi", "--token-file", &wrong][..],
            1,
            "--token-file",
        ),
        (&["run", "toodo", "Hi"], 2, "did you mean `todo`"),
        (
            &["run", "Hi", "--session", "ses_0"],
            2,
            "no session `ses_0`",
        ),
        (&["run", "todo", "Hi", "--session", "ses_0"], 2, "leave out"),
        (
            &["run", "/add title=a", "--answer", "x=1"],
            2,
            "PLUGIN.FIELD",
        ),
    ] {
        let mut all = words.to_vec();
        all.extend(["--server", &url]);
        let ran = machine.run(&all);
        assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
    }
    // A plugin by its id restricts the session to it.
    let only = machine.run(&["run", "todo", "/table", "--server", &url]);
    assert_eq!(only.code, Some(2), "{}{}", only.stdout, only.stderr);
    let json = machine.run(&["run", "todo", "/add title=Milk", "--server", &url, "--json"]);
    assert_eq!(json.code, Some(0), "{}", json.stderr);
    // The token in the environment, where no file has it.
    let token = served.token.clone();
    let elsewhere = Machine::new();
    let mut command = elsewhere.command(&["run", "todo", "/list", "--server", &url]);
    let listed = ended(
        command
            .env("FOOTLIGHT_TOKEN", &token)
            .output()
            .expect("runs"),
    );
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    assert!(
        listed.stderr.contains("Milk"),
        "{}{}",
        listed.stdout,
        listed.stderr
    );
    served.end();
    let mut gone = machine.command(&["run", "Hi", "--server", &url]);
    let gone = ended(gone.env("FOOTLIGHT_TOKEN", &token).output().expect("runs"));
    assert_eq!(gone.code, Some(1), "{}", gone.stderr);
    for said in ["no server answers", "footlight serve"] {
        assert!(gone.stderr.contains(said), "{}", gone.stderr);
    }
}

#[test]
fn a_program_that_is_no_server_of_this_version_is_told_apart() {
    use std::io::{Read as _, Write as _};
    let machine = Machine::new();
    for (answer, said) in [
        (
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            "none of this version",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 65\r\n\r\n{\"version\":\"9.9.9\",\"model\":{\"name\":\"m\"},\"person\":\"p\",\"may\":\"use\"}",
            "version 9.9.9",
        ),
    ] {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).expect("a request");
            stream.write_all(answer.as_bytes()).expect("is read");
        });
        let mut command = machine.command(&["run", "Hi", "--server", &url]);
        let ran = ended(command.env("FOOTLIGHT_TOKEN", "t").output().expect("runs"));
        server.join().expect("it answers");
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        for said in [said, "same version"] {
            assert!(ran.stderr.contains(said), "{}", ran.stderr);
        }
    }
}
