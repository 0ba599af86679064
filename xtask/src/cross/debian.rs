//! Compiler, standard libraries, linkers and emulators from Debian's packages, without root.
//!
//! Packages are fetched by apt with a private state (its own lists, its own copy of the list of
//! installed packages) and unpacked below the user's cache folder, not below the checkout: a
//! fresh clone need not fetch a hundred megabytes again. Nothing is installed, and the system's
//! architectures stay as they are.
//!
//! | folder | holds |
//! |---|---|
//! | `rust-VERSION/` | `rustc-web` of that version, and each target's `libstd-rust-web-dev` |
//! | `tools/` | cross linkers, C libraries, qemu |
//! | `apt/ARCH/` | apt's state for one architecture |
//!
//! A standard library of another architecture comes from a newer Debian than the compiler may
//! come from. That is sound where both are the same version: rustc itself compares the strings
//! and refuses a library that another compiler made, and [`Compiler`] is only returned after it
//! has accepted it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::targets::Target;
use crate::run::{capture, join_paths, say, stdout, which};

/// The oldest compiler that will do: the workspace's `rust-version`.
const OLDEST: (u32, u32) = (1, 89);

/// The Debian whose archive has `libstd-rust-web-dev` for every architecture.
const NEWER_SUITE: &str = "trixie";

/// How old apt's lists may be before packages are looked for in newer ones.
const LISTS_AGE: Duration = Duration::from_secs(3600);

/// The C library and what it depends on: the machine's own is used, whatever its version.
/// Everything else comes into the cache, which so depends on nothing that may be removed.
const SYSTEM_LIBRARIES: &[&str] =
    &["libc6", "libc-bin", "libcrypt1", "libgcc-s1", "gcc-12-base", "gcc-14-base", "debconf"];

/// A compiler with a standard library for one target.
#[derive(Debug)]
pub(crate) struct Compiler {
    pub(crate) rustc: PathBuf,
    pub(crate) rustdoc: PathBuf,
    /// The source of the standard library is there, and no built one: `-Zbuild-std`.
    pub(crate) from_source: bool,
}

/// A linker, an emulator and the target's C library.
#[derive(Debug)]
pub(crate) struct Tools {
    pub(crate) linker: PathBuf,
    pub(crate) qemu: Option<PathBuf>,
    pub(crate) sysroot: PathBuf,
}

/// A line of apt's sources.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Source {
    uri: String,
    suite: String,
    signed_by: Option<String>,
}

/// The cache folder, locked while this lives: two runs do not unpack the same package.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    _lock: File,
}

