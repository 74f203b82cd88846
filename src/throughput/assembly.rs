//! Putting an answer together: time parts, operations, communication, fractions.

use super::{
    answer::{
        AchievedFraction, Bound, CommunicationGroup, GroupTraffic, Operation, OperationClass,
        TimePart,
    },
    classes::ClassCosts,
    fractions,
    links::Path,
    operations::Bench,
    roofline::Cost,
    shown,
    traffic::Paths,
    training::bound_of,
};
use crate::{
    plan::Choice as _,
    units::{Bytes, Flops, Secs},
};

/// Number of time parts.
const PARTS: usize = 8;
/// Number of bounds.
const BOUNDS: usize = 6;

/// Seconds of every time part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeParts([f64; PARTS]);

impl TimeParts {
    /// Adds to one part.
    pub(super) fn add(&mut self, part: TimePart, secs: f64) {
        if let Some(slot) = self.0.get_mut(part as usize) {
            *slot += secs;
        }
    }

    fn shown(&self) -> impl Iterator<Item = (TimePart, Secs)> + '_ {
        TimePart::ALL
            .iter()
            .zip(self.0)
            .filter(|(_, secs)| *secs > 0.0)
            .map(|(&part, secs)| (part, Secs(secs)))
    }

    /// The sum, added in the order in which the parts are listed.
    pub(super) fn total(&self) -> Secs {
        self.shown().map(|(_, secs)| secs).sum()
    }

    /// Parts that take time, in the order of the bar.
    pub(super) fn into_vec(self) -> Vec<(TimePart, Secs)> {
        self.shown().collect()
    }

    /// What takes the largest share.
    pub(super) fn bound(&self) -> Bound {
        let mut shares = [0.0; BOUNDS];
        for (part, secs) in self.shown() {
            if let Some(share) = shares.get_mut(bound_of(part) as usize) {
                *share += secs.0;
            }
        }
        let largest = Bound::ALL.iter().zip(shares).fold(
            (Bound::Compute, 0.0),
            |largest, (&bound, share)| {
                if share > largest.1 { (bound, share) } else { largest }
            },
        );
        largest.0
    }
}

/// Operations that do something, with what limits each.
pub(super) fn operations(classes: &ClassCosts) -> Vec<Operation> {
    let mut operations = Vec::with_capacity(8);
    operations.extend(classes.by_class().map(|(class, cost)| operation(class, &cost)));
    operations
}

/// A cost with what limits it.
pub(super) fn operation(class: OperationClass, cost: &Cost) -> Operation {
    Operation {
        class,
        flops: Flops(cost.flops),
        bytes: Bytes::from_f64(cost.bytes),
        time: Secs(cost.secs()),
        kernels: cost.kernels(),
        bound: bound(cost),
    }
}

fn bound(cost: &Cost) -> Bound {
    let device = cost.compute_secs.max(cost.memory_secs);
    if cost.launch_secs > device {
        Bound::Launch
    } else if cost.compute_secs >= cost.memory_secs {
        Bound::Compute
    } else {
        Bound::MemoryBandwidth
    }
}

/// Axes that send something: `(axis, path, seconds, exposed seconds)`.
pub(super) fn communication(rows: &[(CommunicationGroup, &Path, f64, f64)]) -> Vec<GroupTraffic> {
    rows.iter()
        .filter(|(_, _, secs, _)| *secs > 0.0)
        .map(|&(group, path, secs, exposed)| GroupTraffic {
            group,
            ranks: Bytes::from_f64(path.size).0,
            crosses_nodes: path.crosses_nodes,
            time: Secs(secs),
            exposed: Secs(exposed),
        })
        .collect()
}

/// Achieved fractions that were used.
pub(super) fn fractions(bench: &Bench<'_>, paths: &Paths) -> Vec<AchievedFraction> {
    let machine = &bench.machine;
    let mut used = Vec::with_capacity(6);
    used.push(shown::matmul(machine.matmul_share));
    used.push(shown::attention(machine.attention_share));
    used.push(shown::bandwidth(machine.bandwidth_share));
    let all = [&paths.tensor, &paths.context, &paths.expert, &paths.shards, &paths.replicas];
    let by_network =
        |path: &&&Path| path.share == fractions::RING_SHARE_NETWORK && path.crosses_nodes;
    let talking = || all.iter().filter(|path| path.size > 1.0);
    if let Some(path) = talking().find(|path| !path.crosses_nodes) {
        used.push(shown::node_link(path.share));
    }
    if let Some(path) = talking().find(by_network) {
        used.push(shown::network(path.share));
    }
    if paths.shards.size > 1.0 || paths.replicas.size > 1.0 || paths.context.size > 1.0 {
        used.push(shown::overlap());
    }
    used
}
