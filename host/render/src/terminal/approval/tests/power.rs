//! Cards about folders and requests to hosts.

use super::*;

fn folder(named: Option<&str>) -> ApprovalCard {
    ApprovalCard {
        plugin: "files".to_owned(),
        tool: "search".to_owned(),
        action: None,
        is_critical: false,
        subject: None,
        power: Some(CardPower::Folder {
            guest_path: "/data".to_owned(),
            writable: true,
            asks_to_write: false,
            offered: Some("/people/ada/project/docs".to_owned()),
            named: named.map(str::to_owned),
        }),
        input: json!({ "text": "wasmtime" }),
        facts: Vec::new(),
        reasons: vec!["you have not granted it to this plugin".to_owned()],
        quotes: vec!["The files to search".to_owned()],
        details: None,
        options: vec![
            option("d", "deny; more words go to the model"),
            option("v", "view everything"),
        ],
        prompt: CardPrompt::OfferedFolder,
        ..clear()
    }
}

fn request() -> ApprovalCard {
    ApprovalCard {
        plugin: "mail".to_owned(),
        tool: "send".to_owned(),
        action: Some("mail.send".to_owned()),
        subject: None,
        power: Some(CardPower::Network {
            method: "POST".to_owned(),
            host: "api.mail.example:8443".to_owned(),
            url: "https://api.mail.example:8443/v1/send?to=ada".to_owned(),
            bytes: 1213,
            secrets: vec!["token".to_owned()],
        }),
        input: json!({}),
        facts: Vec::new(),
        quotes: Vec::new(),
        details: None,
        prompt: CardPrompt::Verdict,
        ..clear()
    }
}

#[test]
fn card_of_a_folder_says_who_wants_to_do_what_and_asks_for_the_folder() {
    assert_eq!(
        lines(&folder(None), 80).join("\n"),
        "\
┏━ APPROVAL NEEDED ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
┃ what     read, change and delete files in a folder of yours
┃ for      files, as /data
┃ offered  /people/ada/project/docs
┃ input    {\"text\":\"wasmtime\"}
┃ because  you have not granted it to this plugin
┃ by       files.search, build 3f2a9c81e0d4
┃ it says  > The files to search
┃ d  deny; more words go to the model
┃ v  view everything
┗ files.search: your folder [as offered]:"
    );
    let mut asks = folder(None);
    if let Some(CardPower::Folder { asks_to_write, .. }) = &mut asks.power {
        *asks_to_write = true;
    }
    let what = "what     read files in a folder of yours; asks before changes";
    assert!(lines(&asks, 80).join("\n").contains(what));
    let named = ApprovalCard {
        prompt: CardPrompt::Verdict,
        ..folder(Some("/mnt/real"))
    };
    let rows = lines(&named, 40).join("\n");
    assert!(rows.contains("\n┃ folder   /mnt/real\n"), "{rows}");
    assert!(!rows.contains("offered"), "{rows}");
    assert!(rows.ends_with("\n┗ verdict [deny]:"), "{rows}");
}

#[test]
fn card_of_a_request_shows_what_will_be_sent_and_where_to() {
    assert_eq!(
        lines(&request(), 80).join("\n"),
        "\
┏━ APPROVAL NEEDED, critical ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
┃ what     POST request to api.mail.example:8443
┃ url      https://api.mail.example:8443/v1/send?to=ada
┃ sends    1.2 KB
┃ secret   your token
┃ action   mail.send
┃ input    {}
┃ because  the running call requests your approval
┃ by       mail.send, build 3f2a9c81e0d4
┃ d  deny; more words go to the model
┃ o  once: this request only
┃ s  session: this subject, this build
┃ v  view everything
┗ mail.send: verdict [deny]:"
    );
    let full = Terminal::new(80).draw_approval_in_full(&request()).text;
    assert!(full.contains("┃ sends    1213 bytes\n"), "{full}");
}

fn power() -> impl Strategy<Value = CardPower> {
    let path = || prop_oneof![hostile(), "(/[a-z ]{1,30}){1,100}"];
    let folder = (
        path(),
        any::<bool>(),
        prop::option::of(path()),
        prop::option::of(path()),
    );
    let folder = folder.prop_map(|(guest_path, writable, offered, named)| CardPower::Folder {
        guest_path,
        writable,
        asks_to_write: writable,
        offered,
        named,
    });
    let host = prop_oneof![hostile(), "[a-z]{1,60}(\\.[a-z]{1,60}){1,4}"];
    let secrets = prop::collection::vec("[a-z_]{1,31}", 0..64);
    let network = ("[A-Z]{3,7}", host, hostile(), any::<u64>(), secrets);
    let network = network.prop_map(|(method, host, url, bytes, secrets)| CardPower::Network {
        method,
        host,
        url,
        bytes,
        secrets,
    });
    prop_oneof![folder, network]
}

proptest! {
    #[test]
    fn whatever_is_asked_for_the_card_of_a_power_fits_and_has_its_facts(
        base in card(),
        power in power(),
        asks_for_folder in any::<bool>(),
    ) {
        let card = ApprovalCard {
            subject: None,
            power: Some(power),
            prompt: if asks_for_folder { CardPrompt::Folder } else { CardPrompt::Verdict },
            ..base
        };
        for columns in [40, 80] {
            let rows = lines(&card, columns);
            let text = rows.join("\n");
            prop_assert!(rows.len() <= MAX_CARD_ROWS, "{} rows\n{}", rows.len(), text);
            for (n, row) in rows.iter().enumerate() {
                let wide: usize = row.chars().map(|c| c.width().unwrap_or(0)).sum();
                prop_assert!(wide < columns, "{} columns: {}", wide, row);
                prop_assert!(n == 0 || !row.chars().skip(1).any(|c| "┏┃┗━".contains(c)), "{}", row);
            }
            let labels: &[&str] = match &card.power {
                Some(CardPower::Network { .. }) => &["what", "url", "sends", "because", "by"],
                _ => &["what", "for", "because", "by"],
            };
            for label in labels {
                let begin = format!("┃ {label}");
                prop_assert!(rows.iter().any(|row| row.starts_with(&begin)), "no {}: {}", label, text);
            }
            prop_assert!(rows.last().is_some_and(|row| row.ends_with("[deny]:")), "{}", text);
        }
    }
}
