//! Time of collectives over a path.
//!
//! `n` ranks, `M` bytes of the whole tensor, `W` bus bandwidth of the ring (achieved fraction
//! included), `τ_0` seconds of the smallest collective, `τ_1` of one more step.
//! Source: nccl-tests, "Performance"; the ring algorithm of Patarasuk and Yuan 2009.

use super::{fractions::COLLECTIVE_BASE_SECS, links::Path};

/// Time of some traffic, and the bytes that one rank sends in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Load {
    /// Seconds.
    pub secs: f64,
    /// Bytes.
    pub bytes: f64,
}

impl std::ops::Add for Load {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { secs: self.secs + other.secs, bytes: self.bytes + other.bytes }
    }
}

impl std::ops::Mul<f64> for Load {
    type Output = Self;
    fn mul(self, times: f64) -> Self {
        Self { secs: self.secs * times, bytes: self.bytes * times }
    }
}

/// Every rank gets the parts of all others.
///
/// ```text
/// τ = τ_0 + (n − 1)·τ_1 + (n − 1)/n · M/W
/// ```
pub(super) fn all_gather(path: &Path, bytes: f64) -> Load {
    if path.size <= 1.0 || bytes <= 0.0 {
        return Load::default();
    }
    let steps = path.size - 1.0;
    let sent = steps / path.size * bytes;
    let latency_secs = COLLECTIVE_BASE_SECS + steps * path.step_secs;
    Load { secs: latency_secs + sent / path.ring_bytes_per_sec, bytes: sent }
}

/// Every rank gets its part of the sum: the same traffic as an all-gather.
pub(super) fn reduce_scatter(path: &Path, bytes: f64) -> Load {
    all_gather(path, bytes)
}

/// Every rank gets the sum.
///
/// ```text
/// τ = τ_0 + (n − 1)·τ_1 + 2·(n − 1)/n · M/W
/// ```
///
/// Trees and in-switch reduction halve the steps, which keeps the latency at that of one pass.
pub(super) fn all_reduce(path: &Path, bytes: f64) -> Load {
    if path.size <= 1.0 || bytes <= 0.0 {
        return Load::default();
    }
    let steps = path.size - 1.0;
    let sent = 2.0 * steps / path.size * bytes;
    let latency_secs = COLLECTIVE_BASE_SECS + steps * path.step_secs;
    Load { secs: latency_secs + sent / path.ring_bytes_per_sec, bytes: sent }
}

/// Every rank sends a different part of its `M` bytes to every other.
///
/// ```text
/// τ = τ_0 + τ_1 + max(M·local/W_node, M·remote/W_network)
/// ```
pub(super) fn all_to_all(path: &Path, bytes: f64) -> Load {
    if path.size <= 1.0 || bytes <= 0.0 {
        return Load::default();
    }
    let local_share = 1.0 - path.remote_share - 1.0 / path.size;
    let (local, remote) = (bytes * local_share.max(0.0), bytes * path.remote_share);
    at_once(path, local, remote)
}

/// Every rank sends its `M` bytes of tokens to the experts of each, once to every node that has some of
/// them; there they are handed on.
///
/// ```text
/// τ = τ_0 + τ_1 + max(k·M·(n − 1)/n/W_node, M·(N − 1)·(1 − (1 − 1/N)^k)/W_network)
/// ```
///
/// `k` experts a token spread evenly over `N` nodes. Source: DeepSeek-AI 2024, arXiv:2412.19437,
/// section 3.2.2; its limit of four nodes a token is not counted.
pub(super) fn dispatch_once(path: &Path, bytes: f64, experts: f64) -> Load {
    if path.size <= 1.0 || bytes <= 0.0 {
        return Load::default();
    }
    let nodes = 1.0 / (1.0 - path.remote_share).max(f64::MIN_POSITIVE);
    let reached = (nodes - 1.0) * (1.0 - (1.0 - 1.0 / nodes).powf(experts));
    at_once(path, bytes * experts * (1.0 - 1.0 / path.size), bytes * reached)
}

/// Bytes to ranks of the own node and of other nodes, over their links at the same time.
fn at_once(path: &Path, local: f64, remote: f64) -> Load {
    let local_secs = local / path.node_bytes_per_sec;
    let remote_secs = remote / path.network_bytes_per_sec;
    Load {
        secs: COLLECTIVE_BASE_SECS + path.step_secs + local_secs.max(remote_secs),
        bytes: local + remote,
    }
}

/// One rank sends to a neighbour.
///
/// ```text
/// τ = τ_0 + τ_1 + M/W
/// ```
pub(super) fn send(path: &Path, bytes: f64) -> Load {
    if path.size <= 1.0 || bytes <= 0.0 {
        return Load::default();
    }
    let rate =
        if path.crosses_nodes { path.network_bytes_per_sec } else { path.node_bytes_per_sec };
    Load { secs: COLLECTIVE_BASE_SECS + path.step_secs + bytes / rate, bytes }
}

/// What of a collective shows although compute runs at the same time.
///
/// ```text
/// exposed = τ − min(ω·τ, window)        ω largest share that can hide
/// ```
pub(super) fn exposed_secs(secs: f64, window_secs: f64) -> f64 {
    secs - (secs * super::fractions::OVERLAP_SHARE).min(window_secs.max(0.0))
}

/// Compute time of a step that traffic can hide behind; what one kind of traffic uses is gone for the
/// next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    left_secs: f64,
}

impl Window {
    /// So much time to hide behind.
    pub(super) fn new(secs: f64) -> Self {
        Self { left_secs: secs.max(0.0) }
    }

    /// What shows of traffic that may hide behind at most `limit_secs` of what is left.
    pub(super) fn exposed_secs(&mut self, secs: f64, limit_secs: f64) -> f64 {
        let exposed = exposed_secs(secs, self.left_secs.min(limit_secs));
        self.left_secs -= secs - exposed;
        exposed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(size: f64) -> Path {
        Path {
            size,
            ring_bytes_per_sec: 100e9,
            node_bytes_per_sec: 100e9,
            network_bytes_per_sec: 50e9,
            remote_share: 0.0,
            step_secs: 0.0,
            share: 1.0,
            crosses_nodes: false,
        }
    }

    #[test]
    fn an_all_reduce_moves_twice_what_a_gather_moves() {
        let (gather, reduce) = (all_gather(&ring(8.0), 8e9).secs, all_reduce(&ring(8.0), 8e9).secs);
        assert!((gather - 0.07).abs() < 1e-4, "7/8 of 8 GB at 100 GB/s: {gather}");
        assert!((reduce - 0.14).abs() < 1e-4, "twice that: {reduce}");
    }

    #[test]
    fn a_rank_alone_sends_nothing() {
        let alone = ring(1.0);
        assert!(all_gather(&alone, 1e9) == Load::default(), "no gather");
        assert!(all_to_all(&alone, 1e9) == Load::default(), "no exchange");
        assert!(send(&alone, 1e9) == Load::default(), "no send");
    }

    #[test]
    fn what_hides_behind_a_window_is_gone_for_the_next() {
        let mut window = Window::new(1.0);
        assert!((window.exposed_secs(1.0, f64::INFINITY) - 0.1).abs() < 1e-9, "nine tenths hide");
        assert!((window.exposed_secs(1.0, f64::INFINITY) - 0.9).abs() < 1e-9, "a tenth is left");
    }
}
