//! What a matrix and its controls come to.

use crate::matrix::Cell;
use cinder_residue::Left;
use cinder_residue::controls::Control;
use std::fmt;

/// The sums of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cells of the matrix.
    pub cells: usize,
    /// Those of them in which anything was found.
    pub dirty: usize,
    /// Bytes found in them.
    pub bytes: usize,
    /// How far down the stack was written, in bytes.
    pub deepest: usize,
    /// Controls.
    pub controls: usize,
    /// Those of them that did not find what they should.
    pub failed: usize,
}

impl Tally {
    /// Counts a cell.
    pub fn cell(&mut self, cell: &Cell) {
        self.cells += 1;
        self.dirty += usize::from(cell.left != Left::NOTHING);
        self.bytes += cell.left.total();
        self.deepest = self.deepest.max(cell.depth);
    }

    /// Counts a control.
    pub fn control(&mut self, control: &Control) {
        self.controls += 1;
        self.failed += usize::from(!control.is_fine);
    }

    /// Cells were looked at and not one byte found, by a scanner whose controls all held.
    pub fn is_clean(&self) -> bool {
        self.cells != 0 && self.dirty == 0 && self.controls != 0 && self.failed == 0
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { cells, dirty, bytes, deepest, controls, failed } = self;
        write!(f, "{cells} cells, {dirty} with residue, {bytes} bytes; ")?;
        write!(f, "{deepest} bytes of stack at most; {controls} controls, {failed} failed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(left: Left, is_fine: bool) -> Tally {
        let mut tally = Tally::default();
        let (name, expected) = (String::new(), String::new());
        tally.control(&Control { name, expected, left: Left::NOTHING, is_fine });
        for left in [Left::NOTHING, left, Left::NOTHING] {
            tally.cell(&cell(left));
        }
        tally
    }

    fn cell(left: Left) -> Cell {
        let (kernel, details) = (String::new(), String::new());
        Cell { cipher: "", mode: "", kernel, step: "", left, depth: 8, details }
    }

    #[test]
    fn any_byte_anywhere_is_a_failure() {
        assert!(tally(Left::NOTHING, true).is_clean());
        for left in [
            Left { stack: 1, ..Left::NOTHING },
            Left { vector: 1, ..Left::NOTHING },
            Left { general: 1, ..Left::NOTHING },
            Left { heap: 1, ..Left::NOTHING },
        ] {
            let tally = tally(left, true);
            assert_eq!((tally.cells, tally.dirty, tally.bytes), (3, 1, 1));
            assert!(!tally.is_clean());
        }
    }

    #[test]
    fn a_control_that_fails_is_a_failure() {
        assert!(!tally(Left::NOTHING, false).is_clean());
    }

    #[test]
    fn looking_at_nothing_is_a_failure() {
        assert!(!Tally::default().is_clean());
        let mut no_controls = Tally::default();
        no_controls.cell(&cell(Left::NOTHING));
        assert!(!no_controls.is_clean());
    }
}
