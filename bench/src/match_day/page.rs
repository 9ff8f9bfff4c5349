//! The page about a day, with its plots.

use std::path::Path;

use super::audit::Finding;
use super::diary::{Ending, KINDS, Kind};
use super::watch::{Role, Seen};
use super::{Day, MATCHES, MINUTE, NODES, script};
use crate::Outcome;
use crate::figures::{Rounds, float_of};
use crate::machine::Machine;
use crate::plot::{Chart, Scale, Series};
use crate::report::thousands;

pub struct Page<'a> {
    pub day: &'a Day,
    pub seen: &'a Seen,
    pub findings: &'a [Finding],
    pub machine: &'a Machine,
}

/// Which minutes are looked at.
type Within = fn(i64) -> bool;

const TEMPLATE: &str = include_str!("saturday.md.in");
const QUARTER: f64 = 15.0;
const X: &str = "minutes after kick-off";

/// From which minute to which something is looked at by itself.
const TIMES: [(&str, i64, i64); 8] = [
    ("before the rush", -30, -10),
    ("the ten minutes before kick-off", -10, 0),
    ("play", 0, 30),
    ("every connection breaks (30)", 30, 36),
    ("a node is lost (55)", 55, 60),
    ("the primary is lost (75)", 75, 84),
    ("the whistles (100)", 100, 108),
    ("the whole day", -30, 130),
];

