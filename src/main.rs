//! The program `touchline`; everything is in the library, so that tests can use it too.

use mimalloc::MiMalloc;

/// A request is a few dozen small pieces of memory, taken on one thread and often given back on another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> std::process::ExitCode {
    touchline::cli::main()
}
