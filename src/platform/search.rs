//! Searching texts: case is folded here and not by the databases, which differ beyond ASCII.

pub fn fold(text: &str) -> String {
    text.to_lowercase()
}

/// The end of the texts that begin with this one, in the order of bytes: they are those from it up to here. So a beginning is found
/// through an index, and nothing in it is a wildcard.
pub fn prefix_end(prefix: &str) -> String {
    format!("{prefix}\u{10ffff}")
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
