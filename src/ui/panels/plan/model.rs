//! Which model.

use egui::Id;

use super::{custom_model::custom_model_ui, custom_rows::customise_link, form::Form, rows::Rows};
use crate::{
    catalogue::{Architecture, Model, SizeError, parse_size, plausible_architecture},
    memory::params,
    plan::{CustomModel, Field, ModelChoice},
    text::Texts,
    ui::widgets::{
        issue_list::issue_lines_at,
        search_combo::{Entries, Picked, SearchTexts, search_combo},
    },
    units::short_count,
};

/// Rows that everybody sees.
pub fn basic(rows: &mut Rows<'_, '_>) {
    model_row(rows);
    rows.fact(model_facts);
    rows.extra(own_model_ui);
    rows.extra(|ui, form| {
        form.mark_shown(Field::Architecture);
        let issues = form.issues_at(Field::Architecture);
        issue_lines_at(ui, form.texts, Field::Architecture, issues);
    });
}

/// The model, by name out of the catalogue or by its size; the link beside it makes it one's own, or
/// takes that back.
fn model_row(rows: &mut Rows<'_, '_>) {
    let catalogue = &*rows.form.session.catalogue;
    let entries = ModelEntries { models: &catalogue.models, texts: rows.form.texts };
    let is_own = matches!(rows.form.plan.model, ModelChoice::Custom(_));
    let mut clicked = false;
    rows.row_with(
        Field::Model,
        |plan| &mut plan.model,
        |ui, texts, label, choice| {
            let (name, selected) = match choice {
                ModelChoice::Catalogue(id) => {
                    let model = catalogue.model(id);
                    let index = model.and_then(|model| entries.index_of(model));
                    (model.map_or(&**id, |model| &model.name), index)
                }
                ModelChoice::Custom(custom) => (&*custom.name, None),
            };
            let words = SearchTexts {
                prompt: &texts.get("plan-search-model"),
                nothing_found: &texts.get("plan-nothing-found"),
            };
            match search_combo(ui, label, name, selected, &entries, words) {
                Some(Picked::Entry(index)) => {
                    if let Some(model) = catalogue.models.get(index) {
                        *choice = ModelChoice::Catalogue(model.id.clone());
                    }
                }
                Some(Picked::Answer(size)) => {
                    if let Ok(model) = proposal(&size, texts) {
                        *choice = ModelChoice::Custom(Box::new(model));
                    }
                }
                None => {}
            }
        },
        |ui, texts| clicked = customise_link(ui, texts, "plan-customise-model", is_own),
    );
    remember_catalogue_model(rows.ui, rows.form);
    if clicked {
        switch_own(rows.ui, rows.form);
    }
}

/// A plausible model of a size such as `13B`.
///
/// # Errors
///
/// Why the words are not a size that a model can have.
pub fn proposal(size: &str, texts: &Texts) -> Result<CustomModel, SizeError> {
    let params = parse_size(size)?;
    let size = size.trim().to_owned();
    Ok(CustomModel {
        name: texts.with("plan-proposed-name", &[("size", &size)]),
        architecture: plausible_architecture(params),
        proposed_from: Some(size),
    })
}

/// "8.03 B parameters · 32 layers · 32/8 heads"
fn model_facts(form: &Form<'_>) -> Option<String> {
    let catalogue = &*form.session.catalogue;
    let (architecture, total, active) = match &form.plan.model {
        ModelChoice::Catalogue(id) => {
            let model = catalogue.model(id)?;
            (&model.architecture, model.params_total, model.params_active)
        }
        ModelChoice::Custom(custom) => {
            let counts = params::count(&custom.architecture);
            (&custom.architecture, counts.total, counts.active)
        }
    };
    Some(facts_text(form.texts, architecture, total, active))
}

fn facts_text(texts: &Texts, shape: &Architecture, total: u64, active: u64) -> String {
    let (total_text, active_text) = (short_count(total as f64), short_count(active as f64));
    let args = [
        ("params", &*total_text),
        ("layers", &*shape.layers.to_string()),
        ("heads", &*shape.heads.to_string()),
        ("kv-heads", &*shape.kv_heads.to_string()),
        ("active", &*active_text),
    ];
    let key = if active < total { "plan-model-facts-active" } else { "plan-model-facts" };
    texts.with(key, &args)
}

/// Where the model of the catalogue that was in use last is remembered.
fn last_id() -> Id {
    Id::unique("plan-last-catalogue-model")
}

/// Remembered every frame, since a size typed into the search replaces it as well.
fn remember_catalogue_model(ui: &egui::Ui, form: &Form<'_>) {
    if let ModelChoice::Catalogue(id) = &form.plan.model {
        ui.data_mut(|data| {
            if data.get_temp_mut_or_default::<String>(last_id()) != id {
                data.insert_temp(last_id(), id.clone());
            }
        });
    }
}

/// From a model of the catalogue to an own copy of it, or back to the model it came from.
fn switch_own(ui: &egui::Ui, form: &mut Form<'_>) {
    let catalogue = &*form.session.catalogue;
    let model = match &form.plan.model {
        ModelChoice::Catalogue(_) => {
            let Some(architecture) = form.plan.architecture(catalogue).cloned() else { return };
            let name = form.plan.model_name(catalogue);
            let name = form.texts.with("plan-custom-name", &[("name", name)]);
            ModelChoice::Custom(Box::new(CustomModel { name, architecture, proposed_from: None }))
        }
        ModelChoice::Custom(_) => ui
            .data(|data| data.get_temp::<String>(last_id()))
            .map_or_else(ModelChoice::default, ModelChoice::Catalogue),
    };
    form.plan.model = model;
    form.touch(Field::Model);
}

/// The editor of a model of one's own.
fn own_model_ui(ui: &mut egui::Ui, form: &mut Form<'_>) {
    if let ModelChoice::Custom(model) = &mut form.plan.model {
        let before = model.clone();
        ui.push_id("custom-model", |ui| custom_model_ui(ui, form.texts, model));
        if *model != before {
            form.touch(Field::Architecture);
        }
    }
}

/// The models of the catalogue as a list to search.
struct ModelEntries<'a> {
    models: &'a [Model],
    texts: &'a Texts,
}

impl ModelEntries<'_> {
    fn index_of(&self, model: &Model) -> Option<usize> {
        self.models.iter().position(|entry| std::ptr::eq(entry, model))
    }
}

impl Entries for ModelEntries<'_> {
    fn count(&self) -> usize {
        self.models.len()
    }

    fn name(&self, index: usize) -> &str {
        self.models.get(index).map_or("", |model| &model.name)
    }

    fn detail(&self, index: usize) -> String {
        self.models
            .get(index)
            .map_or_else(String::new, |model| short_count(model.params_total as f64))
    }

    fn search_text(&self, index: usize, text: &mut String) {
        let Some(model) = self.models.get(index) else { return };
        for word in [&model.name, &model.id, &model.family] {
            text.push_str(word);
            text.push(' ');
        }
    }

    fn answer_to(&self, query: &str) -> Option<String> {
        let size = query.trim();
        parse_size(size).ok().map(|_| self.texts.with("plan-propose-size", &[("size", size)]))
    }
}
