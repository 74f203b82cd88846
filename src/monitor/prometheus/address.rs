//! The address of a server, checked; the password in it is used and never shown.

use std::net::IpAddr;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ureq::http::Uri;

use crate::{message::Message, monitor::Fault};

/// Where instant queries are asked.
const QUERY_PATH: &str = "/api/v1/query";

/// A server's address.
pub(in crate::monitor) struct Address {
    /// Host and port, without name and password.
    host: String,
    name: String,
    query_url: String,
    authorization: Option<String>,
}

impl Address {
    /// Checks what a person typed.
    ///
    /// # Errors
    ///
    /// A [`Fault`] that says what is wrong with it, without the password.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let text = text.trim();
        if text.is_empty() {
            return Err(fault(Message::new("live-address-empty")));
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(fault(Message::new("live-address-no-scheme")));
        };
        if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
            return Err(fault(
                Message::new("live-address-scheme").with("scheme", scheme.to_owned()),
            ));
        }
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        // People paste the address of the page they look at.
        let path = path.trim_end_matches('/');
        let path = path.strip_suffix(QUERY_PATH).or_else(|| path.strip_suffix("/graph"));
        let whole = path.unwrap_or_else(|| rest.get(authority.len()..).unwrap_or_default());
        let query_url = format!(
            "{}://{host}{}{QUERY_PATH}",
            scheme.to_ascii_lowercase(),
            whole.trim_end_matches('/')
        );
        let Some(name) = query_url.parse::<Uri>().ok().as_ref().and_then(name_of) else {
            return Err(fault(Message::new("live-address-host").with("host", host.to_owned())));
        };
        let authorization =
            user.map(|user| format!("Basic {}", BASE64_STANDARD.encode(decoded(user))));
        Ok(Self { host: host.to_owned(), name, query_url, authorization })
    }

    /// Host and port, for messages.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Where to ask, without name and password.
    pub fn query_url(&self) -> &str {
        &self.query_url
    }

    /// Value of the header that identifies the person, if the address has a name in it.
    pub fn authorization(&self) -> Option<&str> {
        self.authorization.as_deref()
    }

    /// The server runs on this machine.
    pub fn is_loopback(&self) -> bool {
        let name = self.name.trim_matches(['[', ']']);
        name.eq_ignore_ascii_case("localhost")
            || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

/// The host's name, if there is one and what stands behind it is a port.
fn name_of(uri: &Uri) -> Option<String> {
    let name = uri.host().filter(|name| !name.is_empty())?;
    let only_name = uri.authority()?.as_str() == name;
    (only_name || uri.port_u16().is_some()).then(|| name.to_owned())
}

/// Bytes behind `%41` and the like; what is no such code stays.
fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let code = rest.get(1..3).filter(|_| first == b'%');
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = rest.get(3..).unwrap_or_default();
        } else {
            let end = rest.char_indices().nth(1).map_or(rest.len(), |(at, _)| at);
            let (character, after) = rest.split_at(end);
            bytes.extend_from_slice(character.as_bytes());
            rest = after;
        }
    }
    bytes
}

fn fault(what: Message) -> Fault {
    Fault { what, remedy: Message::new("live-remedy-address") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
    }

    #[test]
    fn what_people_type_becomes_the_query_address() {
        for (text, url) in [
            ("http://host:9090", "http://host:9090/api/v1/query"),
            (" https://host/prometheus/ ", "https://host/prometheus/api/v1/query"),
            ("HTTP://host:9090/graph?g0.expr=up", "http://host:9090/api/v1/query"),
            ("http://host/api/v1/query", "http://host/api/v1/query"),
            ("http://[::1]:9090", "http://[::1]:9090/api/v1/query"),
        ] {
            assert_eq!(address(text).query_url(), url, "{text}");
        }
    }

    #[test]
    fn a_password_is_sent_and_never_shown() {
        let own = address("http://me:p%40ss@host:9090");
        assert_eq!(own.authorization(), Some("Basic bWU6cEBzcw=="), "me:p@ss");
        assert_eq!(own.host(), "host:9090");
        assert!(!own.query_url().contains("me"), "{}", own.query_url());
        for broken in ["http://me:p@ss@", "ftp://me:p@ss@host", "me:p@ss@host"] {
            let Err(fault) = Address::parse(broken) else { panic!("{broken} is no address") };
            assert!(!format!("{fault:?}").contains("p@ss"), "{fault:?}");
        }
    }

    #[test]
    fn what_is_no_address_says_what_is_missing() {
        let key = |text| Address::parse(text).err().map(|fault| fault.what.key);
        assert_eq!(key(""), Some("live-address-empty"));
        assert_eq!(key("host:9090"), Some("live-address-no-scheme"));
        assert_eq!(key("file:///etc/passwd"), Some("live-address-scheme"));
        assert_eq!(key("http://"), Some("live-address-host"));
        assert_eq!(key("http://a b"), Some("live-address-host"));
        assert_eq!(key("http://host:port"), Some("live-address-host"));
    }

    #[test]
    fn a_server_on_this_machine_is_known_by_any_of_its_names() {
        for text in ["http://localhost:1", "http://127.0.0.1", "http://[::1]:9090"] {
            assert!(address(text).is_loopback(), "{text}");
        }
        assert!(!address("http://localhost.example").is_loopback(), "another host");
    }
}
