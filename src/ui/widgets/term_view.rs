//! Why a number is what it is: one line for tables, a few for tooltips, everything for the details.

use egui::{Align, Label, Layout, RichText, TextStyle, Ui, vec2};

use crate::{explain::Term, text::Texts, ui::theme::tokens, units::grouped};

/// Contributions that a tooltip shows before it says how many more there are.
const TIP_TERMS: usize = 4;
/// Width of the symbols in the details, points.
const SYMBOL_WIDTH: f32 = 28.0;
/// Width of their values, points.
const VALUE_WIDTH: f32 = 108.0;

/// Contributions, the largest first.
#[must_use]
pub fn largest_first<'a>(terms: impl Iterator<Item = &'a Term>) -> Vec<&'a Term> {
    let mut terms: Vec<&Term> = terms.collect();
    terms.sort_by(|one, other| other.result.magnitude().total_cmp(&one.result.magnitude()));
    terms
}

/// The largest contribution with its numbers, and how many more there are, for a table cell.
#[must_use]
pub fn why_line<'a>(texts: &Texts, terms: impl Iterator<Item = &'a Term>) -> String {
    let terms = largest_first(terms);
    let Some(first) = terms.first() else { return String::new() };
    let numbers = sentence(texts, first);
    match terms.len() {
        1 => numbers,
        count => {
            let more = grouped((count - 1) as f64, 0);
            texts.with("why-more", &[("first", &numbers), ("count", &more)])
        }
    }
}

/// `label: equation with numbers`, or the label alone where there is nothing to put in.
fn sentence(texts: &Texts, term: &Term) -> String {
    let label = texts.get(term.label);
    if term.inputs.is_empty() {
        return label.into_owned();
    }
    let numbers = in_words(texts, term.in_numbers());
    texts.with("why-term", &[("label", &label), ("numbers", &numbers)])
}

/// The contributions as a tooltip shows them: name, result, equation with numbers, source.
pub fn terms_tip<'a>(ui: &mut Ui, texts: &Texts, terms: impl Iterator<Item = &'a Term>) {
    let terms = largest_first(terms);
    for term in terms.iter().take(TIP_TERMS) {
        ui.separator();
        ui.label(RichText::new(texts.get(term.label)));
        ui.label(RichText::new(format!("= {}", equation_line(texts, term))).monospace());
        if !term.source.0.is_empty() {
            ui.label(RichText::new(source_line(texts, term)).small().color(tokens(ui).weak_text));
        }
    }
    if terms.len() > TIP_TERMS {
        let more = grouped((terms.len() - TIP_TERMS) as f64, 0);
        ui.label(RichText::new(texts.with("why-count-more", &[("count", &more)])).weak());
    }
}

/// `numbers = result`, or the result alone where the numbers say no more.
fn equation_line(texts: &Texts, term: &Term) -> String {
    let (numbers, result) = (term.in_numbers(), term.result.to_string());
    let line = if term.inputs.is_empty() || numbers == result {
        result
    } else {
        format!("{numbers} = {result}")
    };
    in_words(texts, line)
}

/// The engine prints units, which are the same in every language; a rate of tokens is a word.
fn in_words(texts: &Texts, printed: String) -> String {
    const ENGINES_WORD: &str = "tokens/s";
    if printed.contains(ENGINES_WORD) {
        printed.replace(ENGINES_WORD, &texts.get("unit-tokens-per-sec"))
    } else {
        printed
    }
}

fn source_line(texts: &Texts, term: &Term) -> String {
    texts.with("why-source", &[("source", &texts.get(term.source.0))])
}

/// Everything about one contribution: equation, each symbol with meaning and value, result, source.
pub fn term_details(ui: &mut Ui, texts: &Texts, term: &Term) {
    ui.label(RichText::new(texts.get(term.label)).strong());
    if !term.equation.is_empty() {
        ui.label(RichText::new(term.equation).monospace().color(tokens(ui).accent));
    }
    ui.label(RichText::new(format!("= {}", equation_line(texts, term))).monospace());
    for (symbol, value) in &term.inputs {
        let value = RichText::new(in_words(texts, value.to_string())).monospace();
        ui.horizontal_top(|ui| {
            cell(ui, SYMBOL_WIDTH, RichText::new(symbol.text).monospace().strong());
            cell(ui, VALUE_WIDTH, value);
            let meaning = RichText::new(texts.get(symbol.meaning)).color(tokens(ui).weak_text);
            ui.add(Label::new(meaning).wrap());
        });
    }
    if !term.source.0.is_empty() {
        ui.label(RichText::new(source_line(texts, term)).small().color(tokens(ui).weak_text));
    }
}

/// Text in a column as wide as this, or wider if it needs that.
fn cell(ui: &mut Ui, width: f32, text: RichText) {
    let size = vec2(width, ui.text_style_height(&TextStyle::Monospace));
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Min), |ui| {
        ui.set_min_width(width);
        ui.add(Label::new(text).extend());
    });
}
