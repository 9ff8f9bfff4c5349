//! What the pages say: the templates of `web/sign-in/`, filled.

use crate::adapters::matrix::{Place, ReturnAddress};
use crate::features::users::Phone;
use crate::platform::texts::{self, Said, Text};

use super::{Entered, Reset};

const SHELL: &str = include_str!("../../../web/sign-in/page.html");
const PHONE: &str = include_str!("../../../web/sign-in/phone.html");
const CODE: &str = include_str!("../../../web/sign-in/code.html");
const OTHER_NUMBER: &str = include_str!("../../../web/sign-in/other-number.html");
const HIDDEN: &str = include_str!("../../../web/sign-in/hidden.html");
const CONTINUE: &str = include_str!("../../../web/sign-in/continue.html");
const RESET: &str = include_str!("../../../web/sign-in/reset.html");
const MESSAGE: &str = include_str!("../../../web/sign-in/message.html");
const PROBLEM: &str = include_str!("../../../web/sign-in/problem.html");

/// A number of a range that is kept for plays, and how it is written.
const EXAMPLE: &str = "+44 7700 900123";

/// What stands in a gap of a template.
enum Gap {
    /// Words, whoever wrote them: nothing in them is markup.
    Words(String),
    /// A template that is filled.
    Part(String),
}

fn words(said: impl Into<Said>) -> Gap {
    Gap::Words(said.into().in_language(texts::speaks()).into_owned())
}

fn text(text: &str) -> Gap {
    Gap::Words(text.to_owned())
}

/// In one go from left to right, so that nothing which stands in a gap can open another.
fn fill(template: &str, gaps: &[(&str, Gap)]) -> String {
    let mut filled = String::with_capacity(template.len() + 512);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        match gaps.iter().find(|(gap, _)| *gap == name) {
            Some((_, Gap::Words(words))) => escape(words, &mut filled),
            Some((_, Gap::Part(part))) => filled.push_str(part),
            None => {}
        }
        rest = after;
    }
    filled.push_str(rest);
    filled
}

fn escape(words: &str, into: &mut String) {
    for letter in words.chars() {
        match letter {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            letter => into.push(letter),
        }
    }
}

fn page(title: impl Into<Said>, content: String) -> String {
    let language = text(texts::speaks().code());
    fill(SHELL, &[("language", language), ("title", words(title)), ("content", Gap::Part(content))])
}

fn hidden(fields: &[(&str, &str)]) -> Gap {
    let field = |(name, value): &(&str, &str)| {
        fill(HIDDEN, &[("name", text(name)), ("value", text(value))])
    };
    Gap::Part(fields.iter().map(field).collect())
}

fn problem(words: Option<&str>) -> Gap {
    let part = words.map(|words| fill(PROBLEM, &[("words", text(words))]));
    Gap::Part(part.unwrap_or_default())
}

/// Asks for the phone; again with what was wrong with it.
pub fn ask_for_phone(address: &ReturnAddress, phone: &str, wrong: Option<&str>) -> String {
    let why = text!("We text you a code. If your number is new here, you get an account with it.");
    let gaps = [
        ("why", words(why)),
        ("problem", problem(wrong)),
        ("address", text(address.as_str())),
        ("label", words(text!("Phone number"))),
        ("example", text(EXAMPLE)),
        ("phone", text(phone)),
        ("send", words(text!("Send me a code"))),
        ("back", words(text!("Afterwards you are asked whether to go on to"))),
        ("place", text(name_of(&address.place()))),
    ];
    page(text!("Log in with your phone"), fill(PHONE, &gaps))
}