impl Page<'_> {
    pub fn write(&self, folder: &Path) -> Outcome<()> {
        let plots = folder.join("saturday");
        std::fs::create_dir_all(&plots)?;
        for chart in self.charts() {
            std::fs::write(plots.join(format!("{}.svg", chart.file)), chart.svg())?;
        }
        Ok(std::fs::write(folder.join("saturday.md"), self.text())?)
    }

    /// What is printed at the end.
    pub fn summary(&self) -> String {
        format!("{}\n{}\n{}", self.waits(), self.costs(), self.promises())
    }

    fn text(&self) -> String {
        let charts = self.charts();
        let pictures =
            charts.iter().map(|chart| format!("![{}](saturday/{}.svg)\n", chart.title, chart.file));
        let fields = [
            ("{fans}", thousands(self.fans())),
            ("{as_many}", thousands(60.0 * self.fans())),
            ("{nodes}", NODES.to_string()),
            ("{matches}", MATCHES.to_string()),
            ("{storm}", script::STORM.to_string()),
            ("{node_lost}", script::NODE_LOST.to_string()),
            ("{node_back}", script::NODE_BACK.to_string()),
            ("{primary_lost}", script::PRIMARY_LOST.to_string()),
            ("{whistle}", script::WHISTLE.to_string()),
            ("{noticed_s}", (script::PRIMARY_NOTICED - script::PRIMARY_LOST).to_string()),
            ("{machine}", self.machine.markdown()),
            ("{promises}", self.promises()),
            ("{waits}", self.waits()),
            ("{kinds}", self.kinds()),
            ("{refusals}", self.refusals()),
            ("{costs}", self.costs()),
            ("{plots}", pictures.collect::<Vec<_>>().join("\n")),
        ];
        fields
            .iter()
            .fold(TEMPLATE.to_owned(), |text, (name, value)| text.replace(name, value.trim_end()))
    }

    fn fans(&self) -> f64 {
        f64::from(u32::try_from(self.day.fans).unwrap_or(u32::MAX))
    }

    fn promises(&self) -> String {
        let mut table = "| promise | kept | |\n|---|---|---|\n".to_owned();
        for finding in self.findings {
            let word = if finding.holds { "holds" } else { "**broken**" };
            table += &format!("| {} | {} | {word} |\n", finding.what, finding.value);
        }
        for said in self.day.diary.broken() {
            table += &format!("\n- `{said}`");
        }
        table
    }

    fn waits(&self) -> String {
        let mut table = "| minutes | | requests | reads p50, p99 | writes p50, p99 | streams opened p50, p99 | refused | lost |\n\
            |---|---|---|---|---|---|---|---|\n"
            .to_owned();
        let diary = &self.day.diary;
        for (what, from, to) in TIMES {
            let within = |minute: i64| (from..to).contains(&minute);
            let reads = diary.waits(&[Kind::Read, Kind::List], within);
            let writes = diary.waits(&[Kind::Predict, Kind::Spend, Kind::LogIn], within);
            let streams = diary.waits(&[Kind::Stream], within);
            let count = |ending| thousands(float_of(diary.count(ending, within)));
            table += &format!(
                "| {from} to {to} | {what} | {} | {} | {} | {} | {} | {} |\n",
                count(None),
                pair(&reads),
                pair(&writes),
                pair(&streams),
                count(Some(Ending::Refused)),
                count(Some(Ending::Lost)),
            );
        }
        table
    }

    fn kinds(&self) -> String {
        let mut table = "| what | times | p50, p99 |\n|---|---|---|\n".to_owned();
        for (kind, name) in KINDS {
            let waits = self.day.diary.waits(&[kind], |_| true);
            table +=
                &format!("| {name} | {} | {} |\n", thousands(float_of(waits.len())), pair(&waits));
        }
        table
    }

    fn refusals(&self) -> String {
        let refusals = self.day.diary.refusals();
        let each = refusals
            .iter()
            .map(|(code, count)| format!("`{code}` {}", thousands(float_of(*count))));
        let each = each.collect::<Vec<_>>().join(", ");
        if each.is_empty() {
            "Nobody was told to come later.".to_owned()
        } else {
            format!("Told to come later: {each}.")
        }
    }

    fn costs(&self) -> String {
        let (fans, diary, seen) = (self.fans(), &self.day.diary, self.seen);
        let mut table =
            "| for each fan | the ten minutes before kick-off | the whole day |\n|---|---|---|\n"
                .to_owned();
        let mut row = |what: &str, of: &dyn Fn(Within) -> String| {
            let (rush, day) = (of(|minute| (-10..0).contains(&minute)), of(|_| true));
            table += &format!("| {what} | {rush} | {day} |\n");
        };
        row("requests and streams opened", &|within| {
            format!("{:.1}", float_of(diary.count(None, within)) / fans)
        });
        row("goals heard", &|within| {
            format!("{:.1}", float_of(diary.waits(&[Kind::Goal], within).len()) / fans)
        });
        for (what, role, servers) in [
            ("processor time of the nodes", Role::Node, 1.0),
            ("processor time of the primary", Role::Primary, 1.0),
            ("processor time of each replica", Role::Replica, 2.0),
        ] {
            row(what, &|within| {
                format!("{:.1} ms", seen.cpu_s(role, within) * 1_000.0 / fans / servers)
            });
        }
        let all_mb: Vec<f64> = seen
            .samples
            .iter()
            .map(|sample| sample.nodes_mb.iter().flatten().sum::<f64>())
            .collect();
        let first_mb = all_mb.first().copied().unwrap_or(0.0);
        let most_mb = all_mb.iter().copied().fold(0.0, f64::max);
        for (what, of_all_mb) in [
            ("written to PostgreSQL's log", seen.written_mb),
            ("the database in the end", seen.database_mb),
            ("memory of all nodes at its greatest, above what they begin with", most_mb - first_mb),
        ] {
            let each_kb = of_all_mb * 1_000.0 / fans;
            table += &format!("| {what} | | {each_kb:.0} kB ({of_all_mb:.0} MB in all) |\n");
        }
        table + &format!("\nA node begins with {:.0} MB.\n", first_mb / float_of(NODES))
    }

    fn charts(&self) -> [Chart; 5] {
        let chart = |file, title, y, series| Chart {
            file,
            title,
            x: X,
            y,
            scale: Scale::Time(QUARTER),
            series,
        };
        [
            chart(
                "waits",
                "How long fans wait, 99 of 100 at most",
                "milliseconds",
                vec![
                    self.waits_by_minute("reads", &[Kind::Read, Kind::List], 99),
                    self.waits_by_minute("writes", &[Kind::Predict, Kind::Spend, Kind::LogIn], 99),
                    self.waits_by_minute("reads, the median", &[Kind::Read, Kind::List], 50),
                    self.waits_by_minute(
                        "writes, the median",
                        &[Kind::Predict, Kind::Spend, Kind::LogIn],
                        50,
                    ),
                ],
            ),
            chart(
                "requests",
                "What is asked in a minute of the day, and what is not answered",
                "requests",
                vec![
                    self.counts("all", None),
                    self.counts("refused for a moment", Some(Ending::Refused)),
                    self.counts("lost with a server", Some(Ending::Lost)),
                ],
            ),
            chart(
                "processor",
                "What the servers need of the processor",
                "cores",
                vec![
                    self.cores("all nodes", Role::Node),
                    self.cores("the primary", Role::Primary),
                    self.cores("both replicas", Role::Replica),
                ],
            ),
            chart(
                "lag",
                "How far the replica is behind that is furthest behind",
                "milliseconds",
                vec![self.lag()],
            ),
            chart(
                "memory",
                "Memory of each node",
                "MB",
                (0..NODES).map(|node| self.memory(node)).collect(),
            ),
        ]
    }

    fn minutes(&self) -> impl Iterator<Item = i64> {
        let last = self.seen.samples.last().map_or(0, |sample| sample.minute);
        -30..=last
    }

    fn waits_by_minute(&self, name: &str, kinds: &[Kind], percentile: usize) -> Series {
        let of = |minute: i64| {
            let waits = self.day.diary.waits(kinds, |at| at == minute);
            (float(minute), if waits.len() == 0 { 0.0 } else { waits.percentile(percentile) })
        };
        Series { name: name.to_owned(), points: self.minutes().map(of).collect() }
    }

    fn counts(&self, name: &str, ending: Option<Ending>) -> Series {
        let of = |minute: i64| {
            (float(minute), float_of(self.day.diary.count(ending, |at| at == minute)))
        };
        Series { name: name.to_owned(), points: self.minutes().map(of).collect() }
    }

    fn cores(&self, name: &str, role: Role) -> Series {
        let a_minute = MINUTE.as_secs_f64();
        let of = |minute: i64| (float(minute), self.seen.cpu_s(role, |at| at == minute) / a_minute);
        Series { name: name.to_owned(), points: self.minutes().map(of).collect() }
    }

    fn lag(&self) -> Series {
        let points = self
            .seen
            .samples
            .iter()
            .filter_map(|sample| Some((float(sample.minute), sample.lag_ms?)));
        Series { name: "lag".to_owned(), points: points.collect() }
    }

    fn memory(&self, node: usize) -> Series {
        let of = |sample: &super::watch::Sample| {
            let memory = sample.nodes_mb.get(node).copied().flatten();
            (float(sample.minute), memory.unwrap_or(0.0))
        };
        Series {
            name: format!("node {}", node + 1),
            points: self.seen.samples.iter().map(of).collect(),
        }
    }
}

fn float(minute: i64) -> f64 {
    f64::from(i32::try_from(minute).unwrap_or(0))
}

fn pair(waits: &Rounds) -> String {
    if waits.len() == 0 {
        return String::new();
    }
    format!("{:.1} ms, {:.0} ms", waits.median(), waits.percentile(99))
}
