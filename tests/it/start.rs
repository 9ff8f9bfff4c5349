//! What keeps the program from starting, and what it leaves on the disk.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::harness::{Program, fresh_database_url};

fn run(folder: &TempDir, url: &str, settings: &[(&str, &str)], command: &[&str]) -> Output {
    Program::command(folder, url, settings).args(command).output().unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[tokio::test]
async fn a_second_service_on_the_same_files_is_refused_and_told_who_has_them() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let first = Program::start(&folder, &url, &[]);
    let said = complaint(&run(&folder, &url, &[], &["serve"]));
    let holder = format!("is in use by process {}", first.id());
    assert!(said.contains(&holder) && said.lines().count() == 1, "{said}");
}

#[tokio::test]
async fn other_commands_work_beside_the_service() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let _service = Program::start(&folder, &url, &[]);
    for command in ["migrate", "operator-token", "config"] {
        let output = run(&folder, &url, &[], &[command]);
        assert!(output.status.success(), "{command}: {output:?}");
    }
}

#[tokio::test]
async fn files_are_let_go_of_when_the_service_is_killed() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    Program::start(&folder, &url, &[]).kill();
    Program::start(&folder, &url, &[]);
}

#[test]
fn a_registration_is_written_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("touchline.yaml");
    let printed = run(&folder, "", &[], &["matrix-registration"]);
    let written = run(&folder, "", &[], &["matrix-registration", "--to", path.to_str().unwrap()]);
    assert!(written.status.success() && written.stdout.is_empty(), "{written:?}");
    assert_eq!(std::fs::read(&path).unwrap(), printed.stdout);
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let nowhere = run(&folder, "", &[], &["matrix-registration", "--to", "/nonexistent/x.yaml"]);
    assert!(complaint(&nowhere).contains("/nonexistent/x.yaml cannot be written"), "{nowhere:?}");
}

#[tokio::test]
async fn nobody_else_on_the_machine_may_read_what_is_kept() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    // From a version that left it open to all.
    let old = folder.path().join("homeserver.db");
    std::fs::write(&old, "").unwrap();
    std::fs::set_permissions(&old, PermissionsExt::from_mode(0o644)).unwrap();
    let _service = Program::start(&folder, &url, &[("TOUCHLINE_SECRET_KEY", "")]);
    let open: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.metadata().unwrap().permissions().mode() & 0o077 != 0)
        // The test's own.
        .filter(|entry| entry.file_name() != "log")
        .map(|entry| entry.file_name())
        .collect();
    assert!(open.is_empty(), "others may read {open:?}");
}

#[tokio::test]
async fn a_node_with_another_secret_key_is_refused_until_the_key_is_accepted() {
    let url = match fresh_database_url().await {
        url if url.is_empty() => {
            let place = tempfile::tempdir().unwrap();
            format!("sqlite:{}", place.keep().join("touchline.db").display())
        }
        url => url,
    };
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // Each makes a key of its own in its folder.
    let none = [("TOUCHLINE_SECRET_KEY", "")];
    Program::start(&one, &url, &none).kill();
    Program::start(&one, &url, &none).kill();
    let said = complaint(&run(&other, &url, &none, &["serve"]));
    assert!(said.contains("secret_key") && said.lines().count() == 1, "{said}");
    assert!(run(&other, &url, &none, &["accept-secret-key"]).status.success());
    Program::start(&other, &url, &none).kill();
    complaint(&run(&one, &url, &none, &["serve"]));
}

/// The URL of an SQLite database of its own, beside whatever is in `folder`.
fn another_database() -> String {
    let place = tempfile::tempdir().unwrap().keep();
    format!("sqlite:{}", place.join("touchline.db").display())
}

#[tokio::test]
async fn the_chat_of_another_database_is_refused_with_a_sentence_by_the_service_and_the_doctor() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    Program::start(&folder, &url, &[]).kill();
    let other = another_database();
    let said = complaint(&run(&folder, &other, &[], &["serve"]));
    let last = said.lines().last().unwrap();
    assert!(last.contains("homeserver.db") && last.contains("another installation"), "{said}");
    assert!(last.contains("set data_dir to a folder of its own"), "{said}");
    let doctor = run(&folder, &other, &[], &["doctor"]);
    let said = String::from_utf8(doctor.stdout).unwrap();
    assert!(!doctor.status.success() && said.contains("another installation"), "{said}");
    // It still is the first one's.
    Program::start(&folder, &url, &[]).kill();
}

#[tokio::test]
async fn whoever_was_refused_for_anothers_chat_can_start_in_a_folder_of_their_own() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    // Each folder has a key of its own.
    let none = [("TOUCHLINE_SECRET_KEY", "")];
    Program::start(&folder, &url, &none).kill();
    let (other, own) = (another_database(), tempfile::tempdir().unwrap());
    complaint(&run(&folder, &other, &none, &["serve"]));
    Program::start(&own, &other, &none).kill();
}

