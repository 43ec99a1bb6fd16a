//! How fast text becomes tokens, and tokens become items.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};

/// The allocator of the command line, so that the figures are those of `weave`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// A file of about `kilobytes`, made of the samples; names get numbers, so that no two items are alike.
fn text(kilobytes: usize) -> String {
    let samples = [
        include_str!("../tests/samples/support.weave"),
        include_str!("../tests/samples/types.weave"),
        include_str!("../tests/samples/tools.weave"),
    ];
    let mut text = String::new();
    for round in 0.. {
        for sample in samples {
            text.push_str(&sample.replace("//!", "//").replace("order", &format!("order_{round}")));
        }
        if text.len() >= kilobytes * 1024 {
            break;
        }
    }
    text
}

#[divan::bench(args = [64, 1024, 8192])]
fn lex(bencher: Bencher<'_, '_>, kilobytes: usize) {
    let text = text(kilobytes);
    bencher.counter(BytesCount::of_str(&text)).bench(|| weave_syntax::lex(black_box(&text)));
}

#[divan::bench(args = [64, 1024, 8192])]
fn parse(bencher: Bencher<'_, '_>, kilobytes: usize) {
    let text: std::sync::Arc<str> = text(kilobytes).into();
    bencher.counter(BytesCount::of_str(&text)).bench(|| weave_syntax::parse(black_box(text.clone())));
}
