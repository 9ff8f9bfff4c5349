//! Plain line charts as SVG.

use crate::figures::float_of;
use crate::report::thousands;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 50.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 56.0;
/// Told apart also by those who see fewer colours.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

#[derive(Debug)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// What goes to the right.
#[derive(Debug, Clone, Copy)]
pub enum Scale {
    /// Sizes, each step a factor, and every point a measurement.
    Sizes,
    /// Time, with a mark at every so many.
    Time(f64),
}

/// What is measured goes up, from zero.
#[derive(Debug)]
pub struct Chart {
    /// Without the ending.
    pub file: &'static str,
    pub title: &'static str,
    pub x: &'static str,
    pub y: &'static str,
    pub scale: Scale,
    pub series: Vec<Series>,
}

impl Chart {
    pub fn markdown(&self) -> String {
        format!("![{}](benchmarks/{}.svg)\n\n", self.title, self.file)
    }

    pub fn svg(&self) -> String {
        let (sizes, top) = (self.sizes(), self.top());
        let along = |x: f64| match self.scale {
            Scale::Sizes => x.ln(),
            Scale::Time(_) => x,
        };
        let (least, most) = (sizes.first().copied(), sizes.last().copied());
        let (least, most) = (along(least.unwrap_or(1.0)), along(most.unwrap_or(1.0)));
        let across = |x: f64| {
            let part = if most > least { (along(x) - least) / (most - least) } else { 0.5 };
            LEFT + part * (WIDTH - LEFT - RIGHT)
        };
        let up = |y: f64| HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM);
        let text = |x: f64, y: f64, anchor: &str, text: &str| {
            format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>\n")
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        svg += &format!("<text x=\"{LEFT}\" y=\"22\" font-size=\"16\">{}</text>\n", self.title);
        for step in 0..=4 {
            let value = top * f64::from(step) / 4.0;
            let y = up(value);
            let right = WIDTH - RIGHT;
            svg += &format!("<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#dddddd\"/>\n");
            svg += &text(LEFT - 8.0, y + 4.0, "end", &label(value, top));
        }
        for mark in self.marks(sizes) {
            svg += &text(across(mark), HEIGHT - BOTTOM + 20.0, "middle", &thousands(mark));
        }
        svg += &text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12.0, "middle", self.x);
        svg += &format!(
            "<text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2.0,
            self.y
        );
        for (at, (series, colour)) in self.series.iter().zip(COLOURS.iter().cycle()).enumerate() {
            svg += &line(series, colour, across, up);
            if matches!(self.scale, Scale::Sizes) {
                svg += &points(series, colour, across, up);
            }
            svg += &legend(at, &series.name, colour);
        }
        svg + "</svg>\n"
    }

    /// From the least to the greatest.
    fn sizes(&self) -> Vec<f64> {
        let points = self.series.iter().flat_map(|series| &series.points);
        let mut sizes: Vec<f64> = points.map(|(x, _)| *x).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        sizes
    }

    /// Where a number stands below.
    fn marks(&self, sizes: Vec<f64>) -> Vec<f64> {
        let Scale::Time(every) = self.scale else { return sizes };
        let (first, last) = (sizes.first().copied(), sizes.last().copied().unwrap_or(0.0));
        let mut marks = Vec::new();
        let mut mark = (first.unwrap_or(0.0) / every).ceil() * every;
        while mark <= last {
            marks.push(mark);
            mark += every;
        }
        marks
    }

    /// A round number that no point is above.
    fn top(&self) -> f64 {
        let points = self.series.iter().flat_map(|series| &series.points);
        let most = points.map(|(_, y)| *y).fold(f64::MIN_POSITIVE, f64::max);
        let scale = 10_f64.powf(most.log10().floor());
        let steps = [1.0, 2.0, 4.0, 6.0, 8.0].map(|step| step * scale);
        steps.into_iter().find(|step| *step >= most).unwrap_or(10.0 * scale)
    }
}

fn line(
    series: &Series,
    colour: &str,
    across: impl Fn(f64) -> f64,
    up: impl Fn(f64) -> f64,
) -> String {
    let places: Vec<_> = series.points.iter().map(|(x, y)| (across(*x), up(*y))).collect();
    let path: Vec<_> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let path = path.join(" ");
    format!("<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n")
}

fn points(
    series: &Series,
    colour: &str,
    across: impl Fn(f64) -> f64,
    up: impl Fn(f64) -> f64,
) -> String {
    let circle = |(x, y): &(f64, f64)| {
        format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>\n",
            across(*x),
            up(*y)
        )
    };
    series.points.iter().map(circle).collect()
}

/// Names in two columns, below the title.
fn legend(at: usize, name: &str, colour: &str) -> String {
    let x = if at.is_multiple_of(2) { LEFT } else { LEFT + 300.0 };
    let y = 34.0 + 19.0 * float_of(at / 2);
    format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\n\
         <text x=\"{}\" y=\"{}\">{name}</text>\n",
        x + 17.0,
        y + 11.0
    )
}

fn label(value: f64, top: f64) -> String {
    if top >= 20.0 { thousands(value) } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> Chart {
        let series = vec![Series { name: "SQLite".to_owned(), points }];
        Chart { file: "f", title: "t", x: "users", y: "a second", scale: Scale::Sizes, series }
    }

    #[test]
    fn the_scale_ends_at_a_round_number_above_every_point() {
        for (most, top) in [(950.0, 1_000.0), (1_000.0, 1_000.0), (1_001.0, 2_000.0), (3.9, 4.0)] {
            assert!((chart(vec![(1.0, most)]).top() - top).abs() < 1e-9, "{most}");
        }
    }

    #[test]
    fn every_point_is_inside_the_picture() {
        let svg = chart(vec![(1.0, 10.0), (1_000.0, 20.0)]).svg();
        assert!(svg.contains("points=\"80.0,214.0 670.0,84.0\""), "{svg}");
    }

    #[test]
    fn time_has_its_marks_at_even_steps_between_the_first_point_and_the_last() {
        let chart = Chart { scale: Scale::Time(15.0), ..chart(vec![(-31.0, 1.0), (29.0, 1.0)]) };
        assert_eq!(chart.marks(chart.sizes()), [-30.0, -15.0, 0.0, 15.0]);
    }

    #[test]
    fn a_single_size_is_drawn_in_the_middle() {
        assert!(chart(vec![(5.0, 1.0)]).svg().contains("cx=\"375.0\""));
    }
}
