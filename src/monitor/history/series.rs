//! The past of one GPU: samples of the last hour, spans of what is older.

use std::collections::VecDeque;

use super::{METRICS, Metric, SeriesPoint};

/// Samples that one span sums up.
const SPAN: usize = 16;
/// Samples for which room is made at a time, at most.
const ROOM: usize = 1024;
/// A pause counts as a gap from this many times the usual distance on.
const GAP_FACTOR: f32 = 4.0;

/// One sample: seconds since the first one, and the metrics.
#[derive(Clone, Copy)]
struct Sample {
    secs: f32,
    values: [f32; METRICS],
}

/// Low and high of several samples; `NAN` where all were missing.
#[derive(Clone, Copy)]
struct Span {
    secs: f32,
    until_secs: f32,
    low: [f32; METRICS],
    high: [f32; METRICS],
}

impl Span {
    const fn of(sample: Sample) -> Self {
        Self { secs: sample.secs, until_secs: sample.secs, low: sample.values, high: sample.values }
    }

    /// Both together. `f32::min` and `f32::max` pass over `NAN`.
    fn with(mut self, other: &Self) -> Self {
        self.until_secs = other.until_secs;
        for (low, more) in self.low.iter_mut().zip(other.low) {
            *low = low.min(more);
        }
        for (high, more) in self.high.iter_mut().zip(other.high) {
            *high = high.max(more);
        }
        self
    }
}

/// The past of one GPU.
pub(super) struct Series {
    start_unix_secs: f64,
    old: VecDeque<Span>,
    /// Full spans of `samples`, in step with them.
    spans: VecDeque<Span>,
    samples: VecDeque<Sample>,
    /// The span that the newest samples are filling.
    open: Option<Span>,
}

impl Series {
    pub fn new(start_unix_secs: f64) -> Self {
        Self {
            start_unix_secs,
            old: VecDeque::new(),
            spans: VecDeque::new(),
            samples: VecDeque::new(),
            open: None,
        }
    }

    pub fn push(&mut self, unix_secs: f64, values: [f32; METRICS]) {
        let sample = Sample { secs: self.offset(unix_secs), values };
        if self.samples.len() == self.samples.capacity() {
            // Doubling for ever would keep up to half of the memory empty.
            self.samples.reserve_exact(self.samples.len().clamp(SPAN, ROOM));
        }
        self.samples.push_back(sample);
        let span = Span::of(sample);
        let span = self.open.take().map_or(span, |open| open.with(&span));
        if self.samples.len().is_multiple_of(SPAN) {
            self.spans.push_back(span);
        } else {
            self.open = Some(span);
        }
    }

    /// Keeps only spans of what is before a moment, or beyond so many samples; twice as long ones
    /// where there are more than so many spans.
    pub fn thin(&mut self, before_unix_secs: f64, most: usize, most_old: usize) {
        let before_secs = self.offset(before_unix_secs);
        while self.spans.front().is_some_and(|span| span.until_secs < before_secs)
            || (self.samples.len() > most && !self.spans.is_empty())
        {
            self.samples.drain(..SPAN.min(self.samples.len()));
            self.old.extend(self.spans.pop_front());
        }
        if self.old.len() > most_old {
            let mut spans = std::mem::take(&mut self.old).into_iter();
            while let Some(first) = spans.next() {
                let second = spans.next();
                self.old.push_back(second.map_or(first, |second| first.with(&second)));
            }
        }
    }

    pub fn first_unix_secs(&self) -> Option<f64> {
        let old = self.old.front().map(|span| span.secs);
        old.or_else(|| self.samples.front().map(|sample| sample.secs)).map(|it| self.unix(it))
    }

    pub fn memory_bytes(&self) -> usize {
        (self.old.capacity() + self.spans.capacity()) * size_of::<Span>()
            + self.samples.capacity() * size_of::<Sample>()
    }

    /// The curve from a moment on. Full spans stand for their samples where there are more of
    /// these than points.
    pub fn points(
        &self,
        metric: Metric,
        from_unix_secs: f64,
        max_points: usize,
    ) -> Vec<SeriesPoint> {
        let from_secs = self.offset(from_unix_secs);
        let old = self.old.partition_point(|span| span.until_secs < from_secs);
        let samples = self.samples.partition_point(|sample| sample.secs < from_secs);
        let old = self.old.range(old..).copied();
        let count = self.samples.len() - samples;
        if count > max_points.saturating_mul(2) {
            // The span in which the window begins stands there whole.
            let spans = self.spans.range((samples / SPAN).min(self.spans.len())..).copied();
            let all = old.chain(spans).chain(self.open);
            self.joined(all, metric, max_points)
        } else {
            let all = old.chain(self.samples.range(samples..).map(|sample| Span::of(*sample)));
            self.joined(all, metric, max_points)
        }
    }

    /// So many spans as no more than `max_points`, of equal length in time.
    fn joined(
        &self,
        spans: impl Iterator<Item = Span> + Clone,
        metric: Metric,
        max_points: usize,
    ) -> Vec<SeriesPoint> {
        let count = spans.clone().count();
        let first_secs = spans.clone().next().map_or(0.0, |span| span.secs);
        let last_secs = spans.clone().last().map_or(first_secs, |span| span.secs);
        let usual_secs = (last_secs - first_secs) / narrow(count.saturating_sub(1).max(1));
        let slot_secs = if count > max_points {
            // A little longer, so that the last one does not open another point.
            (last_secs - first_secs) * (1.0 + 1e-6) / narrow(max_points)
        } else {
            0.0
        };
        let mut points: Vec<SeriesPoint> = Vec::with_capacity(count.min(max_points));
        let (mut slot, mut gap, mut until) = (f32::NAN, false, None);
        let metric = metric as usize;
        for span in spans {
            let (Some(&low), Some(&high)) = (span.low.get(metric), span.high.get(metric)) else {
                continue;
            };
            if low.is_nan() {
                gap = true;
                continue;
            }
            let pause = until.is_some_and(|until: f32| {
                span.secs - until > (GAP_FACTOR * usual_secs).max(slot_secs)
            });
            until = Some(span.until_secs);
            let own = if slot_secs > 0.0 {
                ((span.secs - first_secs) / slot_secs).floor()
            } else {
                f32::NAN
            };
            match points.last_mut() {
                // Equal slots; without slots they are not numbers and never equal.
                Some(point) if own.total_cmp(&slot).is_eq() && slot_secs > 0.0 => {
                    point.low = point.low.min(f64::from(low));
                    point.high = point.high.max(f64::from(high));
                }
                _ => points.push(SeriesPoint {
                    unix_secs: self.unix(span.secs),
                    low: f64::from(low),
                    high: f64::from(high),
                    after_gap: (gap && !points.is_empty()) || pause,
                }),
            }
            slot = own;
            gap = false;
        }
        points
    }

    #[expect(clippy::cast_possible_truncation, reason = "a tenth of a second after ten days")]
    fn offset(&self, unix_secs: f64) -> f32 {
        (unix_secs - self.start_unix_secs) as f32
    }

    fn unix(&self, secs: f32) -> f64 {
        self.start_unix_secs + f64::from(secs)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of points are small")]
const fn narrow(count: usize) -> f32 {
    count as f32
}
