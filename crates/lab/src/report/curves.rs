//! Learning curves: generations of a run, from its store or from CSV, as lines of a chart.

use super::error::{ReportError, fail};
use crate::draw::chart::CurveLine;
use crate::learning::export::GenerationRow;

/// The vertical axis of learning curves.
pub const HEIGHT: &str = "fitness: the best of a generation";

/// The learner and the training seed in a name such as `q-network-3`.
pub fn learner_and_seed(name: &str) -> Option<(&str, u64)> {
    let (learner, seed) = name.rsplit_once('-')?;
    let is_seed = seed.bytes().all(|byte| byte.is_ascii_digit());
    let seed = seed.parse().ok().filter(|_| is_seed)?;
    (!learner.is_empty()).then_some((learner, seed))
}

/// The curves of a learner's generations, one for each of its runs: the best fitness over the pieces so far.
pub fn lines(learner: &str, rows: &[GenerationRow]) -> Vec<CurveLine> {
    let runs = rows.chunk_by(|a, b| a.run == b.run);
    let line = |run: &[GenerationRow]| CurveLine {
        learner: learner.to_owned(),
        points: points(run, |row| row.best),
        pale: Vec::new(),
    };
    runs.map(line).collect()
}

/// The same with the mean fitness of each generation in a paler colour, where it is another.
pub fn lines_with_means(learner: &str, rows: &[GenerationRow]) -> Vec<CurveLine> {
    let mut lines = lines(learner, rows);
    let runs = rows.chunk_by(|a, b| a.run == b.run);
    for (line, run) in lines.iter_mut().zip(runs) {
        let means = points(run, |row| row.mean);
        if means != line.points {
            line.pale = means;
        }
    }
    lines
}

fn points(run: &[GenerationRow], height: fn(&GenerationRow) -> f64) -> Vec<(f64, f64)> {
    let mut pieces = 0;
    let point = |row: &GenerationRow| {
        pieces += row.pieces;
        (pieces as f64, height(row))
    };
    run.iter().map(point).collect()
}

/// The generations of an exported CSV text, without their vectors.
///
/// # Errors
/// When a column is missing, or a line is not a generation.
pub fn from_csv(text: &str) -> Result<Vec<GenerationRow>, ReportError> {
    let mut lines = text.lines().enumerate();
    let heads: Vec<&str> = lines.next().unwrap_or_default().1.split(',').collect();
    let column = |name: &str| {
        let found = heads.iter().position(|&head| head == name);
        found.ok_or_else(|| ReportError(format!("there is no column '{name}'")))
    };
    let names = [
        "run",
        "generation",
        "best",
        "mean",
        "games",
        "pieces",
        "seconds",
    ];
    let columns = names
        .map(column)
        .into_iter()
        .collect::<Result<Vec<usize>, ReportError>>()?;
    let rows = lines.map(|(index, line)| {
        let cells: Vec<&str> = line.split(',').collect();
        let cells: Option<Vec<&str>> = columns.iter().map(|&at| cells.get(at).copied()).collect();
        let row = cells.and_then(|cells| row(&cells));
        row.ok_or_else(|| ReportError(format!("line {} is not a generation", index + 1)))
    });
    let rows = rows.collect::<Result<Vec<GenerationRow>, ReportError>>()?;
    if rows.is_empty() {
        fail!("there are no generations in it");
    }
    Ok(rows)
}

/// A generation of seven cells. A fitness that is not finite has an empty cell.
fn row(cells: &[&str]) -> Option<GenerationRow> {
    let fitness = |cell: &str| {
        if cell.is_empty() {
            Some(f64::NAN)
        } else {
            cell.parse().ok()
        }
    };
    Some(GenerationRow {
        run: cells[0].parse().ok()?,
        generation: cells[1].parse().ok()?,
        best: fitness(cells[2])?,
        mean: fitness(cells[3])?,
        spread: None,
        sigma: None,
        eigenvalues: Vec::new(),
        solution: Vec::new(),
        games: cells[4].parse().ok()?,
        pieces: cells[5].parse().ok()?,
        seconds: cells[6].parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "run,generation,best,mean,spread,sigma,games,pieces,seconds,weight:holes
1,1,5.5,4.0,0.1,,10,100,0.5,-1.0
1,2,7.0,7.0,0.1,,10,50,0.5,-1.0
2,1,,3.0,0.1,,10,200,0.5,-1.0
";

    #[test]
    fn a_name_ends_in_its_seed() {
        assert_eq!(
            learner_and_seed("q-network-fast-12"),
            Some(("q-network-fast", 12))
        );
        for other in ["bcts", "boumaza-3f2a9c01", "-3", "x-", "x-+3"] {
            assert_eq!(learner_and_seed(other), None, "{other}");
        }
    }

    #[test]
    fn every_run_is_a_line_over_its_own_pieces() {
        let rows = from_csv(CSV).unwrap();
        let drawn = lines("one", &rows);
        assert_eq!(drawn[0].points, [(100.0, 5.5), (150.0, 7.0)]);
        assert!(drawn.len() == 2 && drawn[1].points[0].1.is_nan());
        let drawn = lines_with_means("one", &rows);
        assert_eq!(drawn[0].pale, [(100.0, 4.0), (150.0, 7.0)]);
        let same = from_csv(&CSV.replace("5.5", "4.0")).unwrap();
        assert!(lines_with_means("one", &same)[0].pale.is_empty());
    }

    #[test]
    fn what_is_no_export_is_told() {
        let error = |text: &str| from_csv(text).unwrap_err().to_string();
        assert_eq!(error("a,b\n1,2\n"), "there is no column 'run'");
        let head = CSV.lines().next().unwrap();
        assert_eq!(error(head), "there are no generations in it");
        assert_eq!(
            error(&format!("{head}\n1,2,x\n")),
            "line 2 is not a generation"
        );
    }
}
