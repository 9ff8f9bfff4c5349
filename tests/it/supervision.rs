//! What a supervisor such as systemd hears of the service that it started.

use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

use crate::harness::{Program, fresh_database_url};

/// Longer than anything here takes, even beside other work.
const PATIENCE: Duration = Duration::from_secs(30);

fn next(supervisor: &UnixDatagram) -> String {
    supervisor.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut bytes = [0; 256];
    // Programs of other tests end meanwhile, and their signals interrupt whoever waits.
    let received = std::iter::repeat_with(|| supervisor.recv(&mut bytes)).find(|received| {
        !received.as_ref().is_err_and(|error| error.kind() == ErrorKind::Interrupted)
    });
    let length = received.unwrap().expect("a message for the supervisor");
    String::from_utf8(bytes[..length].to_vec()).unwrap()
}

/// What comes until the message, which may take any number of signs of life.
fn signs_until(supervisor: &UnixDatagram, message: &str) -> usize {
    let told = std::iter::repeat_with(|| next(supervisor)).take_while(|told| told != message);
    told.inspect(|told| assert_eq!(told, "WATCHDOG=1")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supervisor_is_told_that_the_service_is_ready_alive_and_stopping() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let path = folder.path().join("notify");
    let supervisor = UnixDatagram::bind(&path).unwrap();
    let settings = [("NOTIFY_SOCKET", path.to_str().unwrap()), ("WATCHDOG_USEC", "400000")];
    let begun = Instant::now();
    let mut program = Program::start(&folder, &url, &settings);
    assert_eq!(next(&supervisor), "READY=1");
    program.client.get("/readyz").send().await.expect(200);
    for _ in 0..11 {
        assert_eq!(next(&supervisor), "WATCHDOG=1");
    }
    // The first comes at once, the others every half of what the supervisor waits for.
    assert!(begun.elapsed() >= Duration::from_secs(2), "{:?}", begun.elapsed());
    program.terminate();
    signs_until(&supervisor, "STOPPING=1");
    assert_eq!(program.exit_code(PATIENCE), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supervisor_without_a_file_and_without_a_watchdog_hears_of_the_start_and_the_end_alone() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let name = format!("touchline-test-{}", folder.path().display());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let supervisor = UnixDatagram::bind_addr(&address).unwrap();
    let settings = [("NOTIFY_SOCKET", &*format!("@{name}")), ("WATCHDOG_USEC", "1")];
    // A watchdog of another process.
    let settings = [settings[0], settings[1], ("WATCHDOG_PID", "1")];
    let program = Program::start(&folder, &url, &settings);
    assert_eq!(next(&supervisor), "READY=1");
    program.terminate();
    assert_eq!(next(&supervisor), "STOPPING=1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supervisor_that_is_gone_disturbs_nobody() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let settings = [("NOTIFY_SOCKET", "/nonexistent/notify"), ("WATCHDOG_USEC", "100000")];
    let mut program = Program::start(&folder, &url, &settings);
    program.client.get("/readyz").send().await.expect(200);
    program.terminate();
    assert_eq!(program.exit_code(PATIENCE), Some(0));
    assert!(program.log().contains("the supervisor cannot be told READY=1"), "{}", program.log());
}
