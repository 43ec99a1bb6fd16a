//! How names are written.

/// A name as types are written: `OrderLine`.
pub(crate) fn camel(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words.flat_map(|word| word.chars().enumerate().map(|(index, it)| if index == 0 { it.to_ascii_uppercase() } else { it })).collect()
}

/// A name as everything else is written: `order_line`. Capital letters side by side are one word.
pub(crate) fn snake(name: &str) -> String {
    let mut written = String::with_capacity(name.len() + 4);
    let mut rest = name.chars().peekable();
    let mut before: Option<char> = None;
    while let Some(character) = rest.next() {
        if character.is_ascii_uppercase() {
            let starts_word = before.is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit());
            let ends_capitals = before.is_some_and(|it| it.is_ascii_uppercase()) && rest.peek().is_some_and(char::is_ascii_lowercase);
            if starts_word || ends_capitals {
                written.push('_');
            }
        }
        written.push(character.to_ascii_lowercase());
        before = Some(character);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::{camel, snake};

    #[test]
    fn words_are_found() {
        assert_eq!(snake("orderId"), "order_id");
        assert_eq!(snake("HTTPServer2Go"), "http_server2_go");
        assert_eq!(camel("order_line"), "OrderLine");
        assert_eq!(camel("_x"), "X");
    }
}