impl Cache {
    /// Opens the cache, waiting for another run to finish with it.
    pub(crate) fn open() -> Result<Self, String> {
        for program in ["apt-get", "apt-cache", "dpkg", "dpkg-deb"] {
            if which(program).is_none() {
                return Err("this is no Debian system".into());
            }
        }
        let base = std::env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty());
        let base = match base {
            Some(folder) => PathBuf::from(folder),
            None => std::env::home_dir().ok_or("no home folder")?.join(".cache"),
        };
        let folder = base.join("cinder");
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let lock = File::create(folder.join("lock")).map_err(|error| error.to_string())?;
        if lock.try_lock().is_err() {
            say("    waiting for another run that fills the cache");
            lock.lock().map_err(|error| error.to_string())?;
        }
        Ok(Self { folder, _lock: lock })
    }

    /// A compiler and the standard library of `target`, fetched if need be.
    pub(crate) fn compiler(&self, target: &Target) -> Result<Compiler, String> {
        if let Some(compiler) = self.compiler_at_hand(target) {
            return Ok(compiler);
        }
        let native = native_architecture()?;
        let host = Apt::new(self, &native, &Status::SystemLibraries)?;
        let library = if target.is_bare() { "rust-web-src" } else { "libstd-rust-web-dev" };
        let foreign = if target.is_bare() || target.debian == native {
            None
        } else {
            Some(Apt::new(self, target.debian, &Status::Empty)?)
        };
        let library_apt = foreign.as_ref().unwrap_or(&host);

        // Newest first: the versions before Debian's revision must agree.
        let mut libraries = library_apt.versions(library);
        libraries.sort_by_key(|version| std::cmp::Reverse(numbers(version)));
        let compilers = host.versions("rustc-web");
        let found = libraries.iter().find_map(|library| {
            let same = compilers.iter().find(|rustc| upstream(rustc) == upstream(library))?;
            let version = numbers(same);
            let new_enough = version.len() >= 2 && (version[0], version[1]) >= OLDEST;
            new_enough.then_some((library, same))
        });
        let (library_version, rustc_version) = found
            .ok_or_else(|| format!("Debian has no rustc-web and {library} of the same version"))?;

        let folder = self.folder.join(format!("rust-{}", upstream(rustc_version)));
        if !has(&folder, "rustc-web") {
            say(&format!("    fetching rustc-web {rustc_version}"));
            host.unpack_all(&[format!("rustc-web={rustc_version}")], &folder)?;
            mark(&folder, "rustc-web")?;
        }
        let mark_name = format!("{library}-{}", target.triple);
        say(&format!("    fetching {library} {library_version} ({})", target.triple));
        library_apt.unpack_one(&format!("{library}={library_version}"), &folder)?;
        if !target.is_bare() {
            probe(&wrappers(&folder)?.0, target)?;
        }
        mark(&folder, &mark_name)?;
        self.compiler_at_hand(target).ok_or_else(|| "the cache was changed meanwhile".into())
    }

    /// A compiler that an earlier run has unpacked.
    fn compiler_at_hand(&self, target: &Target) -> Option<Compiler> {
        let library = if target.is_bare() { "rust-web-src" } else { "libstd-rust-web-dev" };
        let mark_name = format!("{library}-{}", target.triple);
        let mut folders: Vec<PathBuf> =
            fs::read_dir(&self.folder).ok()?.flatten().map(|entry| entry.path()).collect();
        folders.retain(|folder| has(folder, "rustc-web") && has(folder, &mark_name));
        folders.sort_by_key(|folder| numbers(&folder.to_string_lossy()));
        let (rustc, rustdoc) = wrappers(folders.last()?).ok()?;
        Some(Compiler { rustc, rustdoc, from_source: target.is_bare() })
    }

    /// A linker, the C library and, if `target` needs one, an emulator; fetched if need be.
    pub(crate) fn tools(&self, target: &Target) -> Result<Tools, String> {
        let folder = self.folder.join("tools");
        if !has(&folder, target.triple) {
            let native = native_architecture()?;
            let apt = Apt::new(self, &native, &Status::SystemLibraries)?;
            let mut packages =
                vec![format!("gcc-{}", target.gnu), format!("libc6-dev-{}-cross", target.debian)];
            if !target.qemu.is_empty() && !has(&folder, "qemu-user") {
                packages.push("qemu-user".into());
            }
            say(&format!("    fetching {}", packages.join(", ")));
            apt.unpack_all(&packages, &folder)?;
            if !target.qemu.is_empty() {
                mark(&folder, "qemu-user")?;
            }
            mark(&folder, target.triple)?;
        }
        // rustc tells how to call a linker from the end of its name.
        let gcc = format!("{}-gcc", target.gnu);
        let linker = wrapper(&folder, &gcc, &format!("--sysroot={}", quoted(&folder)))?;
        let qemu = match target.qemu {
            "" => None,
            // The emulator's library path is not the guest's.
            name => Some(wrapper(&folder, name, "-U LD_LIBRARY_PATH")?),
        };
        Ok(Tools { linker, qemu, sysroot: folder.join("usr").join(target.gnu) })
    }
}

/// Which packages apt is to take for installed.
enum Status {
    /// None: apt only fetches single packages.
    Empty,
    /// The machine's C library.
    SystemLibraries,
}

/// apt with a state of its own.
struct Apt {
    folder: PathBuf,
    options: Vec<String>,
}

