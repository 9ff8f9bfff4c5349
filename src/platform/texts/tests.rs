use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::*;

fn entries() -> impl Iterator<Item = &'static Entry> {
    de::TABLES.into_iter().flatten()
}

fn gaps(words: &str) -> BTreeSet<&str> {
    words.split('{').skip(1).filter_map(|after| Some(after.split_once('}')?.0)).collect()
}

/// All code of the service outside the tables, as one text without the breaks inside of sentences.
fn code_below(folder: &Path, code: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("platform/texts") {
            code_below(&path, code);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            code.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_text_has_words_in_every_language() {
    for (english, german) in entries() {
        assert!(!english.trim().is_empty() && !german.trim().is_empty(), "{english:?} {german:?}");
        assert_ne!(english, german);
    }
}

#[test]
fn what_stands_in_the_gaps_is_told_in_every_language() {
    for (english, german) in entries() {
        assert_eq!(gaps(english), gaps(german), "{english}");
    }
}

#[test]
fn no_text_has_two_translations() {
    let mut seen = BTreeSet::new();
    for (english, _) in entries() {
        assert!(seen.insert(english), "{english:?} is in the tables twice");
    }
}

#[test]
fn a_table_has_no_text_that_nobody_says() {
    let mut code = String::new();
    code_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut code);
    for (english, _) in entries() {
        let what =
            english.strip_prefix("There is no such ").and_then(|rest| rest.strip_suffix('.'));
        let said = match what {
            Some(what) => format!("not_found!(\"{what}\")"),
            None => english.replace('\n', "\\n"),
        };
        let is_said = code.contains(&said) || code.contains(&format!("\"{english}\""));
        assert!(is_said, "nobody says {english:?}");
    }
}

#[test]
fn what_stands_in_a_gap_opens_no_other() {
    let said = text!("{by}, and {count} more messages", by = "{count}", count = 2);
    assert_eq!(said.to_string(), "{count}, and 2 more messages");
    assert_eq!(said.in_language(Language::De), "{count} und 2 weitere Nachrichten");
}

#[test]
fn a_text_shows_itself_in_english() {
    assert_eq!(text!("Must be a text.").to_string(), "Must be a text.");
    assert_eq!(format!("{:?}", text!("Must be a text.")), "\"Must be a text.\"");
}

#[tokio::test]
async fn a_reader_is_spoken_to_as_they_ask_and_else_as_they_have_chosen() {
    let speak = async |asked: &str, chosen: Option<Language>| {
        let mut headers = http::HeaderMap::new();
        headers.insert(http::header::ACCEPT_LANGUAGE, asked.parse().unwrap());
        Reader::of(&headers)
            .scope(async {
                prefers(chosen);
                speaks()
            })
            .await
    };
    assert_eq!(speak("de-AT", None).await, Language::De);
    assert_eq!(speak("en", Some(Language::De)).await, Language::En);
    assert_eq!(speak("fr", Some(Language::De)).await, Language::De);
    assert_eq!(speak("*", None).await, Language::En);
    assert_eq!(speaks(), Language::En, "nobody is asking");
}
