//! The manual and the completions of shells, which packages carry, are written from the command line's own description.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::Shell;

fn packaging() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging")
}

/// The files of a folder by their names.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read_to_string(entry.path()).unwrap())
    };
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| read(entry.unwrap())).collect()
}

fn manual() -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    clap_mangen::generate_to(touchline::cli::command(), &folder).unwrap();
    files(folder.path())
}

fn completions() -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        let mut command = touchline::cli::command();
        clap_complete::generate_to(shell, &mut command, "touchline", folder.path()).unwrap();
    }
    files(folder.path())
}

/// Each command with its way there: `demo play`.
fn commands(command: &Command) -> Vec<Vec<String>> {
    let below = |one: &Command| {
        let mut ways = vec![vec![]];
        ways.extend(commands(one));
        let name = one.get_name().to_owned();
        ways.into_iter().map(move |way| [vec![name.clone()], way].concat())
    };
    command.get_subcommands().flat_map(|one| below(one).collect::<Vec<_>>()).collect()
}

/// With `WRITE=1` they are written instead; `make command-line` does so.
fn assert_written(folder: &str, wanted: &BTreeMap<String, String>) {
    let folder = packaging().join(folder);
    if std::env::var_os("WRITE").is_some() {
        fs::create_dir_all(&folder).unwrap();
        for gone in files(&folder).keys().filter(|name| !wanted.contains_key(*name)) {
            fs::remove_file(folder.join(gone)).unwrap();
        }
        for (name, text) in wanted {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    assert!(
        files(&folder) == *wanted,
        "{} is not what the command line says: `make command-line` writes it",
        folder.display()
    );
}

#[test]
fn the_manual_is_that_of_the_command_line() {
    assert_written("manual", &manual());
}

#[test]
fn the_completions_are_those_of_the_command_line() {
    assert_written("completions", &completions());
}

#[test]
fn the_manual_names_every_command_and_has_a_page_of_each() {
    let manual = manual();
    let front = &manual["touchline.1"];
    let commands = commands(&touchline::cli::command());
    assert!(commands.len() > 10, "{commands:?}");
    for way in commands {
        let page = format!("touchline-{}", way.join("-"));
        assert!(manual.contains_key(&format!("{page}.1")), "{page}");
        let named = page.replace('-', "\\-");
        assert!(way.len() > 1 || front.contains(&format!("{named}(1)")), "{named} in {front}");
    }
    assert!(front.contains("TOUCHLINE_"), "{front}");
}

#[test]
fn every_shell_completes_every_command() {
    let completions = completions();
    let names: Vec<&str> = completions.keys().map(String::as_str).collect();
    assert_eq!(names, ["_touchline", "touchline.bash", "touchline.fish"]);
    for way in commands(&touchline::cli::command()) {
        let last = way.last().unwrap();
        for (name, text) in &completions {
            assert!(text.contains(last.as_str()), "{name} does not know {last}");
        }
    }
}
