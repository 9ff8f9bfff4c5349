//! Searching texts: case is folded here and not by the databases, which differ beyond ASCII.

pub fn fold(text: &str) -> String {
    text.to_lowercase()
}

/// A `LIKE` pattern for folded texts that contain this one, in which nothing the caller wrote is a wildcard.
pub fn contains_pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for letter in fold(text).chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}
