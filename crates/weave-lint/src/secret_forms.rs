//! What keys and passwords of well-known services look like.

use weave_diagnostics::Span;

/// A form: what it begins with, how many characters follow at least, and what it is.
struct Form {
    prefix: &'static str,
    least: usize,
    what: &'static str,
}

const fn form(prefix: &'static str, least: usize, what: &'static str) -> Form {
    Form { prefix, least, what }
}

/// The prefixes are those that the services chose so that such keys can be found.
const FORMS: &[Form] = &[
    form("AKIA", 16, "an AWS access key"),
    form("ASIA", 16, "an AWS access key"),
    form("AIza", 35, "a Google API key"),
    form("ghp_", 36, "a GitHub token"),
    form("gho_", 36, "a GitHub token"),
    form("ghs_", 36, "a GitHub token"),
    form("github_pat_", 40, "a GitHub token"),
    form("glpat-", 20, "a GitLab token"),
    form("hf_", 34, "a Hugging Face token"),
    form("npm_", 36, "an npm token"),
    form("rk_live_", 20, "a Stripe key"),
    form("sk_live_", 20, "a Stripe key"),
    form("sk-ant-", 32, "an Anthropic API key"),
    form("sk-proj-", 32, "an OpenAI API key"),
    form("xoxb-", 20, "a Slack token"),
    form("xoxp-", 20, "a Slack token"),
];

/// The secrets in a text, in their order, each with what it is.
pub(crate) fn secrets(text: &str) -> Vec<(Span, &'static str)> {
    if !may_hold_one(text) {
        return Vec::new();
    }
    let mut found: Vec<(Span, &'static str)> = FORMS.iter().flat_map(|form| of_form(text, form)).collect();
    found.extend(private_keys(text));
    found.extend(passwords(text));
    found.sort_by_key(|(span, _)| *span);
    found
}

/// Whether a text holds how one of the forms begins. Nearly none does, and one look at each byte is a tenth of the work of looking for each form.
fn may_hold_one(text: &str) -> bool {
    let begins = |bytes: &[u8]| {
        matches!(
            bytes,
            b"AKI"
                | b"ASI"
                | b"AIz"
                | b"ghp"
                | b"gho"
                | b"ghs"
                | b"git"
                | b"glp"
                | b"hf_"
                | b"npm"
                | b"rk_"
                | b"sk_"
                | b"sk-"
                | b"xox"
                | b"---"
                | b"://"
        )
    };
    text.as_bytes().windows(3).any(begins)
}

fn of_form<'t>(text: &'t str, form: &'static Form) -> impl Iterator<Item = (Span, &'static str)> + use<'t> {
    text.match_indices(form.prefix).filter_map(|(start, prefix)| {
        let is_inside = text.get(..start)?.bytes().next_back().is_some_and(is_of_key);
        let rest = text.get(start + prefix.len()..)?;
        let length = rest.bytes().take_while(|byte| is_of_key(*byte)).count();
        let key = rest.get(..length)?;
        // `AKIAXXXXXXXXXXXXXXXX` and the like stand for a key.
        let is_random = key.bytes().any(|byte| byte.is_ascii_digit()) && key.bytes().any(|byte| byte.is_ascii_alphabetic());
        let is_key = !is_inside && length >= form.least && is_random;
        is_key.then(|| (span(start, start + prefix.len() + length), form.what))
    })
}

const fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// `-----BEGIN RSA PRIVATE KEY-----`
fn private_keys(text: &str) -> impl Iterator<Item = (Span, &'static str)> + use<'_> {
    const BEGIN: &str = "-----BEGIN ";
    text.match_indices(BEGIN).filter_map(|(start, _)| {
        let rest = text.get(start + BEGIN.len()..)?;
        let (label, _) = rest.split_once("-----")?;
        (label.len() < 40 && label.ends_with("PRIVATE KEY")).then(|| (span(start, start + BEGIN.len() + label.len() + 5), "a private key"))
    })
}

/// `postgres://user:password@host`
fn passwords(text: &str) -> impl Iterator<Item = (Span, &'static str)> + use<'_> {
    text.match_indices("://").filter_map(|(start, slashes)| {
        let rest = text.get(start + slashes.len()..)?;
        let length =
            rest.bytes().take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'"' | b'\'' | b'<' | b'>')).count();
        let authority = rest.get(..length)?;
        let (user, _) = authority.rsplit_once('@')?;
        let (_, password) = user.split_once(':')?;
        // A variable or a placeholder stands for a password.
        let is_password =
            !password.is_empty() && !password.contains(['$', '{', '*', '%']) && password.bytes().any(|byte| !is_of_name(byte));
        let end = start + slashes.len() + user.len();
        is_password.then(|| (span(end - password.len(), end), "a password in a URL"))
    })
}

/// `password`, `PASS`: what stands for a password in examples.
const fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

const fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

#[cfg(test)]
mod tests {
    use super::{FORMS, may_hold_one, secrets};

    fn found(text: &str) -> Vec<(&str, &'static str)> {
        secrets(text).into_iter().map(|(span, what)| (span.text(text), what)).collect()
    }

    #[test]
    fn no_form_is_passed_over() {
        for form in FORMS {
            assert!(may_hold_one(form.prefix), "{}", form.prefix);
        }
        assert!(!may_hold_one("AK sk ghx npn gi hf"));
    }

    #[test]
    fn keys_are_found_where_they_stand_alone() {
        let key = format!("ghp_{}", "a1".repeat(18));
        assert_eq!(found(&format!("use {key}.")), [(key.as_str(), "a GitHub token")]);
        assert_eq!(found(&format!("x{key}")), []);
        assert_eq!(found("ghp_short1"), []);
        assert_eq!(found("AKIAXXXXXXXXXXXXXXXX"), []);
        assert_eq!(found("-----BEGIN RSA PRIVATE KEY-----\nMII"), [("-----BEGIN RSA PRIVATE KEY-----", "a private key")]);
        assert_eq!(found("-----BEGIN PUBLIC KEY-----"), []);
    }

    #[test]
    fn passwords_of_addresses_are_found_and_what_stands_for_one_is_not() {
        assert_eq!(found("postgres://me:s3cret@db/x"), [("s3cret", "a password in a URL")]);
        for text in ["postgres://me:$PW@db", "postgres://user:password@db", "https://me@db", "https://db:8080/a@b", "a://{{.u}}:{{.p}}@db"]
        {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
