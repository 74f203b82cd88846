//! Who a process is: its command and its owner, as the operating system has them.

mod redact;

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use super::{Missing, Reading};

/// Characters of a command line that are kept.
const MOST_CHARACTERS: usize = 80;
/// A name is read again after this long; nobody changes theirs often.
const NAMED_FOR: Duration = Duration::from_secs(10);

/// Command and owner of a process.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub name: Reading<String>,
    pub user: Reading<String>,
}

/// Processes that were asked for before.
#[derive(Default)]
pub(super) struct ProcessTable {
    known: HashMap<u32, (Instant, Named)>,
    users: Users,
}

impl ProcessTable {
    /// Command and owner of a process.
    pub fn named(&mut self, pid: u32) -> Named {
        let now = Instant::now();
        if let Some((at, named)) = self.known.get(&pid)
            && now.duration_since(*at) < NAMED_FOR
        {
            return named.clone();
        }
        let named = Named { name: command(pid), user: self.users.owner(pid) };
        self.known.insert(pid, (now, named.clone()));
        named
    }

    /// Forgets whom nobody asked for lately.
    pub fn forget_old(&mut self) {
        self.known.retain(|_, (at, _)| at.elapsed() < 2 * NAMED_FOR);
    }
}

/// The first characters of the command line without secrets; the short name where there is none.
#[cfg(target_os = "linux")]
fn command(pid: u32) -> Reading<String> {
    let line = match std::fs::read(format!("/proc/{pid}/cmdline")) {
        Ok(line) => line,
        Err(error) => return Reading::Missing(why(&error)),
    };
    let words: Vec<_> = line
        .split(|byte| *byte == 0)
        .filter(|word| !word.is_empty())
        .map(String::from_utf8_lossy)
        .collect();
    if !words.is_empty() {
        return Reading::Value(redact::shown(&words, MOST_CHARACTERS));
    }
    match std::fs::read_to_string(format!("/proc/{pid}/comm")) {
        Ok(name) => Reading::Value(redact::shown(&[name.trim_end().into()], MOST_CHARACTERS)),
        Err(error) => Reading::Missing(why(&error)),
    }
}

#[cfg(not(target_os = "linux"))]
fn command(_pid: u32) -> Reading<String> {
    Reading::Missing(Missing::NotAvailable)
}

/// A container's process table lacks the processes of others.
#[cfg(target_os = "linux")]
fn why(error: &std::io::Error) -> Missing {
    match error.kind() {
        std::io::ErrorKind::PermissionDenied => Missing::NoPermission,
        _ => Missing::NotAvailable,
    }
}

/// Names of users by number.
#[derive(Default)]
struct Users {
    names: HashMap<u32, String>,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has the file"))]
    read_at: Option<Instant>,
}

impl Users {
    #[cfg(target_os = "linux")]
    fn owner(&mut self, pid: u32) -> Reading<String> {
        use std::os::unix::fs::MetadataExt as _;
        match std::fs::metadata(format!("/proc/{pid}")) {
            Ok(entry) => Reading::Value(self.name(entry.uid())),
            Err(error) => Reading::Missing(why(&error)),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn owner(&mut self, _pid: u32) -> Reading<String> {
        Reading::Missing(Missing::NotAvailable)
    }

    /// The name of a user, or the number where the system's file lacks it (a directory service).
    #[cfg(target_os = "linux")]
    fn name(&mut self, uid: u32) -> String {
        const READ_AGAIN_AFTER: Duration = Duration::from_mins(1);
        let stale = self.read_at.is_none_or(|at| at.elapsed() > READ_AGAIN_AFTER);
        if stale && !self.names.contains_key(&uid) {
            self.read_at = Some(Instant::now());
            let file = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
            self.names.extend(file.lines().filter_map(user));
        }
        self.names.get(&uid).cloned().unwrap_or_else(|| uid.to_string())
    }
}

/// Number and name of a line `name:password:number:…`.
#[cfg(target_os = "linux")]
fn user(line: &str) -> Option<(u32, String)> {
    let mut fields = line.split(':');
    let name = fields.next()?;
    let number = fields.nth(1)?.parse().ok()?;
    Some((number, name.to_owned()))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_very_process_has_a_name_and_an_owner() {
        let mut table = ProcessTable::default();
        let named = table.named(std::process::id());
        assert!(matches!(&named.name, Reading::Value(name) if name.contains("vramplan")));
        assert!(named.user.value().is_some(), "{named:?}");
    }

    #[test]
    fn a_process_that_is_not_there_has_neither() {
        let named = ProcessTable::default().named(u32::MAX);
        assert_eq!(named.name, Reading::Missing(Missing::NotAvailable), "not an empty name");
        assert_eq!(named.user, Reading::Missing(Missing::NotAvailable), "nor an empty owner");
    }
}
