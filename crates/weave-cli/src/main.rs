//! The `weave` program.

/// Trees are many small boxes, and the system's allocator took a fifth of the time of a check.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    // The memory of a large program is not freed piece by piece at the end: the system does that faster.
    std::process::exit(weave_cli::main());
}
