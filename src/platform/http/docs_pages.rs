//! The pages that show the API's description: Swagger UI, out of the archive of its release that is inside the binary.
//!
//! The library that usually serves them unpacks the archive while it is compiled, with crates of its own; read here, it costs
//! nothing until somebody opens the pages.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::LazyLock;

use super::document::Document;
use bytes::Bytes;
use flate2::read::DeflateDecoder;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED as ARCHIVE;

const NAMES: [&str; 7] = [
    "index.html",
    "index.css",
    "swagger-ui.css",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "favicon-16x16.png",
    "favicon-32x32.png",
];
const SETTINGS: &str = r##"window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: "/api/openapi.json",
    dom_id: "#swagger-ui",
    deepLinking: true,
    persistAuthorization: true,
    validatorUrl: "none",
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    layout: "StandaloneLayout",
  });
};
"##;

static FILES: LazyLock<BTreeMap<&str, Document>> = LazyLock::new(|| {
    let mut archive = ARCHIVE;
    let name = "swagger-initializer.js";
    let settings = Document::new(kind_of(name), Bytes::from_static(SETTINGS.as_bytes()));
    let mut files = BTreeMap::from([(name, settings)]);
    while let Some(entry) = next_entry(&mut archive) {
        let is_file = |name: &&&str| entry.name.strip_suffix(**name).is_some_and(is_folder);
        if let (Some(name), Some(bytes)) = (NAMES.iter().find(is_file), entry.unpack()) {
            files.insert(name, Document::new(kind_of(name), bytes));
        }
    }
    files
});

/// A file of the pages.
pub fn find(name: &str) -> Option<&'static Document> {
    FILES.get(name)
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        _ => "image/png",
    }
}

/// The built pages lie in `swagger-ui-<version>/dist/`; folders of that name further down are their sources.
fn is_folder(path: &str) -> bool {
    path.ends_with("/dist/") && path.matches('/').count() == 2
}

/// One file as a ZIP archive has it: a header of 30 bytes, its name, and then its bytes, most often deflated.
struct Entry {
    name: &'static str,
    is_deflated: bool,
    packed: &'static [u8],
}

fn next_entry(archive: &mut &'static [u8]) -> Option<Entry> {
    let header: &[u8; 30] = archive.split_off(..30)?.try_into().ok()?;
    let [b'P', b'K', 3, 4, _, _, _, _, method, 0, _, _, _, _, _, _, _, _, sizes @ ..] = header
    else {
        return None;
    };
    let [a, b, c, d, _, _, _, _, name_low, name_high, extra_low, extra_high] = *sizes;
    let name = archive.split_off(..u16::from_le_bytes([name_low, name_high]).into())?;
    archive.split_off(..u16::from_le_bytes([extra_low, extra_high]).into())?;
    let packed = archive.split_off(..usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?)?;
    Some(Entry { name: str::from_utf8(name).ok()?, is_deflated: *method == 8, packed })
}

impl Entry {
    fn unpack(&self) -> Option<Bytes> {
        if !self.is_deflated {
            return Some(Bytes::from_static(self.packed));
        }
        let mut bytes = Vec::new();
        DeflateDecoder::new(self.packed).read_to_end(&mut bytes).ok()?;
        Some(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_the_page_names_is_there() {
        let page = str::from_utf8(find("index.html").unwrap().plain()).unwrap();
        let named = page.split(['"', '\'']).filter_map(|part| part.strip_prefix("./"));
        let missing: Vec<&str> = named.filter(|name| find(name).is_none()).collect();
        assert!(page.contains("swagger-initializer.js") && missing.is_empty(), "{missing:?}");
    }
}
