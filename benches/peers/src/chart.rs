//! Bars in SVG, of the form that a page shows without help: no script, no font of its own.

use std::fmt::Write as _;

/// A row of a chart: a name, and a bar for each series.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) bars: Vec<Option<Bar>>,
}

pub(crate) struct Bar {
    /// What the length shows, above 0.
    pub(crate) value: f64,
    /// The words at its end.
    pub(crate) words: String,
}

pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    /// What a length means, and where it was measured.
    pub(crate) subtitle: &'a str,
    /// A name and a colour for each bar of a row.
    pub(crate) series: &'a [(&'a str, &'a str)],
    /// The lines across, from the smallest to the largest: a value and its name. The scale is
    /// logarithmic, and bars start at 1.
    pub(crate) marks: &'a [(f64, &'a str)],
    pub(crate) rows: Vec<Row>,
}

const WIDTH: f64 = 760.0;
const NAMES: f64 = 130.0;
/// Room at the right for the words at the longest bar's end.
const MARGIN: f64 = 110.0;
const HEAD: f64 = 84.0;
const BAR: f64 = 11.0;
const GAP: f64 = 9.0;

impl Chart<'_> {
    pub(crate) fn svg(&self) -> String {
        let bars = self.series.len() as f64;
        let row_height = bars * BAR + GAP;
        let height = HEAD + self.rows.len() as f64 * row_height + 14.0;
        let (low, high) = (self.marks[0].0.ln(), self.marks[self.marks.len() - 1].0.ln());
        let x = |value: f64| {
            let part = ((value.ln() - low) / (high - low)).clamp(0.0, 1.0);
            NAMES + part * (WIDTH - NAMES - MARGIN)
        };
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             font-family=\"sans-serif\" font-size=\"11\" role=\"img\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <text x=\"12\" y=\"22\" font-size=\"15\" font-weight=\"bold\">{}</text>\n\
             <text x=\"12\" y=\"40\" fill=\"#555\">{}</text>\n",
            self.title, self.title, self.subtitle
        );
        let mut left = 12.0;
        for (name, colour) in self.series {
            let words = left + 15.0;
            _ = writeln!(
                out,
                "<rect x=\"{left}\" y=\"49\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
                 <text x=\"{words}\" y=\"58\">{name}</text>"
            );
            left += 40.0 + 6.0 * name.len() as f64;
        }
        for (value, name) in self.marks {
            let (x, bottom) = (x(*value), height - 10.0);
            let colour = if *value == 1.0 { "#333" } else { "#ddd" };
            _ = writeln!(
                out,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{HEAD}\" y2=\"{bottom}\" \
                 stroke=\"{colour}\"/><text x=\"{x:.1}\" y=\"{}\" fill=\"#555\" \
                 text-anchor=\"middle\">{name}</text>",
                HEAD - 6.0
            );
        }
        for (index, row) in self.rows.iter().enumerate() {
            let top = HEAD + GAP / 2.0 + index as f64 * row_height;
            let middle = top + bars * BAR / 2.0 + 4.0;
            _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>",
                NAMES - 8.0,
                row.name
            );
            for (place, (bar, (_, colour))) in row.bars.iter().zip(self.series).enumerate() {
                let Some(bar) = bar else { continue };
                let (from, to) = (x(bar.value.min(1.0)), x(bar.value.max(1.0)));
                let y = top + place as f64 * BAR;
                _ = writeln!(
                    out,
                    "<rect x=\"{from:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" \
                     fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{}\" font-size=\"9\">{}</text>",
                    (to - from).max(1.0),
                    BAR - 1.0,
                    to + 4.0,
                    y + 8.5,
                    bar.words
                );
            }
        }
        out.push_str("</svg>\n");
        out
    }
}
