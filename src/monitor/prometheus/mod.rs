//! Reading the GPUs of a fleet from a Prometheus server that scrapes NVIDIA's DCGM exporter.
//!
//! Two instant queries a sample: the figures, and how old they are. Nothing is ever written.

mod address;
mod answer;
mod fault;

use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use ureq::{
    Agent, Proxy,
    tls::{RootCerts, TlsConfig, TlsProvider},
};

pub(super) use self::address::Address;
use super::{Fault, Sampler, Snapshot};

/// Largest answer that is read: some ten thousand GPUs.
const MOST_ANSWER_BYTES: u64 = 64 << 20;
/// Shortest and longest time that an answer may take.
const TIMEOUTS: std::ops::RangeInclusive<Duration> =
    Duration::from_millis(100)..=Duration::from_mins(1);
/// Figures older than this mean that nobody scrapes the exporters any more.
const STALE_AFTER_SECS: f64 = 120.0;

/// The figures of all GPUs. Names and units are those of DCGM's field identifiers.
///
/// Source: NVIDIA's DCGM exporter, its default counters.
const FIGURES: &str = "{__name__=~\"DCGM_FI_DEV_(FB_USED|FB_FREE|FB_RESERVED|GPU_UTIL|\
                       MEM_COPY_UTIL|POWER_USAGE|GPU_TEMP|SM_CLOCK|MEM_CLOCK)\"}";
/// When the newest figure was scraped.
const NEWEST: &str = "max(timestamp(DCGM_FI_DEV_FB_USED))";

/// Reads a Prometheus server.
pub(super) struct PrometheusSampler {
    address: Address,
    agent: Agent,
}

impl PrometheusSampler {
    /// Prepares to ask a server; nothing is sent yet.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the address is none.
    pub fn open(url: &str, timeout: Duration) -> Result<Self, Fault> {
        let address = Address::parse(url)?;
        let timeout = timeout.clamp(*TIMEOUTS.start(), *TIMEOUTS.end());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(provider)
            .build();
        // A server on this machine is never behind a proxy.
        let proxy = if address.is_loopback() { None } else { Proxy::try_from_env() };
        let agent = Agent::config_builder()
            .tls_config(tls)
            .proxy(proxy)
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            // A redirect could lead to another host, with the password.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("vramplan/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Ok(Self { address, agent })
    }

    fn ask(&self, query: &str) -> Result<Vec<u8>, Fault> {
        let host = self.address.host();
        let mut request = self.agent.get(self.address.query_url()).query("query", query);
        if let Some(authorization) = self.address.authorization() {
            request = request.header("Authorization", authorization);
        }
        let mut response = request.call().map_err(|error| fault::of_call(&error, host))?;
        let location = response.headers().get("location").and_then(|it| it.to_str().ok());
        fault::check_status(response.status().as_u16(), location, host)?;
        response
            .body_mut()
            .with_config()
            .limit(MOST_ANSWER_BYTES)
            .read_to_vec()
            .map_err(|error| fault::of_call(&error, host))
    }
}

impl Sampler for PrometheusSampler {
    fn sample(&mut self) -> Result<Snapshot, Fault> {
        let host = self.address.host();
        let figures = self.ask(FIGURES)?;
        let fleet = answer::fleet(&figures, host)?;
        if fleet.gpus.is_empty() {
            return Err(fault::no_figures(host));
        }
        let newest = self.ask(NEWEST)?;
        if let Some(age_secs) = answer::age_secs(&newest, host)?
            && age_secs > STALE_AFTER_SECS
        {
            return Err(fault::stale(host, age_secs));
        }
        // Our own clock, as for every other source: the server's may differ.
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Ok(Snapshot {
            unix_secs: now.map_or(0.0, |since| since.as_secs_f64()),
            host: fleet.host,
            gpus: fleet.gpus,
        })
    }
}