#[tokio::test]
async fn the_doctor_finds_damage_in_the_homeservers_file() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let mut service = Program::start(&folder, &url, &[]);
    service.terminate();
    assert_eq!(service.exit_code(Duration::from_secs(20)), Some(0));
    let file = folder.path().join("homeserver.db");
    let mut bytes = std::fs::read(&file).unwrap();
    // Everything but the first page, which says what the file is.
    let second_page = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    bytes[second_page..].fill(0xA5);
    std::fs::write(&file, bytes).unwrap();
    let said = String::from_utf8(run(&folder, &url, &[], &["doctor"]).stdout).unwrap();
    assert!(said.contains("WRONG   the homeserver's database is whole"), "{said}");
}

/// What the program prints on a terminal until this text appears.
fn on_a_terminal(folder: &TempDir, url: &str, settings: &[(&str, &str)], until: &str) -> String {
    let program = Program::command(folder, url, settings);
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &format!("{} serve", program.get_program().display()), "/dev/null"]);
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => terminal.env(name, value),
            None => terminal.env_remove(name),
        };
    }
    terminal.current_dir(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = terminal.spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains(until) {
        assert!(output.read_line(&mut said).unwrap() > 0, "ended after {said}");
    }
    // Ctrl-C, and not the end of the terminal: where hang-ups are ignored, a program outlives that.
    child.stdin.take().unwrap().write_all(b"\x03").unwrap();
    child.wait().unwrap();
    said
}

const LOCAL: (&str, &str) = ("TOUCHLINE_ENVIRONMENT", "local");

#[tokio::test]
async fn somebody_at_a_terminal_is_told_where_to_go_last_of_all() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let said = on_a_terminal(&folder, &url, &[LOCAL], "Ctrl-C");
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    let ready = lines.iter().position(|line| line.starts_with("Touchline is ready at ")).unwrap();
    let names = |line: &&str| line.split_whitespace().next().map(str::to_owned);
    let after: Vec<String> = lines[ready + 1..].iter().filter_map(names).collect();
    assert_eq!(after, ["Page", "Console", "Docs", "Codes", "Data", "Stop"], "{said}");
    let before = &lines[..ready];
    assert!(before.iter().all(|line| line.contains("info") && !line.starts_with('{')), "{said}");
    assert!(before.len() <= 2, "the schema and the demo, and not each step: {said}");
}

#[tokio::test]
async fn a_service_on_all_addresses_names_one_for_phones_and_warns_of_the_codes() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let settings = [LOCAL, ("TOUCHLINE_LISTEN", "0.0.0.0:0")];
    let said = on_a_terminal(&folder, &url, &settings, "Ctrl-C");
    assert!(said.contains("can read the codes of every login"), "{said}");
    assert!(!said.contains("http://0.0.0.0"), "nobody can open that: {said}");
}

#[tokio::test]
async fn a_port_that_is_taken_is_named_with_the_setting_that_moves_it() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = other.local_addr().unwrap().to_string();
    for (key, environment) in [("LISTEN", "local"), ("METRICS_LISTEN", "testing")] {
        let variable = format!("TOUCHLINE_{key}");
        let settings =
            [(variable.as_str(), taken.as_str()), ("TOUCHLINE_ENVIRONMENT", environment)];
        let said = complaint(&run(&folder, &url, &settings, &["serve"]));
        assert!(said.contains(&taken) && said.contains(&format!("{variable}=")), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    // On a developer's machine metrics go elsewhere.
    let settings = [("TOUCHLINE_METRICS_LISTEN", taken.as_str()), LOCAL];
    let log = Program::start(&folder, &url, &settings).log();
    assert!(log.contains("metrics are at http://127.0.0.1:"), "{log}");
}

#[tokio::test]
async fn somebody_at_a_terminal_gets_a_link_to_the_console_that_signs_in() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let said = on_a_terminal(&folder, &url, &[LOCAL], "Ctrl-C");
    let links: Vec<&str> =
        said.split_whitespace().filter(|word| word.contains("#sign-in=")).collect();
    let [link] = links[..] else { panic!("one link: {said}") };
    let (page, code) = link.split_once("#sign-in=").unwrap();
    assert!(page.starts_with("http://127.0.0.1:") && page.ends_with("/console"), "{link}");
    assert!(code.len() == 24 && code.chars().all(|c| c.is_ascii_alphanumeric()), "{link}");
    let without = [LOCAL, ("TOUCHLINE_CONSOLE", "false")];
    let said = on_a_terminal(&folder, &url, &without, "Ctrl-C");
    assert!(!said.contains("sign-in") && !said.contains("Console"), "{said}");
}
