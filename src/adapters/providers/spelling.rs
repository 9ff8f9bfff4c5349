//! Names as different providers spell them, in a form that does not depend on case, accents or punctuation.

/// Digits and lower-case letters without accents, with `-` between the words: the same for every spelling that differs only
/// in case, accents or punctuation.
pub fn key(text: &str) -> String {
    words(text).join("-")
}

/// `Celtic FC (SCO)` is `Celtic FC`.
pub fn without_country(name: &str) -> &str {
    let name = name.trim();
    let is_country = |code: &str| code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase());
    match name.strip_suffix(')').and_then(|name| name.rsplit_once('(')) {
        Some((before, code)) if is_country(code) && !before.trim().is_empty() => before.trim(),
        _ => name,
    }
}

/// Digits and lower-case letters without accents, word by word.
pub fn words(text: &str) -> Vec<String> {
    let mut plain = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            'a'..='z' | '0'..='9' => plain.push(letter),
            // An apostrophe or a dot stands inside a word: Nott'm, St. Pauli.
            '\'' | '’' | '.' => {}
            other => match plain_letter(other) {
                Some(plain_letter) => plain.push_str(plain_letter),
                None if other.is_alphanumeric() => plain.push(other),
                None => plain.push(' '),
            },
        }
    }
    plain.split_whitespace().map(str::to_owned).collect()
}

/// A Latin letter without its accent.
fn plain_letter(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'ì'..='ï' | 'ī' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ľ' | 'ļ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => "o",
        'œ' => "oe",
        'ř' | 'ŕ' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ž' | 'ż' => "z",
        '&' => " and ",
        // A combining accent belongs to the letter before it, as does the dot that lower-casing a Turkish I leaves.
        '\u{300}'..='\u{36f}' => "",
        _ => return None,
    })
}