impl Apt {
    /// Brings the lists of `architecture` up to date.
    fn new(cache: &Cache, architecture: &str, status: &Status) -> Result<Self, String> {
        let folder = cache.folder.join("apt").join(architecture);
        for part in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(folder.join(part)).map_err(|error| error.to_string())?;
        }
        let suites = match status {
            Status::Empty => &["", NEWER_SUITE][..],
            Status::SystemLibraries => &[""][..],
        };
        let installed = match status {
            Status::Empty => String::new(),
            Status::SystemLibraries => {
                let text = fs::read_to_string("/var/lib/dpkg/status");
                system_libraries(&text.map_err(|error| error.to_string())?)
            }
        };
        let write = |name: &str, text: &str| {
            fs::write(folder.join(name), text).map_err(|error| error.to_string())
        };
        write("status", &installed)?;
        write("sources.list", &sources_list(&system_sources()?, suites))?;

        let path = folder.display();
        let options = [
            format!("Dir::State={path}"),
            format!("Dir::State::lists={path}/lists"),
            format!("Dir::State::status={path}/status"),
            format!("Dir::Cache={path}/cache"),
            format!("Dir::Etc::sourcelist={path}/sources.list"),
            "Dir::Etc::sourceparts=/dev/null".into(),
            format!("APT::Architecture={architecture}"),
            format!("APT::Architectures={architecture}"),
            format!("APT::Architectures::={architecture}"),
            "Acquire::Languages=none".into(),
            "APT::Sandbox::User=root".into(),
            "Debug::NoLocking=1".into(),
        ];
        let apt = Self {
            options: options.into_iter().flat_map(|option| ["-o".into(), option]).collect(),
            folder,
        };
        let stamp = apt.folder.join("updated");
        let age = fs::metadata(&stamp).and_then(|data| data.modified()).ok();
        let age = age.and_then(|time| time.elapsed().ok());
        if age.is_none_or(|age| age > LISTS_AGE) {
            say(&format!("    apt-get update ({architecture}, in the cache)"));
            // It fails when a single index is stale on the mirror; what counts is whether the
            // packages are then found.
            let (fine, _) = capture(apt.command("apt-get").arg("update"));
            if fine {
                fs::write(&stamp, "").map_err(|error| error.to_string())?;
            }
        }
        Ok(apt)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.args(&self.options).env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C");
        command
    }

    /// The versions of a package on offer.
    fn versions(&self, package: &str) -> Vec<String> {
        let text = stdout(self.command("apt-cache").args(["madison", package]));
        let versions = text.unwrap_or_default();
        let mut columns = versions.lines().map(|line| line.split('|').map(str::trim));
        let mut found = Vec::new();
        for line in &mut columns {
            let columns: Vec<&str> = line.collect();
            if columns.len() == 3 && columns[2].ends_with("Packages") {
                found.push(columns[1].to_owned());
            }
        }
        found
    }

    /// Unpacks packages and what they depend on and the machine lacks.
    fn unpack_all(&self, packages: &[String], folder: &Path) -> Result<(), String> {
        let archives = self.folder.join("cache/archives");
        clear(&archives);
        let mut command = self.command("apt-get");
        command.args(["install", "--yes", "--no-install-recommends", "--download-only"]);
        let (fine, output) = capture(command.args(packages));
        if !fine {
            return Err(format!(
                "apt-get could not fetch {}: {}",
                packages.join(" "),
                complaint(&output)
            ));
        }
        unpack(&archives, folder)
    }

    /// Unpacks one package, without what it depends on.
    fn unpack_one(&self, package: &str, folder: &Path) -> Result<(), String> {
        let archives = self.folder.join("single");
        fs::create_dir_all(&archives).map_err(|error| error.to_string())?;
        clear(&archives);
        let mut command = self.command("apt-get");
        let (fine, output) = capture(command.args(["download", package]).current_dir(&archives));
        if !fine {
            return Err(format!("apt-get could not fetch {package}: {}", complaint(&output)));
        }
        unpack(&archives, folder)
    }
}

