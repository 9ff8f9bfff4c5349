//! Crests drawn from a team's slug alone, for teams that have no logo of their own.

use sha2::{Digest, Sha256};

const LONGEST_SLUG: usize = 64;

/// Two colours that go together: the field's and the pattern's. Letters are white, so both are dark enough for that.
const COLOURS: [(&str, &str); 12] = [
    ("#1d3557", "#457b9d"),
    ("#7f1d1d", "#b91c1c"),
    ("#14532d", "#15803d"),
    ("#312e81", "#4f46e5"),
    ("#0f172a", "#475569"),
    ("#78350f", "#b45309"),
    ("#581c87", "#7e22ce"),
    ("#134e4a", "#0f766e"),
    ("#831843", "#be185d"),
    ("#1e3a8a", "#2563eb"),
    ("#3f3f46", "#71717a"),
    ("#422006", "#854d0e"),
];

const SHAPES: [&str; 3] = [
    "M60 4 L112 18 V62 C112 92 88 108 60 116 C32 108 8 92 8 62 V18 Z",
    "M60 4 A56 56 0 1 1 59.9 4 Z",
    "M60 4 L114 36 V84 L60 116 L6 84 V36 Z",
];

const PATTERNS: [&str; 5] = [
    r#"<path d="M60 0H120V120H60Z"/>"#,
    r#"<path d="M24 0H42V120H24ZM60 0H78V120H60ZM96 0H114V120H96Z"/>"#,
    r#"<path d="M0 24H120V46H0ZM0 68H120V90H0Z"/>"#,
    r#"<path d="M0 120L120 0V46L46 120Z"/>"#,
    r#"<path d="M0 60L60 20L120 60V90L60 50L0 90Z"/>"#,
];

/// The drawing, or nothing for what cannot be a slug.
pub fn draw(slug: &str) -> Option<String> {
    let is_slug = (1..=LONGEST_SLUG).contains(&slug.len())
        && slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if !is_slug {
        return None;
    }
    let digest = Sha256::digest(slug.as_bytes());
    let draw_from = |place: usize, count: usize| {
        digest.get(place).map_or(0, |byte| usize::from(*byte).checked_rem(count).unwrap_or(0))
    };
    let (field, accent) = COLOURS.get(draw_from(0, COLOURS.len()))?;
    let shape = SHAPES.get(draw_from(1, SHAPES.len()))?;
    let pattern = PATTERNS.get(draw_from(2, PATTERNS.len()))?;
    let letters = initials(slug);
    Some(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" role="img" aria-label="{letters}"><defs><clipPath id="c"><path d="{shape}"/></clipPath></defs><path d="{shape}" fill="{field}"/><g clip-path="url(#c)" fill="{accent}">{pattern}</g><path d="{shape}" fill="none" stroke="#fff" stroke-width="4"/><text x="60" y="74" font-family="sans-serif" font-weight="700" font-size="38" text-anchor="middle" fill="#fff">{letters}</text></svg>"##
    ))
}

/// The first letters of up to three words of the slug.
fn initials(slug: &str) -> String {
    let firsts = slug.split('_').filter_map(|word| word.chars().next());
    firsts.take(3).collect::<String>().to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crest_is_always_the_same_and_says_whose_it_is() {
        let crest = draw("northgate_fc").unwrap();
        assert_eq!(Some(&crest), draw("northgate_fc").as_ref());
        assert!(crest.contains(">NF</text>"), "{crest}");
        assert_ne!(Some(crest), draw("southbank_fc"));
    }

    #[test]
    fn only_a_slug_has_a_crest() {
        for wrong in ["", "A", "a b", "<svg>", "é", &"a".repeat(65)] {
            assert!(draw(wrong).is_none(), "{wrong}");
        }
    }
}
