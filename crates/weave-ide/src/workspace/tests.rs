//! What a workspace knows after things have happened is what one knows that sees everything for the first time.

use proptest::prelude::*;

use super::*;

/// A disk. Clones are the same one.
#[derive(Clone, Default)]
struct Disk(Arc<Mutex<BTreeMap<String, String>>>);

impl Disk {
    fn write(&self, path: &str, text: Option<&str>) {
        let mut files = self.0.lock().unwrap();
        match text {
            Some(text) => drop(files.insert(path.to_owned(), text.to_owned())),
            None => drop(files.remove(path)),
        }
    }
}

impl Host for Disk {
    fn read(&self, path: &str) -> Result<Arc<str>, LoadError> {
        self.0.lock().unwrap().get(path).map(|text| text.as_str().into()).ok_or(LoadError::NotFound)
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let is_ignored = |path: &String| folder == "/p/" && path.starts_with("/p/ignored/");
        let files = self.0.lock().unwrap();
        files.keys().filter(|path| path.starts_with(folder) && path.ends_with(ENDING) && !is_ignored(path)).cloned().collect()
    }

    fn is_repository(&self, _: &str) -> bool {
        false
    }

    fn today(&self) -> Option<Day> {
        None
    }

    fn page(&self, _: &'static Code) -> Option<String> {
        None
    }
}

const PATHS: [&str; 7] =
    ["/p/a.weave", "/p/deep/b.weave", "/p/ignored/c.weave", "/p/weave.toml", "/outside/d.weave", "/q/e.weave", "/outside/known.json"];

const FOLDERS: [&str; 4] = ["/p", "/p/deep", "/p/ignored", "/outside"];

const TEXTS: [&str; 6] = [
    "",
    "type A = string\n",
    "import { A } from \"./a.weave\"\ntype B { a: A }\n",
    "import { A } from \"../p/a.weave\"\ntype C { a: A }\n",
    "import { A } from \"../a.weave\"\ntype D { a: A, b: Missing }\n",
    "[lint]\nbaseline = \"../outside/known.json\"\n[lint.rules]\nunused-type = \"error\"\n",
];

#[derive(Clone, Debug)]
enum Event {
    Edited(usize, usize),
    Closed(usize),
    /// A file is written or removed, and the workspace is told.
    Written(usize, Option<usize>),
    /// A folder is removed with all that lies in it, and the workspace is told.
    Removed(usize),
    LookedAt,
}

fn event() -> impl Strategy<Value = Event> {
    let (path, text) = (0..PATHS.len(), 0..TEXTS.len());
    prop_oneof![
        4 => (path.clone(), text.clone()).prop_map(|(path, text)| Event::Edited(path, text)),
        2 => path.clone().prop_map(Event::Closed),
        2 => (path, proptest::option::weighted(0.7, text)).prop_map(|(path, text)| Event::Written(path, text)),
        1 => (0..FOLDERS.len()).prop_map(Event::Removed),
        2 => Just(Event::LookedAt),
    ]
}

/// All that is known of all projects.
fn known(workspace: &mut Workspace) -> Vec<String> {
    let projects = workspace.projects();
    let lines = projects.iter().flat_map(|project| {
        let configs = project.configs.iter().map(|config| format!("{} {:?}", config.path, config.source.text()));
        let files = project.analysis.snapshot().sources().iter().skip(1);
        let files = files.map(|(file, source)| {
            let found: Vec<_> =
                project.analysis.diagnostics(file).iter().map(|it| (it.code.id, it.severity, it.primary.place.span)).collect();
            format!("{:?} {:?} {found:?}", project.path(file), source.text())
        });
        std::iter::once(project.root.clone()).chain(configs).chain(files).collect::<Vec<_>>()
    });
    lines.collect()
}

proptest! {
    #[test]
    fn what_is_known_is_what_a_first_look_says(
        at_first in proptest::collection::vec(proptest::option::of(0..TEXTS.len()), PATHS.len()),
        events in proptest::collection::vec(event(), 1..24),
    ) {
        let disk = Disk::default();
        for (path, text) in PATHS.iter().zip(at_first) {
            disk.write(path, text.map(|text| TEXTS[text]));
        }
        let start = || {
            let mut workspace = Workspace::new(Arc::new(disk.clone()));
            workspace.add_folder("/p");
            workspace.add_folder("/p/deep");
            workspace.add_folder("/q");
            workspace
        };
        let mut workspace = start();
        let mut open: BTreeMap<&str, &str> = BTreeMap::new();
        for event in events {
            match event {
                Event::Edited(path, text) => {
                    open.insert(PATHS[path], TEXTS[text]);
                    workspace.edit(PATHS[path], TEXTS[text].into());
                }
                Event::Closed(path) => {
                    open.remove(PATHS[path]);
                    workspace.close(PATHS[path]);
                }
                Event::Written(path, text) => {
                    disk.write(PATHS[path], text.map(|text| TEXTS[text]));
                    workspace.changed_on_disk(PATHS[path]);
                }
                Event::Removed(folder) => {
                    PATHS.iter().filter(|path| path.starts_with(FOLDERS[folder])).for_each(|path| disk.write(path, None));
                    workspace.changed_on_disk(FOLDERS[folder]);
                }
                Event::LookedAt => drop(workspace.projects()),
            }
        }
        let mut fresh = start();
        for (path, text) in &open {
            fresh.edit(path, (*text).into());
        }
        prop_assert_eq!(known(&mut workspace), known(&mut fresh));
    }
}