/// Unpacks all packages of a folder, and removes them.
fn unpack(archives: &Path, folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let packages: Vec<PathBuf> = debs(archives);
    if packages.is_empty() {
        return Err("apt-get fetched nothing".into());
    }
    for package in packages {
        let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !SYSTEM_LIBRARIES.iter().any(|library| name.starts_with(&format!("{library}_"))) {
            let (fine, output) = capture(Command::new("dpkg").arg("-x").arg(&package).arg(folder));
            if !fine {
                return Err(format!("{name}: {output}"));
            }
        }
        let _ = fs::remove_file(&package);
    }
    Ok(())
}

fn debs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some("deb".as_ref()))
        .collect()
}

fn clear(folder: &Path) {
    for package in debs(folder) {
        let _ = fs::remove_file(package);
    }
}

/// Whether the folder has been filled with `what`, to the end.
fn has(folder: &Path, what: &str) -> bool {
    folder.join("complete").join(what).is_file()
}

fn mark(folder: &Path, what: &str) -> Result<(), String> {
    let marks = folder.join("complete");
    fs::create_dir_all(&marks).map_err(|error| error.to_string())?;
    fs::write(marks.join(what), "").map_err(|error| error.to_string())
}

/// Scripts that run the unpacked rustc and rustdoc.
fn wrappers(folder: &Path) -> Result<(PathBuf, PathBuf), String> {
    let sysroot = format!("--sysroot={}", quoted(&folder.join("usr")));
    Ok((wrapper(folder, "rustc", &sysroot)?, wrapper(folder, "rustdoc", &sysroot)?))
}

/// A script that runs an unpacked program with its libraries and some first arguments.
fn wrapper(folder: &Path, program: &str, arguments: &str) -> Result<PathBuf, String> {
    let scripts = folder.join("scripts");
    fs::create_dir_all(&scripts).map_err(|error| error.to_string())?;
    let script = scripts.join(program);
    let libraries: OsString = join_paths(
        &library_folders(folder).iter().map(|path| path.as_os_str()).collect::<Vec<_>>(),
    );
    let text = format!(
        "#!/bin/sh\nLD_LIBRARY_PATH={} exec {} {arguments} \"$@\"\n",
        quoted(Path::new(&libraries)),
        quoted(&folder.join("usr/bin").join(program)),
    );
    // Not rewritten when it is right: another run may be executing it.
    if fs::read_to_string(&script).ok().as_deref() != Some(&text) {
        fs::write(&script, text).map_err(|error| error.to_string())?;
        make_executable(&script).map_err(|error| error.to_string())?;
    }
    Ok(script)
}

#[cfg(unix)]
fn make_executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// `usr/lib/x86_64-linux-gnu` and its like.
fn library_folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for parent in ["usr/lib", "lib"] {
        let entries = fs::read_dir(folder.join(parent)).into_iter().flatten().flatten();
        folders.extend(
            entries
                .map(|entry| entry.path())
                .filter(|path| path.is_dir() && path.to_string_lossy().contains("-linux-gnu")),
        );
    }
    folders.sort();
    folders
}

/// For the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// Has rustc read the target's core library; it refuses one of another compiler.
fn probe(rustc: &Path, target: &Target) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("cinder-probe-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let source = folder.join("probe.rs");
    fs::write(&source, "#![no_std]\n").map_err(|error| error.to_string())?;
    let mut command = Command::new(rustc);
    command.args(["--crate-type", "lib", "--emit", "metadata", "--target", target.triple]);
    let (fine, output) = capture(command.arg("--out-dir").arg(&folder).arg(&source));
    let _ = fs::remove_dir_all(&folder);
    if fine { Ok(()) } else { Err(format!("rustc-web refuses the standard library:\n{output}")) }
}

fn native_architecture() -> Result<String, String> {
    let text = stdout(Command::new("dpkg").arg("--print-architecture"));
    Ok(text.ok_or("dpkg does not tell the architecture")?.trim().to_owned())
}

