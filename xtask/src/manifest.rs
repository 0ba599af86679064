//! What the commands need to know of the workspace's manifests, read line by line.
//!
//! Not a TOML parser: it reads the plain style in which this workspace writes its manifests
//! (`[section]`, `key = value` on one line, or a table of a dependency on one line).

use std::fs;
use std::path::{Path, PathBuf};

/// A `Cargo.toml`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifest {
    /// The folder of the crate.
    pub(crate) folder: PathBuf,
    entries: Vec<Entry>,
}

/// `key = value` on line `line` of section `section`.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) line: usize,
    pub(crate) section: String,
    pub(crate) key: String,
    pub(crate) value: String,
}

impl Manifest {
    /// Reads the text of a manifest.
    pub(crate) fn parse(folder: &Path, text: &str) -> Self {
        let mut section = String::new();
        let mut entries = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name.trim_matches(['[', ']']).to_owned();
                // `[dependencies.zeroize]` is an entry too.
                let table = section.rsplit_once('.');
                if let Some((table, key)) =
                    table.filter(|(table, _)| table.ends_with("dependencies"))
                {
                    entries.push(entry(index, table, key, ""));
                }
            } else if let Some((key, value)) = line.split_once('=') {
                entries.push(entry(index, &section, key.trim().trim_matches('"'), value.trim()));
            }
        }
        Self { folder: folder.to_path_buf(), entries }
    }

    /// The package's name.
    pub(crate) fn name(&self) -> &str {
        self.value("package", "name").unwrap_or_default()
    }

    /// False for the crates that only this workspace uses.
    pub(crate) fn is_published(&self) -> bool {
        self.value("package", "publish") != Some("false")
    }

    /// The names of its features, in order, without `default`.
    pub(crate) fn features(&self) -> Vec<&str> {
        let named = self.entries.iter().filter(|entry| entry.section == "features");
        named.map(|entry| entry.key.as_str()).filter(|&name| name != "default").collect()
    }

    /// Dependencies at run time, for any target, with their lines; `zeroize.workspace` is
    /// `zeroize`.
    pub(crate) fn dependencies(&self) -> Vec<(usize, &str)> {
        let runtime = self.entries.iter().filter(|entry| {
            entry.section == "dependencies"
                || entry.section.starts_with("target.") && entry.section.ends_with(".dependencies")
        });
        runtime.map(|entry| (entry.line, first_part(&entry.key))).collect()
    }

    /// All entries.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// A string or word.
    pub(crate) fn value(&self, section: &str, key: &str) -> Option<&str> {
        let mut entries = self.entries.iter();
        let found = entries.find(|entry| entry.section == section && entry.key == key)?;
        Some(found.value.trim_matches('"'))
    }
}

fn entry(index: usize, section: &str, key: &str, value: &str) -> Entry {
    Entry { line: index + 1, section: section.into(), key: key.into(), value: value.into() }
}

fn first_part(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

/// The manifests of `crates/*`, by name.
pub(crate) fn crates(root: &Path) -> Vec<Manifest> {
    let mut manifests = Vec::new();
    let Ok(folders) = fs::read_dir(root.join("crates")) else { return manifests };
    for folder in folders.flatten().map(|entry| entry.path()) {
        if let Ok(text) = fs::read_to_string(folder.join("Cargo.toml")) {
            manifests.push(Manifest::parse(&folder, &text));
        }
    }
    manifests.sort_by(|a, b| a.folder.cmp(&b.folder));
    manifests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_workspaces_style() {
        let text = "[package]\nname = \"block\"\npublish = false\n\n[features]\ndefault = []\n\
                    ## AES.\naes = []\nstd = [\"aes\"]\n\n[dependencies]\nburn.workspace = true\n\
                    \n[dependencies.zeroize]\nversion = \"1\"\n\n\
                    [target.'cfg(unix)'.dependencies]\ncpufeatures = \"0.3\"\n\n\
                    [dev-dependencies]\nproptest.workspace = true\n";
        let manifest = Manifest::parse(Path::new("crates/block"), text);
        assert_eq!(manifest.name(), "block");
        assert!(!manifest.is_published());
        assert_eq!(manifest.features(), ["aes", "std"]);
        let dependencies: Vec<&str> =
            manifest.dependencies().into_iter().map(|(_, name)| name).collect();
        assert_eq!(dependencies, ["burn", "zeroize", "cpufeatures"]);
    }
}
