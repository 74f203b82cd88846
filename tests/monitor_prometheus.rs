//! A fleet through Prometheus: every way in which a server can fail, and the real one.

#![cfg(all(feature = "prometheus", target_os = "linux"))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "support/waiting.rs"]
mod waiting;

use std::{
    fmt::Write as _,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use vramplan::{
    monitor::{Monitor, Reading, Source, Status},
    text::{Language, Texts},
    units::{Bytes, MIB},
};
use waiting::failed;

/// A server that answers every request in the same way, and remembers the requests.
struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let mut head = String::new();
                    let mut reader = BufReader::new(stream.try_clone().expect("a clone"));
                    while let Ok(1..) = reader.read_line(&mut head) {
                        if head.ends_with("\r\n\r\n") {
                            break;
                        }
                    }
                    seen.lock().expect("a list").push(head.clone());
                    answer(&head, &mut stream);
                });
            }
        });
        Self { address, requests }
    }

    /// A server whose answers have this status line, these headers and this body.
    fn says(status: &'static str, headers: &'static str, body: &'static str) -> Self {
        Self::new(move |_, stream| respond(stream, status, headers, body))
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("a list").clone()
    }
}

fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    // Whoever has gone in the meantime needs no answer.
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    );
}

fn source(url: &str) -> Source {
    Source::Prometheus { url: url.to_owned(), timeout: Duration::from_secs(5) }
}

fn key(server: &Server) -> &'static str {
    failed(source(&server.url())).what.key
}

#[test]
fn a_port_where_nothing_listens_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    assert_eq!(failed(source(&url)).what.key, "live-server-refused");
}

#[test]
fn a_server_that_does_not_answer_is_given_up_in_time() {
    let server = Server::new(|_, _| std::thread::sleep(Duration::from_secs(20)));
    let begin = Instant::now();
    let timeout = Duration::from_millis(300);
    let fault = failed(Source::Prometheus { url: server.url(), timeout });
    assert_eq!(fault.what.key, "live-server-timeout");
    assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
}

#[test]
fn an_answer_that_drips_is_given_up_in_time() {
    let server = Server::new(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
        for _ in 0..200 {
            if stream.write_all(b" ").is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let timeout = Duration::from_millis(400);
    let fault = failed(Source::Prometheus { url: server.url(), timeout });
    assert_eq!(fault.what.key, "live-server-timeout");
}

#[test]
fn each_status_has_its_own_words() {
    for (status, expected) in [
        ("401 Unauthorized", "live-server-denied"),
        ("403 Forbidden", "live-server-denied"),
        ("404 Not Found", "live-server-not-found"),
        ("500 Internal Server Error", "live-server-status"),
        ("503 Service Unavailable", "live-server-status"),
    ] {
        assert_eq!(key(&Server::says(status, "", "no")), expected, "{status}");
    }
}

#[test]
fn what_is_not_prometheus_is_said_to_be_something_else() {
    assert_eq!(key(&Server::says("200 OK", "", "<html>hello</html>")), "live-server-other");
    let nonsense = Server::new(|_, stream| {
        let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n");
    });
    assert_eq!(key(&nonsense), "live-server-other");
    let query = "{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"query timed out\"}";
    assert_eq!(key(&Server::says("422 Unprocessable Entity", "", query)), "live-server-query");
}

#[test]
fn a_server_without_gpus_asks_for_the_exporter() {
    let empty = "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}";
    let fault = failed(source(&Server::says("200 OK", "", empty).url()));
    assert_eq!(fault.what.key, "live-server-no-figures");
    assert_eq!(fault.remedy.key, "live-remedy-server-no-figures");
}

#[test]
fn figures_that_nobody_renews_are_no_figures() {
    let server = Server::new(|head, stream| {
        let body = if head.contains("timestamp") {
            r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1000.0,"700"]}]}}"#
        } else {
            r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"DCGM_FI_DEV_FB_USED","gpu":"0","UUID":"GPU-a"},"value":[1000.0,"5"]}]}}"#
        };
        respond(stream, "200 OK", "", body);
    });
    let fault = failed(source(&server.url()));
    assert_eq!(fault.what.key, "live-server-stale");
    let text = Texts::new(Language::English).message(&fault.what);
    assert!(text.contains("5.0 min"), "how old: {text}");
}

#[test]
fn an_unencrypted_server_behind_https_is_a_fault_of_encryption() {
    let server = Server::says("400 Bad Request", "", "plain HTTP here");
    let url = server.url().replace("http://", "https://");
    assert_eq!(failed(source(&url)).what.key, "live-server-tls");
}

#[test]
fn a_redirect_is_not_followed_and_the_password_goes_nowhere() {
    let other = Server::says("200 OK", "", "never asked");
    let target = format!("Location: http://{}/api/v1/query?secret=1\r\n", other.address);
    let server = Server::new(move |_, stream| respond(stream, "302 Found", &target, ""));
    let url = server.url().replace("http://", "http://me:hunter2@");
    let fault = failed(source(&url));
    assert_eq!(fault.what.key, "live-server-redirect");
    assert!(!format!("{fault:?}").contains("hunter2"), "{fault:?}");
    assert!(format!("{fault:?}").contains(&other.address.to_string()), "where it leads");
    assert!(other.requests().is_empty(), "nobody asked there");
    let asked = server.requests();
    assert!(asked.iter().all(|head| head.starts_with("GET /api/v1/query?query=")), "{asked:?}");
    let name = "authorization: Basic bWU6aHVudGVyMg==";
    let sent = |head: &String| head.to_lowercase().contains(&name.to_lowercase());
    assert!(asked.iter().all(sent), "the name goes to the server itself: {asked:?}");
}

