//! Ciphers as a user's program calls them, under the scanner, see [`residue_matrix::command`].

use std::error::Error;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    residue_matrix::command::main(|_, filter, each| {
        residue_matrix::matrix::run_callers(filter, each)
    })
}