/// A Debian version without its revision and without what repacking added: `1.96.0`.
fn upstream(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    version.split(['+', '-', '~']).next().unwrap_or(version)
}

/// The numbers of an upstream version, for ordering.
fn numbers(version: &str) -> Vec<u32> {
    let version = version.rsplit(['/', '\\']).next().unwrap_or(version);
    let version = version.strip_prefix("rust-").unwrap_or(version);
    upstream(version).split('.').filter_map(|part| part.parse().ok()).collect()
}

/// Of dpkg's list of installed packages, those that the cache does not hold copies of.
fn system_libraries(status: &str) -> String {
    let mut kept = String::new();
    for stanza in status.split("\n\n") {
        let package = stanza.lines().find_map(|line| line.strip_prefix("Package: "));
        if package.is_some_and(|name| SYSTEM_LIBRARIES.contains(&name)) {
            kept.push_str(stanza.trim_matches('\n'));
            kept.push_str("\n\n");
        }
    }
    kept
}

/// What apt complained of, on one line.
fn complaint(output: &str) -> String {
    let mut lines = output.lines().filter(|line| line.starts_with("E:"));
    lines.next_back().unwrap_or("it says no reason").to_owned()
}

/// Debian's archives among the machine's own sources.
fn system_sources() -> Result<Vec<Source>, String> {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let codename = release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
        .ok_or("this system's release has no code name")?
        .trim_matches('"');
    let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
    let parts = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten();
    let mut parts: Vec<PathBuf> = parts.map(|entry| entry.path()).collect();
    parts.sort();
    files.extend(parts);
    let mut sources = Vec::new();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("list") => sources.extend(one_line_sources(&text)),
            Some("sources") => sources.extend(stanza_sources(&text)),
            _ => {}
        }
    }
    debian_sources(&sources, codename)
        .ok_or_else(|| format!("apt's sources have no Debian archive of {codename}"))
}

/// Of all sources, the release itself and its security updates.
fn debian_sources(sources: &[Source], codename: &str) -> Option<Vec<Source>> {
    let main = sources.iter().find(|source| source.suite == codename)?.clone();
    let security = format!("{codename}-security");
    let security = match sources.iter().find(|source| source.suite == security) {
        Some(source) => source.clone(),
        // Mirrors have both side by side.
        None => {
            let uri = main.uri.trim_end_matches('/');
            Source { uri: format!("{uri}-security"), suite: security, ..main.clone() }
        }
    };
    Some(vec![main, security])
}

/// `deb [signed-by=KEY] URI SUITE main`.
fn one_line_sources(text: &str) -> Vec<Source> {
    let mut sources = Vec::new();
    for line in text.lines().map(str::trim) {
        let Some(rest) = line.strip_prefix("deb ") else { continue };
        let rest = rest.trim();
        let (options, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((options, rest)) => (options, rest),
            None => ("", rest),
        };
        let mut words = rest.split_whitespace();
        let (Some(uri), Some(suite)) = (words.next(), words.next()) else { continue };
        if words.any(|component| component == "main") {
            let key = options.split_whitespace().find_map(|word| word.strip_prefix("signed-by="));
            sources.push(Source {
                uri: uri.into(),
                suite: suite.into(),
                signed_by: key.map(str::to_owned),
            });
        }
    }
    sources
}

/// Stanzas of `URIs:`, `Suites:`, `Components:` and `Signed-By:`.
fn stanza_sources(text: &str) -> Vec<Source> {
    let mut sources = Vec::new();
    for stanza in text.split("\n\n") {
        let field = |name: &str| {
            let mut lines = stanza.lines();
            let line = lines.find(|line| line.to_ascii_lowercase().starts_with(name))?;
            Some(line[name.len()..].trim().to_owned())
        };
        let is_off = field("enabled:").is_some_and(|value| value == "no");
        let (Some(uris), Some(suites)) = (field("uris:"), field("suites:")) else { continue };
        if is_off || !field("types:").is_some_and(|types| types.split(' ').any(|t| t == "deb")) {
            continue;
        }
        let key = field("signed-by:").filter(|key| key.starts_with('/'));
        for uri in uris.split_whitespace() {
            for suite in suites.split_whitespace() {
                sources.push(Source {
                    uri: uri.into(),
                    suite: suite.into(),
                    signed_by: key.clone(),
                });
            }
        }
    }
    sources
}

