//! Where a server listens, under which names, with TLS, and for which other sites.

use super::*;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::io::ErrorKind;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

fn server() -> (Server, String) {
    let mut tokens = Tokens::new(None).expect("no file");
    let person = "ada".to_owned();
    let may = Permission::Approve;
    let token = tokens.mint(Identity { person, may }).expect("randomness");
    let host = builder().build().expect("builds");
    (Server::new(host, Scripted::new([]), tokens), token)
}

#[tokio::test]
async fn beyond_loopback_a_server_needs_tls_or_permission_to_do_without_and_a_name() {
    let open = |server: Server| async { server.bind("0.0.0.0:0").await.map(|it| it.address()) };
    for refused in [
        server().0,
        server().0.name("tools.example"),
        server().0.allow_unencrypted(),
    ] {
        let refused = open(refused).await.expect_err("it is refused");
        assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
    }
    let (server, token) = server();
    let server = server.allow_unencrypted().name("tools.example:7390");
    let server = server.bind("0.0.0.0:0").await.expect("binds");
    let port = server.address().port();
    let task = tokio::spawn(server.run(std::future::pending()));
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let client = |host: &str| {
        let client = Client::new(address, Some(&token)).without_host();
        client.with(format!("Host: {host}"))
    };
    let own = client("tools.example:7390").get("/api/sessions").await;
    assert_eq!(own.status, 200, "{}", own.body);
    for other in [
        &address.to_string(),
        "localhost",
        "tools.example",
        "other.example:7390",
    ] {
        assert_eq!(
            client(other).get("/api/sessions").await.status,
            403,
            "{other}"
        );
    }
    task.abort();
}

#[tokio::test]
async fn with_tls_the_server_speaks_https_alone_and_its_origin_says_so() {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["tools.example".to_owned()]).expect("a certificate");
    let folder = tempfile::tempdir().expect("a folder");
    let (certificate, key) = (folder.path().join("c.pem"), folder.path().join("k.pem"));
    std::fs::write(&certificate, cert.pem()).expect("is written");
    std::fs::write(&key, signing_key.serialize_pem()).expect("is written");
    #[cfg(unix)]
    {
        let shared = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        std::fs::set_permissions(&key, shared).expect("is set");
        let refused = footlight_serve::TlsIdentity::from_pem_files(&certificate, &key);
        assert!(refused.is_err(), "others can read the key");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        for (certificate, key) in [(&pipe, &key), (&certificate, &pipe)] {
            let refused = footlight_serve::TlsIdentity::from_pem_files(certificate, key);
            assert!(refused.is_err(), "nobody waits for the other end of a pipe");
        }
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(&key, private).expect("is set");
    }
    assert!(footlight_serve::TlsIdentity::from_pem_files(&key, &certificate).is_err());
    let tls = footlight_serve::TlsIdentity::from_pem_files(&certificate, &key).expect("they fit");
    let (server, token) = server();
    let server = server.tls(tls).name("tools.example");
    let server = server.bind("0.0.0.0:0").await.expect("binds");
    let address = SocketAddr::from(([127, 0, 0, 1], server.address().port()));
    assert!(server.url().starts_with("https://"), "{}", server.url());
    let (end, ended) = oneshot::channel::<()>();
    let task = tokio::spawn(server.run(async {
        let _ = ended.await;
    }));

    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from(cert.der().to_vec()))
        .expect("a root");
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connector = TlsConnector::from(Arc::new(config));
    let post = async |origin: &str| {
        let stream = TcpStream::connect(address).await.expect("connects");
        let name = ServerName::try_from("tools.example").expect("a name");
        let mut stream = connector.connect(name, stream).await.expect("a handshake");
        let request = format!(
            "POST /api/sessions HTTP/1.1\r\nHost: tools.example\r\nOrigin: {origin}\r\n\
             Authorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: 2\r\nConnection: close\r\n\r\n{{}}"
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        // Some implementations end without a farewell.
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        answer.split(' ').nth(1).map(str::to_owned)
    };
    assert_eq!(post("https://tools.example").await.as_deref(), Some("201"));
    assert_eq!(post("http://tools.example").await.as_deref(), Some("403"));
    // Whoever does not speak TLS is not answered, and an open connection holds up no end.
    let mut plain = TcpStream::connect(address).await.expect("connects");
    let _idle = TcpStream::connect(address).await.expect("connects");
    let request = b"GET /healthz HTTP/1.1\r\nHost: tools.example\r\n\r\n";
    plain.write_all(request).await.expect("sent");
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer).await;
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    let _ = end.send(());
    task.await.expect("it ends");
}

#[tokio::test]
async fn another_site_reaches_the_routes_of_chatkit_alone_and_only_if_it_is_allowed() {
    let (server, token) = server();
    let server = server.allow_origin("https://chat.example");
    let server = server.bind("127.0.0.1:0").await.expect("binds");
    let address = server.address();
    let task = tokio::spawn(server.run(std::future::pending()));
    let from = |origin: &str| {
        let client = Client::new(address, Some(&token));
        let client = client.with(format!("Origin: {origin}"));
        client.with("Sec-Fetch-Site: cross-site")
    };
    let allowed = "access-control-allow-origin";
    for path in ["/chatkit", "/api/chatkit"] {
        let preflight = from("https://chat.example").with("Access-Control-Request-Method: POST");
        let preflight = preflight.send("OPTIONS", path, None).await;
        assert_eq!(preflight.status, 204, "{path}");
        assert_eq!(preflight.header(allowed), Some("https://chat.example"));
        assert_eq!(
            preflight.header("access-control-allow-methods"),
            Some("POST")
        );
        assert_eq!(preflight.header("access-control-allow-credentials"), None);
        let answer = from("https://chat.example").post(path, "{}").await;
        assert_ne!(answer.status, 403, "{path}: {}", answer.body);
        assert_eq!(answer.header(allowed), Some("https://chat.example"));
        assert_eq!(answer.header("vary"), Some("origin"));
        for other in [
            "https://evil.example",
            "http://chat.example",
            "null",
            "https://chat.example:8443",
        ] {
            let preflight = from(other).with("Access-Control-Request-Method: POST");
            let preflight = preflight.send("OPTIONS", path, None).await;
            let answer = from(other).post(path, "{}").await;
            assert_eq!(
                (preflight.status, answer.status),
                (403, 403),
                "{path} {other}"
            );
            assert_eq!(
                (preflight.header(allowed), answer.header(allowed)),
                (None, None)
            );
        }
    }
    for path in [
        "/api/sessions",
        "/api/pending",
        "/chatkit/",
        "/chatkitty",
        "/api/login",
        "/healthz",
    ] {
        let preflight = from("https://chat.example").with("Access-Control-Request-Method: POST");
        let preflight = preflight.send("OPTIONS", path, None).await;
        let answer = from("https://chat.example").get(path).await;
        assert_eq!((preflight.status, answer.status), (403, 403), "{path}");
        assert_eq!(
            (preflight.header(allowed), answer.header(allowed)),
            (None, None)
        );
    }
    task.abort();
}
