//! Where a recording is, how fast it goes, and whether it starts anew.

use egui::{ComboBox, Slider, Ui};

use crate::{
    ui::{command::Command, live::LiveCommand, session::Session},
    units::grouped,
};

/// Speeds that are offered, 1 = as it was.
const SPEEDS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 10.0, 60.0];
/// Width of the slider, points.
const SLIDER_WIDTH: f32 = 240.0;

/// The controls of a recording; nothing for other sources.
pub fn playback(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let Some(playback) = session.live.monitor.playback() else { return };
    let texts = &session.texts;
    ui.horizontal_wrapped(|ui| {
        let label = ui.label(texts.get("live-position"));
        let mut at_secs = playback.position_secs;
        ui.spacing_mut().slider_width = SLIDER_WIDTH.min(ui.available_width() * 0.5);
        let slider = Slider::new(&mut at_secs, 0.0..=playback.duration_secs.max(0.1));
        let slider = ui.add(slider.show_value(false)).labelled_by(label.id);
        if slider.changed() {
            commands.push(Command::Live(LiveCommand::Seek(at_secs)));
        }
        let args = [("at", clock(at_secs)), ("length", clock(playback.duration_secs))];
        let [(_, at), (_, length)] = &args;
        ui.monospace(texts.with("live-position-of", &[("at", at), ("length", length)]));
        speed(ui, session, playback.speed, commands);
        let mut looping = playback.looping;
        if ui.checkbox(&mut looping, texts.get("live-loop")).clicked() {
            commands.push(Command::Live(LiveCommand::Loop(looping)));
        }
    });
}

fn speed(ui: &mut Ui, session: &Session, now: f64, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    let combo = ComboBox::from_id_salt("live-speed").width(64.0).selected_text(times(now)).show_ui(
        ui,
        |ui| {
            for speed in SPEEDS {
                let same = (speed - now).abs() < 1e-9;
                if ui.selectable_label(same, times(speed)).clicked() {
                    commands.push(Command::Live(LiveCommand::Speed(speed)));
                }
            }
        },
    );
    combo.response.accessible_name(texts.get("live-speed"));
}

fn times(speed: f64) -> String {
    format!("{} ×", grouped(speed, usize::from(speed.fract() > 1e-9)))
}

/// Minutes and seconds: `1:05`.
fn clock(secs: f64) -> String {
    let minutes = (secs / 60.0).floor();
    format!("{}:{:02.0}", grouped(minutes, 0), (secs - minutes * 60.0).floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_reads_like_a_clock() {
        assert_eq!(clock(65.4), "1:05");
        assert_eq!(clock(0.0), "0:00");
        assert_eq!(clock(3599.9), "59:59", "never sixty seconds");
        assert_eq!(times(0.5), "0.5 ×");
        assert_eq!(times(10.0), "10 ×");
    }
}