#[test]
fn an_address_that_is_none_is_not_asked() {
    assert_eq!(failed(source("prometheus:9090")).what.key, "live-address-no-scheme");
    assert_eq!(failed(source("gopher://host")).what.key, "live-address-scheme");
}

// The real server.

const HOSTS: u32 = 32;
const GPUS: u32 = 8;

/// What 32 exporters with 8 GPUs each would say, in Prometheus's text format.
fn exported() -> String {
    let mut text = String::new();
    for (name, value) in [
        ("DCGM_FI_DEV_FB_USED", 40_000.0),
        ("DCGM_FI_DEV_FB_FREE", 40_900.0),
        ("DCGM_FI_DEV_FB_RESERVED", 659.0),
        ("DCGM_FI_DEV_GPU_UTIL", 90.0),
        ("DCGM_FI_DEV_MEM_COPY_UTIL", 45.0),
        ("DCGM_FI_DEV_POWER_USAGE", 512.5),
        ("DCGM_FI_DEV_GPU_TEMP", 55.0),
    ] {
        writeln!(text, "# TYPE {name} gauge").expect("memory");
        for host in 0..HOSTS {
            for gpu in 0..GPUS {
                writeln!(
                    text,
                    "{name}{{gpu=\"{gpu}\",UUID=\"GPU-{host}-{gpu}\",device=\"nvidia{gpu}\",\
                     modelName=\"NVIDIA H100 80GB HBM3\",Hostname=\"node{host:02}\",\
                     pci_bus_id=\"00000000:{gpu:02X}:00.0\"}} {}",
                    value + f64::from(gpu)
                )
                .expect("memory");
            }
        }
    }
    text
}

/// The server, ended with the test.
struct Prometheus {
    process: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts Debian's Prometheus on a free port of this machine; none where it is not installed.
fn prometheus(exporter: SocketAddr) -> Option<Prometheus> {
    let found = Command::new("prometheus").arg("--version").stdout(Stdio::null()).status();
    if found.is_err() {
        assert!(std::env::var_os("CI").is_none(), "the package prometheus is not installed");
        eprintln!("SKIPPED: the package prometheus is not installed");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let config = format!(
        "global:\n  scrape_interval: 1s\n  scrape_timeout: 1s\nscrape_configs:\n  - job_name: dcgm\n    static_configs:\n      - targets: ['{exporter}']\n"
    );
    let file = folder.path().join("prometheus.yml");
    std::fs::write(&file, config).expect("written");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let process = Command::new("prometheus")
        .arg(format!("--config.file={}", file.display()))
        .arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()))
        .arg(format!("--web.listen-address={address}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    Some(Prometheus { process, url: format!("http://{address}"), _folder: folder })
}

#[test]
fn two_hundred_and_fifty_six_gpus_come_through_the_real_prometheus() {
    let body = exported();
    let exporter = Server::new(move |_, stream| {
        respond(stream, "200 OK", "Content-Type: text/plain; version=0.0.4\r\n", &body);
    });
    let Some(server) = prometheus(exporter.address) else { return };
    let mut monitor = Monitor::default();
    monitor.start(source(&server.url));
    // The server needs some seconds to start and to scrape; a person would press Retry.
    let begin = Instant::now();
    while monitor.latest().is_none() {
        assert!(begin.elapsed().as_secs() < 60, "{:?}", monitor.status());
        std::thread::sleep(Duration::from_millis(300));
        monitor.poll();
        if matches!(monitor.status(), Status::Failed(_)) {
            monitor.retry();
        }
    }
    let snapshot = monitor.latest().expect("awaited above");
    assert_eq!(snapshot.gpus.len(), (HOSTS * GPUS) as usize);
    let gpu = &snapshot.gpus[11];
    assert_eq!((gpu.key.host.as_str(), gpu.index), ("node01", 3), "by host and index");
    assert_eq!(gpu.key.uuid, "GPU-1-3");
    assert_eq!(gpu.name, Reading::Value("NVIDIA H100 80GB HBM3".to_owned()));
    assert_eq!(gpu.memory.used, Reading::Value(Bytes(40_003 * MIB)), "MiB");
    let total = Bytes((40_003 + 40_903 + 662) * MIB);
    assert_eq!(gpu.memory.total, Reading::Value(total), "used, free and reserved");
    assert_eq!(gpu.utilisation.compute_percent, Reading::Value(93.0));
    assert_eq!(gpu.power_watts, Reading::Value(515.5));
    assert_eq!(gpu.temperature_celsius, Reading::Value(58.0));
    assert_eq!(monitor.history().keys().count(), 256, "each has its past");
    let mut rest = String::new();
    TcpStream::connect(server.url.trim_start_matches("http://"))
        .and_then(|mut stream| {
            stream.write_all(b"GET /api/v1/status/tsdb HTTP/1.0\r\n\r\n")?;
            stream.read_to_string(&mut rest)
        })
        .expect("it still answers");
    assert!(rest.contains("\"numSeries\""), "and took no harm: {rest}");
}
