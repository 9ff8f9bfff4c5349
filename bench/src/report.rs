//! What was measured, as a table for people and as `docs/benchmarks.md`.

use crate::figures::{Rounds, float};
use crate::load::Measured;
use crate::machine::Machine;
use crate::plan::Plan;
use crate::plot::Chart;

/// A workload against its ceiling.
#[derive(Debug)]
pub struct Row {
    pub workload: &'static str,
    pub database: &'static str,
    pub ceiling_name: &'static str,
    /// The least ratio that is good enough.
    pub goal: Option<f64>,
    pub memory_mb: f64,
    ceiling: Rounds,
    ours: Rounds,
    p50_ms: Rounds,
    p99_ms: Rounds,
}

impl Row {
    pub fn new(
        workload: &'static str,
        database: &'static str,
        ceiling_name: &'static str,
        goal: Option<f64>,
    ) -> Self {
        Self {
            workload,
            database,
            ceiling_name,
            goal,
            memory_mb: 0.0,
            ceiling: Rounds::default(),
            ours: Rounds::default(),
            p50_ms: Rounds::default(),
            p99_ms: Rounds::default(),
        }
    }

    /// Adds a round: what the ceiling reached in a second, and what the service did right after it.
    pub fn push(&mut self, ceiling: f64, ours: Measured) {
        self.ceiling.push(ceiling);
        self.ours.push(ours.per_second);
        self.p50_ms.push(ours.p50_ms);
        self.p99_ms.push(ours.p99_ms);
    }

    fn cells(&self) -> Vec<String> {
        let ratios = self.ours.ratios_to(&self.ceiling);
        let ratio = ratios.median();
        let goal = match self.goal {
            Some(goal) if ratio >= goal => format!("{goal:.1}, met"),
            Some(goal) => format!("{goal:.1}, missed"),
            None => String::new(),
        };
        vec![
            self.workload.to_owned(),
            self.database.to_owned(),
            self.ceiling_name.to_owned(),
            thousands(self.ceiling.median()),
            thousands(self.ours.median()),
            format!("{} .. {}", thousands(self.ours.least()), thousands(self.ours.most())),
            format!("{ratio:.2} ({:.2} .. {:.2})", ratios.least(), ratios.most()),
            goal,
            format!("{:.1}", self.p50_ms.median()),
            format!("{:.1}", self.p99_ms.median()),
            format!("{:.0}", self.memory_mb),
        ]
    }
}

/// A figure without a ceiling: what, on which database, how much, and what it should be.
#[derive(Debug)]
pub struct Figure {
    pub what: String,
    pub database: &'static str,
    pub value: String,
    /// In words, and whether it is met.
    pub goal: Option<(String, bool)>,
}

impl Figure {
    fn cells(&self) -> Vec<String> {
        let goal = self.goal.as_ref().map_or_else(String::new, |(goal, is_met)| {
            format!("{goal}, {}", if *is_met { "met" } else { "missed" })
        });
        vec![self.what.clone(), self.database.to_owned(), self.value.clone(), goal]
    }
}

/// How long a person waits for something, time after time, and the most that all but one of a hundred times may take.
#[derive(Debug)]
pub struct Wait {
    pub what: String,
    pub database: &'static str,
    pub goal_ms: f64,
    pub waits: Rounds,
}

impl Wait {
    fn cells(&self) -> Vec<String> {
        let p99 = self.waits.percentile(99);
        let verdict = if p99 <= self.goal_ms { "met" } else { "missed" };
        vec![
            self.what.clone(),
            self.database.to_owned(),
            format!("{:.1}", self.waits.median()),
            format!("{p99:.1}"),
            format!("{:.1}", self.waits.most()),
            format!("p99 at most {:.0}, {verdict}", self.goal_ms),
        ]
    }
}

#[derive(Debug, Default)]
pub struct Report {
    pub rows: Vec<Row>,
    pub figures: Vec<Figure>,
    pub waits: Vec<Wait>,
    pub charts: Vec<Chart>,
}

const ROW_HEAD: [&str; 11] = [
    "workload",
    "database",
    "ceiling",
    "ceiling/s",
    "Touchline/s",
    "spread",
    "ratio (spread)",
    "goal",
    "p50 ms",
    "p99 ms",
    "memory MB",
];
const FIGURE_HEAD: [&str; 4] = ["what", "database", "figure", "goal"];
const WAIT_HEAD: [&str; 6] =
    ["what an operator asks for", "database", "p50 ms", "p99 ms", "longest ms", "goal, ms"];

impl Report {
    /// For a terminal.
    pub fn text(&self) -> String {
        let rows = columns(&ROW_HEAD, &self.rows.iter().map(Row::cells).collect::<Vec<_>>());
        let figures: Vec<_> = self.figures.iter().map(Figure::cells).collect();
        let waits: Vec<_> = self.waits.iter().map(Wait::cells).collect();
        let (figures, waits) = (columns(&FIGURE_HEAD, &figures), columns(&WAIT_HEAD, &waits));
        format!("{rows}\n{figures}\n{waits}")
    }

    pub fn markdown(&self, plan: &Plan, machine: &Machine) -> String {
        let rows: Vec<_> = self.rows.iter().map(Row::cells).collect();
        let figures: Vec<_> = self.figures.iter().map(Figure::cells).collect();
        let waits: Vec<_> = self.waits.iter().map(Wait::cells).collect();
        let charts: String = self.charts.iter().map(Chart::markdown).collect();
        let kind = if plan.is_quick {
            "\n**A quick run: short rounds, small data. Its figures are a first look and not for comparison.**\n"
        } else {
            ""
        };
        format!(
            include_str!("benchmarks.md.in"),
            kind = kind,
            machine = machine.markdown(),
            rounds = plan.rounds,
            round_s = plan.round.as_secs_f64(),
            rows = table(&ROW_HEAD, &rows),
            figures = table(&FIGURE_HEAD, &figures),
            operator_users = thousands(float(plan.operator_users.unsigned_abs())),
            operator_calls = plan.operator_calls,
            waits = table(&WAIT_HEAD, &waits),
            charts = charts,
        )
    }
}

fn columns(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
        cells.chain(head.get(at).map(|name| name.len())).max().unwrap_or(0)
    };
    let line = |cells: &[&str]| {
        let padded = cells.iter().enumerate().map(|(at, cell)| format!("{cell:<0$}", width(at)));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let body = rows.iter().map(|row| line(&row.iter().map(String::as_str).collect::<Vec<_>>()));
    line(head) + &body.collect::<String>()
}

fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let rule = line(head.iter().map(|_| "---").collect());
    let body = rows.iter().map(|row| line(row.iter().map(String::as_str).collect()));
    line(head.to_vec()) + &rule + &body.collect::<String>()
}

/// 12345.6 as 12,346.
pub fn thousands(figure: f64) -> String {
    let digits = format!("{figure:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(["7", "1,000", "1,234,568"], [7.0, 1_000.0, 1_234_567.8].map(thousands));
    }

    #[test]
    fn a_row_says_whether_its_goal_is_met() {
        let measured = |per_second| Measured { per_second, p50_ms: 1.0, p99_ms: 2.0 };
        for (ours, word) in [(80.0, "0.7, met"), (60.0, "0.7, missed")] {
            let mut row = Row::new("w", "SQLite", "c", Some(0.7));
            row.push(100.0, measured(ours));
            assert!(row.cells().contains(&word.to_owned()), "{:?}", row.cells());
        }
    }
}