/// Asks for the code that was sent; again with what was wrong with it.
pub fn ask_for_code(address: &ReturnAddress, phone: &Phone, wrong: Option<&str>) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("redirectUrl", address.as_str())
        .finish();
    let other = [("query", text(&query)), ("other", words(text!("Another number")))];
    let why = text!(
        "A code is on its way to {phone}. It is good for five minutes.",
        phone = phone.as_str()
    );
    let fields = [("redirectUrl", address.as_str()), ("phone", phone.as_str())];
    let gaps = [
        ("why", words(why)),
        ("problem", problem(wrong)),
        ("action", text("/sign-in/enter")),
        ("hidden", hidden(&fields)),
        ("label", words(text!("Code from the message"))),
        ("kind", text("primary")),
        ("enter", words(text!("Go on"))),
        ("send_action", text("/sign-in/code")),
        ("again", words(text!("Send it again"))),
        ("other", Gap::Part(fill(OTHER_NUMBER, &other))),
    ];
    page(text!("Enter the code"), fill(CODE, &gaps))
}

/// Names the place that the token would go to, and asks.
pub fn ask_to_go_on(address: &ReturnAddress, entered: &Entered) -> String {
    let place = address.place();
    let name = name_of(&place);
    let who = text!(
        "You are {username} here. Whoever is there will read and write messages as you.",
        username = entered.username
    );
    let warning = text!(
        "Go on only if you have just opened this page from your own app. If somebody sent you a link to it, close it."
    );
    let gaps = [
        ("who", words(who)),
        ("kind", words(kind_of(&place))),
        ("warning", words(warning)),
        ("address", text(&address.with_token(entered.token.expose()))),
        ("go", words(text!("Continue"))),
        ("soon", words(text!("This is good for two minutes."))),
    ];
    page(text!("Continue to {place}?", place = name), fill(CONTINUE, &gaps))
}

/// As it is shown: an app has no name but its scheme.
fn name_of(place: &Place) -> &str {
    match place {
        Place::Site(name) | Place::Device(name) | Place::App(name) => name,
    }
}

const fn kind_of(place: &Place) -> Text {
    match place {
        Place::Site(_) => text!("A website"),
        Place::Device(_) => text!("A program on this device"),
        Place::App(_) => text!("An app on this device"),
    }
}

const RESET_TITLE: Text = text!("Reset your encryption identity?");

fn where_to(reset: &Reset) -> Said {
    text!("The code goes to your phone that ends in {ending}.", ending = reset.phone.ending())
}

/// Says what is going to happen to which account.
pub fn explain_reset(session: &str, reset: &Reset, wrong: Option<&str>) -> String {
    let who = text!(
        "An app that is logged in as {username} wants to replace the keys by which others know you.",
        username = reset.username
    );
    let new =
        text!("Others see that you have a new identity, and verify you anew if they did before.");
    let lost =
        text!("Old encrypted messages may stay unreadable, and your other devices verify again.");
    let warning = text!(
        "Go on only if you have just asked for this yourself. Whoever has the new keys can pass for you in encrypted rooms."
    );
    let gaps = [
        ("who", words(who)),
        ("new", words(new)),
        ("lost", words(lost)),
        ("warning", words(warning)),
        ("problem", problem(wrong)),
        ("hidden", hidden(&[("session", session)])),
        ("where", words(where_to(reset))),
        ("send", words(text!("Send me a code"))),
    ];
    page(RESET_TITLE, fill(RESET, &gaps))
}

/// Asks for the code that confirms it; again with what was wrong with it.
pub fn ask_for_reset_code(session: &str, reset: &Reset, wrong: Option<&str>) -> String {
    let gaps = [
        ("why", words(where_to(reset))),
        ("problem", problem(wrong)),
        ("action", text("/sign-in/reset/confirm")),
        ("hidden", hidden(&[("session", session)])),
        ("label", words(text!("Code from the message"))),
        ("kind", text("bad")),
        ("enter", words(text!("Reset the identity of {username}", username = reset.username))),
        ("send_action", text("/sign-in/reset/code")),
        ("again", words(text!("Send it again"))),
    ];
    page(RESET_TITLE, fill(CODE, &gaps))
}

/// A page with nothing to do on it.
pub fn say(title: Text, sentence: impl Into<Said>) -> String {
    page(title, fill(MESSAGE, &[("words", words(sentence))]))
}

/// What went wrong, in words that are chosen already.
pub fn say_problem(sentence: &str) -> String {
    page(text!("This does not work"), fill(MESSAGE, &[("words", text(sentence))]))
}