/// A list for apt: each source in each release; the empty name is the machine's own release.
fn sources_list(sources: &[Source], releases: &[&str]) -> String {
    let own = sources.first().map_or("", |source| source.suite.as_str());
    let mut text = String::new();
    for release in releases {
        if *release == own {
            continue;
        }
        for source in sources {
            let suite = match *release {
                "" => source.suite.clone(),
                _ => source.suite.replacen(own, release, 1),
            };
            let key = source.signed_by.as_ref();
            let key = key.map_or(String::new(), |key| format!("[signed-by={key}] "));
            text.push_str(&format!("deb {key}{} {suite} main\n", source.uri));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# deb cdrom:[x]/ a main\n\
                        deb [arch=amd64 signed-by=/k.gpg] mirror:/debian bookworm main contrib\n\
                        deb other:/x stable tools\n";
    const STANZAS: &str = "Types: deb deb-src\nURIs: mirror:/debian\n\
                           Suites: bookworm bookworm-updates\nComponents: main\n\
                           Signed-By: /k.gpg\n\n\
                           Types: deb\n# comment\nURIs: mirror:/sec\nSuites: bookworm-security\n\
                           Components: main\n";

    fn source(uri: &str, suite: &str, key: Option<&str>) -> Source {
        Source { uri: uri.into(), suite: suite.into(), signed_by: key.map(str::to_owned) }
    }

    #[test]
    fn reads_both_forms_of_sources() {
        let key = Some("/k.gpg");
        assert_eq!(one_line_sources(LIST), [source("mirror:/debian", "bookworm", key)]);
        assert_eq!(
            stanza_sources(STANZAS),
            [
                source("mirror:/debian", "bookworm", key),
                source("mirror:/debian", "bookworm-updates", key),
                source("mirror:/sec", "bookworm-security", None),
            ]
        );
    }

    #[test]
    fn derives_the_newer_release_from_the_machines_own() {
        let sources = debian_sources(&stanza_sources(STANZAS), "bookworm").unwrap();
        assert_eq!(
            sources_list(&sources, &["", "trixie"]),
            "deb [signed-by=/k.gpg] mirror:/debian bookworm main\n\
             deb mirror:/sec bookworm-security main\n\
             deb [signed-by=/k.gpg] mirror:/debian trixie main\n\
             deb mirror:/sec trixie-security main\n"
        );
        // Without a source for security updates: beside the archive.
        let sources = debian_sources(&one_line_sources(LIST), "bookworm").unwrap();
        assert_eq!(sources[1].uri, "mirror:/debian-security");
        assert_eq!(debian_sources(&sources, "noble"), None);
    }

    #[test]
    fn versions_are_compared_without_debians_revision() {
        assert_eq!(upstream("1.96.0+dfsg1-1~deb12u2"), "1.96.0");
        assert_eq!(upstream("1:22.1.8-1"), "22.1.8");
        assert_eq!(numbers("cache/rust-1.96.0"), [1, 96, 0]);
    }

    #[test]
    fn the_machines_c_library_is_kept_and_nothing_else() {
        let status = "Package: bash\nStatus: ok\n\nPackage: libc6\nStatus: ok\n\n\
                      Package: libc6-dev\n\nPackage: libllvm22\n\nPackage: libgcc-s1\n";
        let kept = system_libraries(status);
        assert_eq!(kept, "Package: libc6\nStatus: ok\n\nPackage: libgcc-s1\n\n");
    }

    #[test]
    fn complaints_are_one_line() {
        assert_eq!(complaint("Reading\nE: first\nE: no such package\n"), "E: no such package");
    }
}
