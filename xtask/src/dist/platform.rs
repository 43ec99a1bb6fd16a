//! The platforms that releases are built for, in the words of each package system.

/// A platform.
#[derive(Debug)]
pub(super) struct Platform {
    /// As Rust calls it.
    pub target: &'static str,
    /// `os`, `cpu` and `libc` of npm; no `libc` but on Linux.
    pub npm: (&'static str, &'static str, Option<&'static str>),
    /// The tag of wheels, unless it depends on the C library that the binary needs (see `wheel.rs`).
    pub wheel: WheelTag,
    /// The architecture of Debian packages, where there is one.
    pub deb: Option<&'static str>,
    /// The platform of VS Code extensions.
    pub vscode: &'static str,
}

/// How the tag of a wheel is found.
#[derive(Debug)]
pub(super) enum WheelTag {
    /// This tag.
    Fixed(&'static str),
    /// `manylinux_2_N_ARCHITECTURE`, where N is the version of glibc that the binary needs.
    Glibc(&'static str),
}

/// All platforms.
pub(super) const PLATFORMS: &[Platform] = &[
    Platform {
        target: "x86_64-unknown-linux-gnu",
        npm: ("linux", "x64", Some("glibc")),
        wheel: WheelTag::Glibc("x86_64"),
        deb: Some("amd64"),
        vscode: "linux-x64",
    },
    Platform {
        target: "aarch64-unknown-linux-gnu",
        npm: ("linux", "arm64", Some("glibc")),
        wheel: WheelTag::Glibc("aarch64"),
        deb: Some("arm64"),
        vscode: "linux-arm64",
    },
    Platform {
        target: "x86_64-unknown-linux-musl",
        npm: ("linux", "x64", Some("musl")),
        wheel: WheelTag::Fixed("musllinux_1_1_x86_64"),
        deb: None,
        vscode: "alpine-x64",
    },
    Platform {
        target: "aarch64-unknown-linux-musl",
        npm: ("linux", "arm64", Some("musl")),
        wheel: WheelTag::Fixed("musllinux_1_1_aarch64"),
        deb: None,
        vscode: "alpine-arm64",
    },
    Platform {
        target: "x86_64-apple-darwin",
        npm: ("darwin", "x64", None),
        wheel: WheelTag::Fixed("macosx_10_12_x86_64"),
        deb: None,
        vscode: "darwin-x64",
    },
    Platform {
        target: "aarch64-apple-darwin",
        npm: ("darwin", "arm64", None),
        wheel: WheelTag::Fixed("macosx_11_0_arm64"),
        deb: None,
        vscode: "darwin-arm64",
    },
    Platform {
        target: "x86_64-pc-windows-msvc",
        npm: ("win32", "x64", None),
        wheel: WheelTag::Fixed("win_amd64"),
        deb: None,
        vscode: "win32-x64",
    },
    Platform {
        target: "aarch64-pc-windows-msvc",
        npm: ("win32", "arm64", None),
        wheel: WheelTag::Fixed("win_arm64"),
        deb: None,
        vscode: "win32-arm64",
    },
];

/// The platform of a target of Rust.
pub(super) fn find(target: &str) -> Result<&'static Platform, String> {
    PLATFORMS.iter().find(|platform| platform.target == target).ok_or_else(|| {
        let known = PLATFORMS.iter().map(|platform| platform.target).collect::<Vec<_>>().join(", ");
        format!("there are no releases for `{target}`; the targets are {known}")
    })
}

impl Platform {
    /// Whether this is Windows.
    pub(super) fn is_windows(&self) -> bool {
        self.target.contains("windows")
    }

    /// The name of the binary.
    pub(super) fn program(&self) -> &'static str {
        if self.is_windows() { "weave.exe" } else { "weave" }
    }

    /// The name of the archive of a version.
    pub(super) fn archive(&self, version: &str) -> String {
        let extension = if self.is_windows() { "zip" } else { "tar.gz" };
        format!("weave-{version}-{}.{extension}", self.target)
    }

    /// The name of the npm package with the binary.
    pub(super) fn npm_package(&self) -> String {
        let (os, cpu, libc) = self.npm;
        let suffix = if libc == Some("musl") { "-musl" } else { "" };
        format!("{}-{os}-{cpu}{suffix}", super::PACKAGE)
    }
}
