//! Which GPUs, how many, and how they are connected.

use egui::Id;

use super::{
    custom_gpu::custom_gpu_ui,
    custom_rows::customise_link,
    form::Form,
    rows::{Decimals, Rows, optional_number, trimmed},
};
use crate::{
    catalogue::{Dtype, Gpu},
    plan::{Field, GpuChoice, Hardware},
    ui::widgets::{
        search_combo::{Entries, Picked, SearchTexts, search_combo},
        size_slider::SizeRange,
    },
};

const GPUS: SizeRange = SizeRange::up_to(16_384, 1 << 20);

/// Rows that everybody sees.
pub fn basic(rows: &mut Rows<'_, '_>) {
    gpu_row(rows);
    rows.fact(gpu_facts);
    rows.extra(own_gpu_ui);
    rows.size(Field::Gpus, "", &GPUS, |plan| &mut plan.hardware.gpus);
}

/// Rows under the fold.
pub fn advanced(rows: &mut Rows<'_, '_>) {
    rows.count(Field::GpusPerNode, "", 1..=1024, |plan| &mut plan.hardware.gpus_per_node);
    rows.choice(Field::NodeLink, |plan| &mut plan.hardware.node_link);
    rows.number(Field::Network, "unit-gbits", 0.0..=100_000.0, 1, |plan| {
        &mut plan.hardware.network_gbits_per_gpu
    });
    rows.count(Field::MemoryInUse, "unit-mib", 0..=1 << 22, |plan| {
        &mut plan.hardware.memory_in_use_mib
    });
    rows.row(
        Field::Price,
        "unit-usd-hour",
        |plan| &mut plan.hardware.usd_per_gpu_hour,
        |ui, texts, label, price| {
            let none = texts.get("plan-unknown");
            optional_number(ui, label, price, &Decimals::up_to(10_000.0, 2), &none);
        },
    );
}

/// The card, by name out of the catalogue; the link beside it makes it one's own, or takes that back.
fn gpu_row(rows: &mut Rows<'_, '_>) {
    let catalogue = &*rows.form.session.catalogue;
    let entries = GpuEntries(&catalogue.gpus);
    let is_own = matches!(rows.form.plan.hardware.gpu, GpuChoice::Custom(_));
    let mut clicked = false;
    rows.row_with(
        Field::Gpu,
        |plan| &mut plan.hardware.gpu,
        |ui, texts, label, choice| {
            let (name, selected) = match choice {
                GpuChoice::Catalogue(name) => {
                    let gpu = catalogue.gpu(name);
                    (gpu.map_or(&**name, short_name), gpu.and_then(|gpu| entries.index_of(gpu)))
                }
                GpuChoice::Custom(gpu) => (short_name(gpu), None),
            };
            let words = SearchTexts {
                prompt: &texts.get("plan-search-gpu"),
                nothing_found: &texts.get("plan-nothing-found"),
            };
            let picked = search_combo(ui, label, name, selected, &entries, words);
            if let Some(Picked::Entry(index)) = picked {
                *choice = GpuChoice::Catalogue(entries.name(index).to_owned());
            }
        },
        |ui, texts| clicked = customise_link(ui, texts, "plan-customise-gpu", is_own),
    );
    if clicked {
        switch_own(rows.ui, rows.form);
    }
}

/// The name without its maker, which a narrow button has no room for.
fn short_name(gpu: &Gpu) -> &str {
    gpu.name.strip_prefix(&*gpu.vendor).map_or(&gpu.name, str::trim_start)
}

/// What a process can use, and how fast it moves and multiplies.
fn gpu_facts(form: &Form<'_>) -> Option<String> {
    let gpu = form.plan.gpu(&form.session.catalogue)?;
    let (memory, bandwidth) = (gpu.usable_memory().0.to_string(), gpu.bandwidth().to_string());
    let fastest = [Dtype::Bf16, Dtype::Fp16, Dtype::Fp32]
        .into_iter()
        .find_map(|dtype| gpu.peak(dtype).map(|peak| (peak.to_string(), dtype.name())));
    Some(match fastest {
        Some((rate, dtype)) => form.texts.with(
            "plan-gpu-facts",
            &[("memory", &memory), ("bandwidth", &bandwidth), ("rate", &rate), ("dtype", dtype)],
        ),
        None => form
            .texts
            .with("plan-gpu-facts-no-rate", &[("memory", &memory), ("bandwidth", &bandwidth)]),
    })
}

/// From a card of the catalogue to an own copy of it, or back to the card it came from.
fn switch_own(ui: &mut egui::Ui, form: &mut Form<'_>) {
    let last_id = Id::unique("plan-last-catalogue-gpu");
    let gpu = form.plan.gpu(&form.session.catalogue).cloned();
    let choice = match (&form.plan.hardware.gpu, gpu) {
        (GpuChoice::Catalogue(name), Some(gpu)) => {
            ui.data_mut(|data| data.insert_temp(last_id, name.clone()));
            GpuChoice::Custom(Box::new(own_copy(gpu, form.texts)))
        }
        (GpuChoice::Catalogue(_), None) => return,
        (GpuChoice::Custom(_), _) => ui
            .data(|data| data.get_temp::<String>(last_id))
            .map_or_else(|| Hardware::default().gpu, GpuChoice::Catalogue),
    };
    form.plan.hardware.gpu = choice;
    form.touch(Field::Gpu);
}

/// The editor of a card of one's own.
fn own_gpu_ui(ui: &mut egui::Ui, form: &mut Form<'_>) {
    if let GpuChoice::Custom(gpu) = &mut form.plan.hardware.gpu {
        let before = gpu.clone();
        ui.push_id("custom-gpu", |ui| custom_gpu_ui(ui, form.texts, gpu));
        if *gpu != before {
            form.touch(Field::Gpu);
        }
    }
}

/// A copy that claims nothing of its original's sources.
fn own_copy(gpu: Gpu, texts: &crate::text::Texts) -> Gpu {
    Gpu {
        name: texts.with("plan-custom-name", &[("name", &gpu.name)]),
        aliases: Vec::new(),
        sources: Vec::new(),
        agreeing: Vec::new(),
        differing: Vec::new(),
        notes: String::new(),
        confidence: crate::catalogue::Confidence::Low,
        ..gpu
    }
}

/// The cards of the catalogue as a list to search.
struct GpuEntries<'a>(&'a [Gpu]);

impl GpuEntries<'_> {
    fn index_of(&self, gpu: &Gpu) -> Option<usize> {
        self.0.iter().position(|entry| std::ptr::eq(entry, gpu))
    }
}

impl Entries for GpuEntries<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn name(&self, index: usize) -> &str {
        self.0.get(index).map_or("", |gpu| &gpu.name)
    }

    fn detail(&self, index: usize) -> String {
        self.0.get(index).map_or_else(String::new, |gpu| {
            format!("{} GB · {}", trimmed(gpu.memory_gb, 1), gpu.bandwidth())
        })
    }

    fn search_text(&self, index: usize, text: &mut String) {
        let Some(gpu) = self.0.get(index) else { return };
        text.push_str(&gpu.name);
        let aliases = gpu.aliases.iter().map(String::as_str);
        for word in aliases.chain([gpu.vendor.as_str(), &gpu.architecture, &gpu.memory_type]) {
            text.push(' ');
            text.push_str(word);
        }
    }

    fn answer_to(&self, _query: &str) -> Option<String> {
        None
    }
}
