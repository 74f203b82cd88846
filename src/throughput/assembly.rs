//! Putting an answer together: time parts, operations, communication, fractions.

use super::{
    answer::{
        AchievedFraction, Bound, CommunicationGroup, GroupTraffic, Operation, OperationClass,
        TimePart,
    },
    classes::ClassCosts,
    collectives::Load,
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

/// What one axis sends, and what of it shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent<'a> {
    /// Which axis.
    pub group: CommunicationGroup,
    /// The link that it spans.
    pub path: &'a Path,
    /// Time and bytes.
    pub load: Load,
    /// Of the time, what nothing hides.
    pub exposed_secs: f64,
}

/// Axes that send something.
pub(super) fn communication(rows: &[Sent<'_>]) -> Vec<GroupTraffic> {
    rows.iter()
        .filter(|sent| sent.load.secs > 0.0)
        .map(|sent| GroupTraffic {
            group: sent.group,
            ranks: Bytes::from_f64(sent.path.size).0,
            crosses_nodes: sent.path.crosses_nodes,
            bytes: Bytes::from_f64(sent.load.bytes),
            time: Secs(sent.load.secs),
            exposed: Secs(sent.exposed_secs),
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
