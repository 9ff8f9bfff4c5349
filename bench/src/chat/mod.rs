//! Chat: a rush into one room, the service's own part in a chat call, and messages to many waiting members. On the embedded
//! homeserver, and on Synapse if there is one.

mod messages;
mod place;
mod surge;

use crate::load::Measured;
use crate::plan::Plan;
use crate::report::{Figure, Row};
use crate::{Bench, Outcome};

use place::{Kind, Place, python};

/// How many times more messages than through Synapse are good enough.
const GOAL: f64 = 10.0;

/// Each place has three to get ready and for joining, and each of its crowds one to gather and one for each round.
pub fn steps(plan: &Plan) -> usize {
    let crowd = 1 + plan.chat.rounds;
    3 + 2 * crowd + if python().is_some() { 3 + crowd } else { 1 }
}

pub fn measure(bench: &mut Bench) -> Outcome<()> {
    let plan = bench.plan.chat.clone();
    let place = open(bench, Kind::Embedded, plan.surge)?;
    surge::measure(bench, &place)?;
    messages::measure(bench, &place, plan.members)?;
    let ours = messages::measure(bench, &place, plan.synapse_members)?;
    let memory_mb = place.service.memory_mb();
    place.close(bench)?;
    if python().is_none() {
        bench.step_of("chat on Synapse: skipped");
        bench.report.figures.push(Figure {
            what: "chat on Synapse".to_owned(),
            database: Kind::Synapse.label(),
            value: "skipped: no Synapse is here".to_owned(),
            goal: None,
        });
        return Ok(());
    }
    let place = open(bench, Kind::Synapse, plan.synapse_surge)?;
    surge::measure(bench, &place)?;
    let theirs = messages::measure(bench, &place, plan.synapse_members)?;
    place.close(bench)?;
    compare(bench, &ours, &theirs, memory_mb);
    Ok(())
}

fn open(bench: &mut Bench, kind: Kind, fans: i64) -> Outcome<Place> {
    bench.step_of(&format!("{}: {fans} chat accounts", kind.label()));
    Place::open(bench, kind, fans)
}

fn compare(bench: &mut Bench, ours: &[Measured], theirs: &[Measured], memory_mb: f64) {
    let mut row = Row::new("chat messages, all members wait", "SQLite", "Synapse", Some(GOAL));
    for (ours, theirs) in ours.iter().zip(theirs) {
        row.push(theirs.per_second, *ours);
    }
    row.memory_mb = memory_mb;
    bench.report.rows.push(row);
}
