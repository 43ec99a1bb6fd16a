//! Names of files: `/`-separated texts, never looked up on a disk.

/// The folder of a file, with the `/` at its end; empty for a file without one.
pub(crate) fn folder(name: &str) -> &str {
    name.rfind('/').and_then(|slash| name.get(..=slash)).unwrap_or_default()
}

/// Whether a name starts at the root of a disk, on any system.
pub(crate) fn is_absolute(name: &str) -> bool {
    let bytes = name.as_bytes();
    name.starts_with(['/', '\\']) || (bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic))
}

/// What the path `import` of the file `importer` names, without `.` and, where it can be, without `..`.
#[must_use]
pub fn join(importer: &str, import: &str) -> String {
    normalize(&format!("{}{import}", folder(importer)))
}

/// What a file that lies in `folder` means by a path: one that starts at the root of a disk stands for itself.
#[must_use]
pub fn within(folder: &str, path: &str) -> String {
    if is_absolute(path) { normalize(&path.replace('\\', "/")) } else { normalize(&format!("{folder}/{path}")) }
}

/// The name without empty and `.` parts; a `..` takes the part before it away if there is one.
#[must_use]
pub fn normalize(name: &str) -> String {
    let rooted = name.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            // Above the root of a disk there is only the root.
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    // Two slashes begin the name of another machine.
    let is_of_machine = name.starts_with("//") && !name.starts_with("///");
    match rooted {
        true if is_of_machine => format!("//{joined}"),
        true => format!("/{joined}"),
        false => joined,
    }
}

/// The name as it is said from a folder; both start at the root of a disk.
#[must_use]
pub fn relative(name: &str, folder: &str) -> String {
    let name = normalize(name);
    let folder = normalize(folder);
    let mut names = name.split('/').peekable();
    let mut folders = folder.split('/').filter(|part| !part.is_empty() || folder.starts_with('/')).peekable();
    while let (Some(one), Some(other)) = (names.peek(), folders.peek()) {
        if one != other {
            break;
        }
        names.next();
        folders.next();
    }
    let up = folders.filter(|part| !part.is_empty()).map(|_| "..");
    up.chain(names).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_joined_to_the_folder_of_their_file() {
        for (importer, import, joined) in [
            ("a.weave", "./b.weave", "b.weave"),
            ("x/a.weave", "./b.weave", "x/b.weave"),
            ("x/y/a.weave", "../b.weave", "x/b.weave"),
            ("x/a.weave", "../../b.weave", "../b.weave"),
            ("../x/a.weave", "../b.weave", "../b.weave"),
            ("/x/a.weave", "../../../b.weave", "/b.weave"),
            ("<stdin>", "./lib/b.weave", "lib/b.weave"),
            ("x/a.weave", "y//./b.weave", "x/y/b.weave"),
            ("x/a.weave", "b.weave", "x/b.weave"),
            ("//host/x/a.weave", "../b.weave", "//host/b.weave"),
        ] {
            assert_eq!(join(importer, import), joined, "{import} in {importer}");
        }
    }

    #[test]
    fn names_of_a_machine_are_said_from_a_folder() {
        assert_eq!(relative("/home/me/p/lib/a.weave", "/home/me/p/"), "lib/a.weave");
        assert_eq!(relative("/home/me/lib/a.weave", "/home/me/p/"), "../lib/a.weave");
        assert_eq!(relative("/a.weave", "/"), "a.weave");
        for (path, expected) in
            [("gen", "/p/gen"), ("../gen/", "/gen"), ("/else/./gen", "/else/gen"), ("C:\\app\\gen", "C:/app/gen"), ("D:/gen", "D:/gen")]
        {
            assert_eq!(within("/p", path), expected);
        }
        assert!(is_absolute("/a") && is_absolute("C:/a") && is_absolute("\\\\server\\a") && !is_absolute("a/b") && !is_absolute("ab:c"));
    }
}
