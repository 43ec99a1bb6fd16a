//! What all generated languages have in common.

use weave_codegen::{Options, Target, generate};
use weave_tests::generator::ring;
use weave_tests::packages::packages;
use weave_tests::program::Program;

/// Each type refers to all others, and still stands there once.
#[test]
fn what_is_generated_grows_with_the_program_and_no_faster() {
    let [once, twice] = [200, 400].map(|count| packages(&Program::one(&ring(count))));
    for target in [Target::Go, Target::TypeScript, Target::Python] {
        let size = |packages| {
            let files = generate(target, packages, &Options::default()).expect("no two files use each other");
            files.iter().filter(|file| !file.path.starts_with(['_', 'w'])).map(|file| file.contents.len()).sum::<usize>()
        };
        let (once, twice) = (size(&once), size(&twice));
        assert!(once > 100_000 && twice < 2 * once + once / 50, "{}: {once} bytes, and {twice} for twice as much", target.name());
    }
}
