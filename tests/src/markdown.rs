//! Code in the documents.

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The text after the opening fence: `weave`, `weave,error`, …
    pub info: String,
    /// The file that the reader is asked to write: `desk.weave` of the comment `<!-- file: desk.weave -->` on the line above the fence.
    pub file: Option<String>,
    /// The line of the opening fence, counted from 1.
    pub line: usize,
    /// The code, each line with its end.
    pub code: String,
}

/// All fenced blocks of a document, except those inside longer fences.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, Block)> = None;
    let mut above = "";
    for (index, line) in text.lines().enumerate() {
        let ticks = line.trim_start().bytes().take_while(|byte| *byte == b'`').count();
        match &mut open {
            Some((length, _)) if ticks >= *length && line.trim().bytes().all(|byte| byte == b'`') => {
                blocks.extend(open.take().map(|(_, block)| block));
            }
            Some((_, block)) => {
                block.code.push_str(line);
                block.code.push('\n');
            }
            None if ticks >= 3 => {
                let info = line.trim().trim_start_matches('`').trim().to_owned();
                // A fence with a backtick after it is code within a line.
                if !info.contains('`') {
                    let file = above.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")).map(str::to_owned);
                    open = Some((ticks, Block { info, file, line: index + 1, code: String::new() }));
                }
            }
            None => {}
        }
        above = line;
    }
    blocks.extend(open.map(|(_, block)| block));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_with_their_info_and_line() {
        let text = "<!-- file: a.weave -->\n```weave,error\nx\n\ny\n```\n````text\n```weave\nnot this\n```\n````\n| ```weave | b |\n";
        let found = blocks(text).into_iter().map(|block| (block.info, block.file, block.line, block.code)).collect::<Vec<_>>();
        let expected = [("weave,error", Some("a.weave"), 2, "x\n\ny\n"), ("text", None, 7, "```weave\nnot this\n```\n")];
        assert_eq!(found, expected.map(|(info, file, line, code)| (info.to_owned(), file.map(str::to_owned), line, code.to_owned())));
    }
}
