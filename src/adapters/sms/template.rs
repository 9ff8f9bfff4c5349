//! Texts with `{phone}`, `{digits}`, `{text}` and `{secret}` in them, filled in so that a value stays a value.

use std::fmt::Write as _;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    Phone,
    /// The phone without its `+`, as some gateways want it.
    Digits,
    Text,
    Secret,
}

impl Placeholder {
    const ALL: [Self; 4] = [Self::Phone, Self::Digits, Self::Text, Self::Secret];

    fn written(self) -> &'static str {
        match self {
            Self::Phone => "{phone}",
            Self::Digits => "{digits}",
            Self::Text => "{text}",
            Self::Secret => "{secret}",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// For the inside of a JSON string.
    Json,
    /// For forms and addresses.
    Percent,
    None,
}

#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub phone: &'a str,
    pub text: &'a str,
    pub secret: &'a str,
}

impl<'a> Values<'a> {
    fn get(self, placeholder: Placeholder) -> &'a str {
        match placeholder {
            Placeholder::Phone => self.phone,
            Placeholder::Digits => self.phone.trim_start_matches('+'),
            Placeholder::Text => self.text,
            Placeholder::Secret => self.secret,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Value(Placeholder),
}

/// Read once, filled for each message: what a value contains is never taken for a placeholder.
#[derive(Debug, Clone)]
pub struct Template(Vec<Piece>);

impl Template {
    /// Every text is a template; braces around anything else stand for themselves.
    pub fn parse(text: &str) -> Self {
        let (mut pieces, mut literal, mut rest) = (Vec::new(), String::new(), text);
        loop {
            let found = Placeholder::ALL
                .into_iter()
                .find_map(|one| rest.strip_prefix(one.written()).map(|after| (one, after)));
            if let Some((placeholder, after)) = found {
                pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                pieces.push(Piece::Value(placeholder));
                rest = after;
                continue;
            }
            let mut letters = rest.chars();
            let Some(letter) = letters.next() else { break };
            literal.push(letter);
            rest = letters.as_str();
        }
        pieces.push(Piece::Literal(literal));
        Self(pieces)
    }

    pub fn contains(&self, placeholder: Placeholder) -> bool {
        self.0.contains(&Piece::Value(placeholder))
    }

    pub fn fill(&self, values: Values<'_>, escape: Escape) -> String {
        let mut filled = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Literal(text) => filled.push_str(text),
                Piece::Value(placeholder) => {
                    push_escaped(&mut filled, values.get(*placeholder), escape);
                }
            }
        }
        filled
    }
}

fn push_escaped(filled: &mut String, value: &str, escape: Escape) {
    match escape {
        Escape::None => filled.push_str(value),
        Escape::Json => {
            let quoted = serde_json::Value::from(value).to_string();
            let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            filled.push_str(inside.unwrap_or_default());
        }
        Escape::Percent => {
            for byte in value.bytes() {
                if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                    filled.push(char::from(byte));
                } else {
                    // Writing to a String cannot fail.
                    let _ = write!(filled, "%{byte:02X}");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reqwest::Url;
    use serde_json::{Value, json};

    use super::*;

    const TEXT: &str = "Your \"code\" is\n{phone} & 100% +1\\";

    fn fill(template: &str, escape: Escape) -> String {
        let values = Values { phone: "+447700900123", text: TEXT, secret: "s&=\"{text}" };
        Template::parse(template).fill(values, escape)
    }

    /// The fields that a receiver of this form reads.
    fn fields(form: &str) -> Vec<(String, String)> {
        let url = Url::parse(&format!("http://gateway.example/?{form}")).unwrap();
        url.query_pairs().into_owned().collect()
    }

    #[test]
    fn each_placeholder_stands_for_its_value_escaped_and_nothing_else_does() {
        let raw = format!("{TEXT}|s&=\"{{text}}");
        let form =
            "to=%2B447700900123&text=Your%20%22code%22%20is%0A%7Bphone%7D%20%26%20100%25%20%2B1%5C";
        for (template, escape, expected) in [
            ("{phone}|{digits}", Escape::None, "+447700900123|447700900123"),
            // A placeholder inside a value is not filled in.
            ("{text}|{secret}", Escape::None, raw.as_str()),
            ("{{phone}} {code} {phone {", Escape::None, "{+447700900123} {code} {phone {"),
            ("\"{text}\"", Escape::Json, r#""Your \"code\" is\n{phone} & 100% +1\\""#),
            ("to={phone}&text={text}", Escape::Percent, form),
        ] {
            assert_eq!(fill(template, escape), expected);
        }
    }

    proptest! {
        #[test]
        fn no_value_breaks_out_of_a_json_body(
            (phone, text, secret) in any::<(String, String, String)>(),
        ) {
            let body = r#"{"to":["{phone}"],"say":"<{text}>","key":"{secret}"}"#;
            let template = Template::parse(body);
            let values = Values { phone: &phone, text: &text, secret: &secret };
            let read: Value = serde_json::from_str(&template.fill(values, Escape::Json)).unwrap();
            let expected = json!({ "to": [phone], "say": format!("<{text}>"), "key": secret });
            prop_assert_eq!(read, expected);
        }

        #[test]
        fn no_value_breaks_out_of_a_form(
            (phone, text, secret) in any::<(String, String, String)>(),
        ) {
            let template = Template::parse("to={phone}&text={text}&key={secret}&z=1");
            let values = Values { phone: &phone, text: &text, secret: &secret };
            let expected = [("to", phone.as_str()), ("text", &text), ("key", &secret), ("z", "1")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()));
            prop_assert_eq!(fields(&template.fill(values, Escape::Percent)), expected);
        }

        #[test]
        fn no_value_breaks_out_of_an_address((phone, text) in any::<(String, String)>()) {
            let template = Template::parse("https://gateway.example/to-{phone}/send?text={text}");
            let values = Values { phone: &phone, text: &text, secret: "" };
            let url = Url::parse(&template.fill(values, Escape::Percent)).unwrap();
            prop_assert_eq!(url.host_str(), Some("gateway.example"));
            prop_assert_eq!(url.path_segments().unwrap().count(), 2);
            prop_assert_eq!(url.fragment(), None);
            prop_assert_eq!(fields(url.query().unwrap()), [("text".to_owned(), text)]);
        }
    }
}
