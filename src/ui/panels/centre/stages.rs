//! Which GPU roles the memory bar shows: stages that hold the same are one role, and of many only the telling ones.

use crate::{
    memory::{MemoryEstimate, StageMemory},
    text::Texts,
    ui::session::{Pinned, Ready},
};

/// Roles that are all shown; with more, only the worst, the first, the last and the chosen one.
pub const MOST_ROLES: usize = 6;

/// Stages that hold exactly the same at their peak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuRole {
    /// Indices of the stages, rising.
    pub stages: Vec<usize>,
}

impl GpuRole {
    /// The stage that stands for the role: the chosen one if it is among them, else the first.
    #[must_use]
    pub fn representative(&self, chosen: usize) -> usize {
        if self.stages.contains(&chosen) {
            chosen
        } else {
            self.stages.first().copied().unwrap_or_default()
        }
    }

    /// "Every GPU", "Stage 3", "Stages 1–6, 9".
    #[must_use]
    pub fn name(&self, texts: &Texts, memory: &MemoryEstimate) -> String {
        if memory.stages.len() <= 1 {
            return texts.get("role-every-gpu").into_owned();
        }
        let ranges = ranges(&self.stages);
        match self.stages.len() {
            1 => texts.with("role-stage", &[("stage", &ranges)]),
            _ => texts.with("role-stages", &[("stages", &ranges)]),
        }
    }
}

/// Rising numbers as ranges: `1–6, 9`; after two ranges `…`.
fn ranges(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => runs.push((number, number)),
        }
    }
    let print = |&(start, end): &(usize, usize)| {
        if start == end { start.to_string() } else { format!("{start}–{end}") }
    };
    let mut text = runs.iter().take(2).map(print).collect::<Vec<_>>().join(", ");
    if runs.len() > 2 {
        text.push_str(", …");
    }
    text
}

/// Stages grouped by what they hold, in the order of their first stage.
#[must_use]
pub fn distinct_roles(memory: &MemoryEstimate) -> Vec<GpuRole> {
    let mut roles: Vec<(&StageMemory, GpuRole)> = Vec::new();
    for (index, stage) in memory.stages.iter().enumerate() {
        let same = roles
            .iter_mut()
            .rev()
            .find(|(first, _)| first.parts == stage.parts && first.peak == stage.peak);
        match same {
            Some((_, role)) => role.stages.push(index),
            None => roles.push((stage, GpuRole { stages: vec![index] })),
        }
    }
    roles.into_iter().map(|(_, role)| role).collect()
}

/// The roles that get a bar; the second answer says whether some are left out.
#[must_use]
pub fn shown_roles(ready: &Ready) -> (Vec<GpuRole>, bool) {
    let memory = &ready.estimate.memory;
    let roles = distinct_roles(memory);
    if roles.len() <= MOST_ROLES {
        return (roles, false);
    }
    let last = memory.stages.len().saturating_sub(1);
    let telling = [0, memory.worst, last, ready.shown_stage];
    let kept = |role: &GpuRole| role.stages.iter().any(|stage| telling.contains(stage));
    (roles.into_iter().filter(kept).collect(), true)
}

/// The stage of the pinned plan to compare a stage with: the same one if there are as many stages,
/// else the worst with the worst.
#[must_use]
pub fn pinned_stage<'a>(
    pinned: Option<&'a Pinned>,
    memory: &MemoryEstimate,
    stage: usize,
) -> Option<&'a StageMemory> {
    let other = &pinned?.estimate.memory;
    if other.stages.len() == memory.stages.len() {
        other.stages.get(stage)
    } else if stage == memory.worst {
        other.stages.get(other.worst)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_printed_as_ranges() {
        assert_eq!(ranges(&[3]), "3", "one stage");
        assert_eq!(ranges(&[1, 2, 3, 9]), "1–3, 9", "a range and a lone one");
        assert_eq!(ranges(&[1, 3, 5, 7]), "1, 3, …", "a long list is cut");
    }
}
