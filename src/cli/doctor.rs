//! `touchline doctor`: the databases and the link to the homeserver, piece by piece.

use crate::adapters::matrix::{self, Matrix, doctor::Finding};
use crate::app;
use crate::platform::clock::Clock;
use crate::platform::config::Config;
use crate::platform::db::Db;
use crate::platform::error::{Error, Result};
use crate::platform::installation;

use super::print;

pub async fn run(config: &Config, settings: matrix::Settings) -> Result<()> {
    print(&settings.describe())?;
    let mut findings = examine_databases(config).await;
    let matrix = Matrix::new(settings, &config.matrix, None).map_err(Error::internal)?;
    findings.extend(matrix::doctor::examine(&matrix).await);
    for finding in &findings {
        match &finding.problem {
            None => print(&format!("ok      {}", finding.what))?,
            Some(problem) => print(&format!("WRONG   {}\n        {problem}", finding.what))?,
        }
    }
    if findings.iter().any(|finding| finding.problem.is_some()) {
        return Err(Error::internal("Something is wrong; see above."));
    }
    print("All is well.")
}

/// The service's own database and, where the homeserver is the embedded one, its file.
async fn examine_databases(config: &Config) -> Vec<Finding> {
    let name = match app::open_database(config, Clock::system()).await {
        Ok(db) => {
            let name = examine(&db).await;
            db.close().await;
            name
        }
        Err(error) => Err(error),
    };
    let name = name.map_err(|error| format!("The database cannot be used: {error}."));
    let problem = name.as_ref().err().cloned();
    let mut findings = vec![Finding { what: "the database answers and is whole", problem }];
    if let (Ok(name), Some(file)) = (name, matrix::embedded_file(config)) {
        let problem = matrix::examine_embedded(file, name).await.err();
        findings.push(Finding { what: "the homeserver's database is whole and ours", problem });
    }
    findings
}

/// The name of the installation, if the database is in order.
async fn examine(db: &Db) -> Result<String> {
    db.ping().await?;
    db.examine().await?;
    Ok(installation::find(db).await.unwrap_or_default())
}
