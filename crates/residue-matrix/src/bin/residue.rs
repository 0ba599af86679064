//! Prints the residue matrix of this build and its controls, see [`residue_matrix::command`].

use std::error::Error;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    residue_matrix::command::main(|extent, filter, each| {
        residue_matrix::matrix::run(extent, filter, each)
    })
}