#[test]
fn a_file_that_is_opened_as_it_lies_on_the_disk_is_not_looked_at_again() {
    let disk = Disk::default();
    disk.write("/p/a.weave", Some(TEXTS[1]));
    disk.write("/p/deep/b.weave", Some(TEXTS[4]));
    let mut workspace = Workspace::new(Arc::new(disk));
    workspace.add_folder("/p");
    let before = workspace.project_of("/p/a.weave");
    let is_known = |workspace: &mut Workspace| Arc::ptr_eq(&workspace.project_of("/p/a.weave"), &before);
    workspace.edit("/p/a.weave", TEXTS[1].into());
    assert!(is_known(&mut workspace));
    // Clients tell of files that they have saved themselves.
    workspace.changed_on_disk("/p/a.weave");
    assert!(is_known(&mut workspace));
    workspace.close("/p/a.weave");
    assert!(is_known(&mut workspace));
    workspace.changed_on_disk("/p/deep/b.weave");
    assert!(is_known(&mut workspace));
    workspace.edit("/p/a.weave", TEXTS[0].into());
    assert!(!is_known(&mut workspace));
}

#[test]
fn what_a_baseline_knows_is_not_said() {
    let disk = Disk::default();
    disk.write("/p/weave.toml", Some("[lint]\nbaseline = \"known/baseline.json\"\n"));
    let old = "type Old {\n  id: string\n}\n\n";
    let workflow = "workflow w(a: string) {\n  step ask {\n    emit ai.request { prompt: \"greet {{.input.a}}\" }\n  }\n  end done on ai.response\n}\n";
    let text = format!("{old}{workflow}");
    disk.write("/p/a.weave", Some(&text));
    let mut workspace = Workspace::new(Arc::new(disk.clone()));
    workspace.add_folder("/p");
    let said = |workspace: &mut Workspace| -> Vec<String> {
        let project = workspace.project_of("/p/a.weave");
        let found = project.analysis.findings().iter().map(|finding| finding.message.clone());
        found.chain(project.configs.iter().flat_map(|config| config.diagnostics.iter().map(|it| it.code.id.to_owned()))).collect()
    };
    let all = said(&mut workspace);
    assert!(all.iter().any(|message| message.contains("`Old`")), "{all:?}");
    // The baseline is made: what it knows is not said any more.
    let project = workspace.project_of("/p/a.weave");
    let (found, snapshot) = (project.analysis.findings(), project.analysis.snapshot());
    let entries = found.iter().zip(snapshot.identities(found));
    let entries = entries.map(|(finding, identity)| weave_lint::BaselineEntry::new("../a.weave".to_owned(), finding, identity));
    let baseline = weave_lint::Baseline::of(entries).to_json();
    disk.write("/p/known/baseline.json", Some(&baseline));
    workspace.changed_on_disk("/p/known/baseline.json");
    assert_eq!(said(&mut workspace), [""; 0]);
    // What is new is said, wherever the old one has moved.
    workspace.edit("/p/a.weave", format!("type New {{\n  id: int\n}}\n\n{text}").into());
    assert_eq!(said(&mut workspace), ["the type `New` is never used"]);
    workspace.edit("/p/a.weave", format!("type New {{\n  id: int\n}}\n\n{text}{old}").into());
    assert_ne!(said(&mut workspace), [""; 0]);
    workspace.close("/p/a.weave");
    // What moves into another file is known, but a copy there is new.
    disk.write("/p/b.weave", Some(&text.replace("workflow w", "workflow v")));
    workspace.changed_on_disk("/p/b.weave");
    assert_eq!(said(&mut workspace), ["the type `Old` is never used"]);
    disk.write("/p/a.weave", Some(workflow));
    workspace.changed_on_disk("/p/a.weave");
    assert_eq!(said(&mut workspace), [""; 0]);
    disk.write("/p/b.weave", None);
    workspace.changed_on_disk("/p/b.weave");
    disk.write("/p/a.weave", Some(&text));
    workspace.changed_on_disk("/p/a.weave");
    // One that cannot be read, or is there no more, keeps nothing back.
    disk.write("/p/known/baseline.json", Some("{"));
    workspace.changed_on_disk("/p/known/baseline.json");
    assert_eq!(said(&mut workspace).len(), all.len() + 1);
    disk.write("/p/known/baseline.json", Some(&baseline));
    workspace.changed_on_disk("/p/known/baseline.json");
    assert_eq!(said(&mut workspace), [""; 0]);
    disk.write("/p/known/baseline.json", None);
    workspace.changed_on_disk("/p/known");
    assert_eq!(said(&mut workspace), all);
    disk.write("/p/known/baseline.json", Some(&baseline));
    workspace.changed_on_disk("/p/known/baseline.json");
    assert_eq!(said(&mut workspace), [""; 0]);
}
