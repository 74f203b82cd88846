//! Playing a recording.

mod file;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use self::file::Recorded;
use super::{Fault, Sampler, Snapshot, history::Frame};

/// Shortest time between two steps of a recording that plays fast.
const LEAST_STEP: Duration = Duration::from_millis(20);
/// Longest time between two looks at a recording.
const MOST_STEP: Duration = Duration::from_hours(1);
/// Slowest and fastest that a recording plays.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=1000.0;

/// Where a recording is, and how it plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Moment that is shown, seconds from the beginning.
    pub position_secs: f64,
    /// Length, seconds.
    pub duration_secs: f64,
    /// Speed; 1 is as recorded.
    pub speed: f64,
    /// Begins again at the end.
    pub looping: bool,
    /// The end is reached, and it does not begin again.
    pub at_end: bool,
}

/// What a person changes in a recording that plays.
#[derive(Clone, Copy, Debug)]
pub(super) enum Control {
    Seek(f64),
    Speed(f64),
    Looping(bool),
}

/// What was played since the last step.
#[derive(Default)]
pub(super) struct Played {
    /// `frames` are the whole past of another moment.
    pub starts_anew: bool,
    pub frames: Vec<Frame>,
    pub latest: Option<Snapshot>,
}

/// A recording that plays.
pub(super) struct Replay {
    recorded: Recorded,
    position_secs: f64,
    speed: f64,
    looping: bool,
    /// When the position was last moved on; none while it stands.
    moved_at: Option<Instant>,
    /// First sample that was not shown yet.
    next: usize,
    /// The position was set: the past is shown anew.
    sought: bool,
}

impl Replay {
    /// Opens a recording and checks all of it.
    ///
    /// # Errors
    ///
    /// A [`Fault`] with the number of the line.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let recorded = Recorded::open(path)?;
        Ok(Self {
            recorded,
            position_secs: 0.0,
            speed: 1.0,
            looping: false,
            moved_at: None,
            next: 0,
            sought: true,
        })
    }

    /// Lets the position stand until the next step.
    pub const fn hold(&mut self) {
        self.moved_at = None;
    }

    /// Changes how it plays; true if another moment is to be shown.
    pub fn control(&mut self, control: Control) -> bool {
        match control {
            Control::Seek(secs) => {
                self.seek(secs);
                return true;
            }
            Control::Speed(speed) if speed.is_nan() => {}
            Control::Speed(speed) => self.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end()),
            Control::Looping(looping) => self.looping = looping,
        }
        false
    }

    fn seek(&mut self, secs: f64) {
        let end = self.recorded.duration_secs();
        self.position_secs = if secs.is_nan() { 0.0 } else { secs.clamp(0.0, end) };
        self.moved_at = None;
        self.next = 0;
        self.sought = true;
    }

    pub fn playback(&self) -> Playback {
        Playback {
            position_secs: self.position_secs,
            duration_secs: self.recorded.duration_secs(),
            speed: self.speed,
            looping: self.looping,
            at_end: !self.looping && self.next >= self.recorded.len(),
        }
    }

    /// Moves on to now and shows what lies between.
    ///
    /// # Errors
    ///
    /// A [`Fault`] if the file changed or cannot be read any more.
    pub fn play(&mut self, now: Instant) -> Result<Played, Fault> {
        if let Some(moved_at) = self.moved_at {
            self.position_secs += now.duration_since(moved_at).as_secs_f64() * self.speed;
        }
        let end = self.recorded.duration_secs();
        if self.position_secs > end {
            if self.looping && end > 0.0 && self.next >= self.recorded.len() {
                self.seek(0.0);
            } else {
                self.position_secs = end;
            }
        }
        self.moved_at = Some(now);
        let until = self.recorded.count_until(self.position_secs).max(1);
        let mut played = Played { starts_anew: self.sought, ..Played::default() };
        self.sought = false;
        if until > self.next {
            played.frames = self.recorded.frames(self.next, until);
            played.latest = Some(self.recorded.snapshot(until - 1)?);
            self.next = until;
        }
        Ok(played)
    }

    /// How long until there is something new to show.
    pub fn due_in(&self) -> Duration {
        let end = self.recorded.duration_secs();
        let wait_secs = match self.recorded.at_secs(self.next) {
            Some(at) => (at - self.position_secs) / self.speed,
            // The last sample stands for as long as the one before it did.
            None if self.looping && end > 0.0 => self.recorded.usual_secs() / self.speed,
            None => return MOST_STEP,
        };
        Duration::try_from_secs_f64(wait_secs).unwrap_or_default().clamp(LEAST_STEP, MOST_STEP)
    }
}

/// Without a clock: one recorded sample after another, the last one again and again.
impl Sampler for Replay {
    fn sample(&mut self) -> Result<Snapshot, Fault> {
        let index = self.next.min(self.recorded.len().saturating_sub(1));
        self.next = index + 1;
        self.recorded.snapshot(index)
    }
}
