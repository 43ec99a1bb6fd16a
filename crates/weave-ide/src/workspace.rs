//! What is open: folders, and the texts that are being edited.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use weave_compiler::{Input, LoadError, Loader, check_edited, check_texts, normalize_path, relative_path};
use weave_diagnostics::{Code, Diagnostic, FileId, SourceFile};
use weave_lint::Day;

use crate::Analysis;
use crate::baselines::KnownFindings;
use crate::configs::{Configs, read_settings};

/// The ending of source files.
pub(crate) const ENDING: &str = ".weave";

/// The name of configuration files.
pub(crate) const CONFIG: &str = "weave.toml";

/// The world around a workspace. Paths are absolute and `/`-separated.
pub trait Host: Send + Sync {
    /// The text of a file on the disk.
    ///
    /// # Errors
    ///
    /// When there is no such file, or it cannot be read as text.
    fn read(&self, path: &str) -> Result<Arc<str>, LoadError>;

    /// The source files in a folder and below, in the order in which the command line takes them.
    fn list(&self, folder: &str) -> Vec<String>;

    /// Whether a folder is the root of a repository: what is above it is not part of a project in it.
    fn is_repository(&self, folder: &str) -> bool;

    /// Which day it is, for what is allowed until a day.
    fn today(&self) -> Option<Day>;

    /// Where the page of a diagnostic can be read: an address, or the path of a file. Nothing where it can't be read anywhere.
    fn page(&self, code: &'static Code) -> Option<String>;
}

/// What an editor has open. A folder is a project of all its files; a file that lies in none of the folders is a project of its own.
pub struct Workspace {
    host: Arc<dyn Host>,
    /// The folders, each with its source files on the disk.
    folders: BTreeMap<String, BTreeSet<String>>,
    /// The texts that are being edited.
    open: BTreeMap<String, Arc<str>>,
    /// The configuration files that are being edited, and what is wrong with them. What they say holds once it is saved.
    settings: BTreeMap<String, Arc<ConfigFindings>>,
    /// What was read from the disk.
    disk: Mutex<FxHashMap<String, Result<Arc<str>, LoadError>>>,
    /// What was found out about each project, until something changes.
    known: FxHashMap<String, Arc<Project>>,
    /// What was known of projects that have changed since: most of it still holds.
    earlier: FxHashMap<String, Earlier>,
}

/// A project that has changed.
struct Earlier {
    /// As it was looked at last.
    project: Arc<Project>,
    /// The files of which it has to read the texts again; nothing if more than texts may have changed.
    texts: Option<BTreeSet<String>>,
}

/// A project that was looked at.
#[derive(Debug)]
pub struct Project {
    /// The folder that its names count from, with a `/` at its end.
    root: String,
    /// The program.
    pub analysis: Analysis,
    /// The configuration files that hold for it, and what is wrong with them.
    pub configs: Arc<[ConfigFindings]>,
}

/// A configuration file, or the baseline that one names.
#[derive(Debug)]
pub struct ConfigFindings {
    /// Its path.
    pub path: String,
    /// Its text, which the places count in.
    pub source: Arc<SourceFile>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// The folders that code is generated into, with their languages.
    pub outputs: Vec<(&'static str, String)>,
}

impl Project {
    /// The path of a file; nothing for the prelude, which lies nowhere.
    #[must_use]
    pub fn path(&self, file: FileId) -> Option<String> {
        let name = self.analysis.source(file).filter(|_| file.0 > 0)?.name();
        Some(normalize_path(&format!("{}{name}", self.root)))
    }

    /// The file of a path.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.analysis.file(&relative_path(path, &self.root))
    }
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Workspace").field("folders", &self.folders).field("open", &self.open.keys()).finish_non_exhaustive()
    }
}

impl Workspace {
    /// A workspace in which nothing is open.
    #[must_use]
    pub fn new(host: Arc<dyn Host>) -> Self {
        Self {
            host,
            folders: BTreeMap::new(),
            open: BTreeMap::new(),
            settings: BTreeMap::new(),
            disk: Mutex::default(),
            known: FxHashMap::default(),
            earlier: FxHashMap::default(),
        }
    }

    // ---- What changes --------------------------------------------------------------------------------------------------

    /// Opens a folder.
    pub fn add_folder(&mut self, path: &str) {
        let folder = with_slash(&normalize_path(path));
        let files = self.host.list(&folder).into_iter().collect();
        self.folders.insert(folder, files);
        self.forget_all();
    }

    /// Closes a folder.
    pub fn remove_folder(&mut self, path: &str) {
        self.folders.remove(&with_slash(&normalize_path(path)));
        self.forget_all();
    }

    /// Takes the text of a file that is being edited, for the first time or anew.
    pub fn edit(&mut self, path: &str, text: Arc<str>) {
        if Self::is_settings(path) {
            let (_, findings) = read_settings(path.to_owned(), &text);
            self.settings.insert(path.to_owned(), Arc::new(findings));
            return;
        }
        if self.open.insert(path.to_owned(), Arc::clone(&text)).is_some() {
            return self.forget(path, false);
        }
        let before = self.take_read(path).filter(|_| self.is_listed(path));
        let is_known = !self.list_again(path) && self.on_disk(path).is_ok();
        match before.filter(|_| is_known) {
            // Whoever opens a file mostly sees what lies on the disk.
            Some(before) if before == text => {}
            before => self.forget(path, before.is_none()),
        }
    }

    /// Whether a file is known to lie in a folder.
    fn is_listed(&self, path: &str) -> bool {
        self.folders.iter().any(|(folder, files)| path.starts_with(folder.as_str()) && files.contains(path))
    }

    /// The text of a file that was read from the disk, which is not known from now on.
    fn take_read(&mut self, path: &str) -> Option<Arc<str>> {
        self.disk.get_mut().unwrap_or_else(PoisonError::into_inner).remove(path)?.ok()
    }

    /// Lists the folders that do not know a file which lies in them: not every client says what is made outside. Whether there are such is the
    /// answer.
    fn list_again(&mut self, path: &str) -> bool {
        if !path.ends_with(ENDING) || self.on_disk(path).is_err() {
            return false;
        }
        let mut is_news = false;
        for (folder, files) in &mut self.folders {
            if path.starts_with(folder.as_str()) && !files.contains(path) {
                *files = self.host.list(folder).into_iter().collect();
                is_news = true;
            }
        }
        is_news
    }

    /// Takes note that a file is not being edited any more: what lies on the disk counts again.
    pub fn close(&mut self, path: &str) {
        self.settings.remove(path);
        if let Some(text) = self.open.remove(path) {
            _ = self.take_read(path);
            self.changed(path, Some(text));
        }
    }

    /// Takes note that a file was written, made or removed outside, or a folder with all that lies in it.
    pub fn changed_on_disk(&mut self, path: &str) {
        if !path.ends_with(ENDING) && !path.ends_with(CONFIG) {
            let disk = self.disk.get_mut().unwrap_or_else(PoisonError::into_inner);
            // What else was read from the disk are baselines.
            return if disk.remove(path).is_some() { self.forget(path, true) } else { self.folder_changed(&with_slash(path)) };
        }
        let read = self.take_read(path);
        self.changed(path, self.open.get(path).cloned().or(read));
    }

    /// Takes note that a folder was made or removed, if there is anything in it that counts, or was.
    fn folder_changed(&mut self, folder: &str) {
        let disk = self.disk.get_mut().unwrap_or_else(PoisonError::into_inner);
        let read = disk.len();
        disk.retain(|path, _| !path.starts_with(folder));
        let has_been_read = disk.len() < read;
        let lists = |files: &BTreeSet<String>| files.iter().any(|path| path.starts_with(folder));
        if !has_been_read && !self.folders.values().any(lists) && self.host.list(folder).is_empty() {
            return;
        }
        for (root, files) in &mut self.folders {
            if folder.starts_with(root.as_str()) || root.starts_with(folder) {
                *files = self.host.list(root).into_iter().collect();
            }
        }
        self.forget_all();
    }

    /// Takes note that a file may have another text than before, or be there no more.
    fn changed(&mut self, path: &str, before: Option<Arc<str>>) {
        let exists = self.on_disk(path).is_ok();
        let mut is_new = path.ends_with(CONFIG);
        for (folder, files) in &mut self.folders {
            if !path.starts_with(folder.as_str()) || !path.ends_with(ENDING) {
                continue;
            }
            if exists && !files.contains(path) {
                // Whether it counts, or is one that the project ignores, the host knows.
                *files = self.host.list(folder).into_iter().collect();
                is_new = true;
            } else if !exists {
                is_new |= files.remove(path);
            }
        }
        let is_known = !is_new && exists && self.is_listed(path);
        if !is_known || before != self.read(path).ok() {
            self.forget(path, is_new || !exists);
        }
    }

    /// Forgets what was found out about the projects that a file is of; a file that was not there before may be of any.
    fn forget(&mut self, path: &str, any: bool) {
        for earlier in self.earlier.values_mut().filter(|earlier| any || earlier.project.file(path).is_some()) {
            match &mut earlier.texts {
                Some(texts) if !any => drop(texts.insert(path.to_owned())),
                texts => *texts = None,
            }
        }
        let changed = self.known.extract_if(|_, project| any || project.file(path).is_some());
        self.earlier.extend(changed.map(|(key, project)| {
            let texts = (!any).then(|| BTreeSet::from([path.to_owned()]));
            (key, Earlier { project, texts })
        }));
    }

    /// Forgets everything: which projects there are may have changed.
    fn forget_all(&mut self) {
        self.known.clear();
        self.earlier.clear();
    }

    // ---- What is found out ---------------------------------------------------------------------------------------------

    /// The text of a file as it is now: as it is being edited, or as it lies on the disk.
    ///
    /// # Errors
    ///
    /// When there is no such file, or it cannot be read as text.
    pub fn read(&self, path: &str) -> Result<Arc<str>, LoadError> {
        if let Some(text) = self.open.get(path) {
            return Ok(Arc::clone(text));
        }
        self.on_disk(path)
    }

    /// The text of a file that is none of the projects', as it lies on the disk now.
    #[must_use]
    pub fn read_outside(&self, path: &str) -> Option<Arc<str>> {
        self.host.read(path).ok()
    }

    pub(crate) fn on_disk(&self, path: &str) -> Result<Arc<str>, LoadError> {
        let mut disk = self.disk.lock().unwrap_or_else(PoisonError::into_inner);
        disk.entry(path.to_owned()).or_insert_with(|| self.host.read(path)).clone()
    }

    /// Whether a folder is the root of a repository.
    pub(crate) fn is_repository(&self, folder: &str) -> bool {
        self.host.is_repository(folder)
    }

    /// Whether a path is that of a configuration file.
    #[must_use]
    pub fn is_settings(path: &str) -> bool {
        path.rsplit('/').next() == Some(CONFIG)
    }

    /// The configuration files that are being edited, and what is wrong with them.
    pub fn open_settings(&self) -> impl Iterator<Item = &Arc<ConfigFindings>> {
        self.settings.values()
    }

    /// The source files in the folder of a file and below, as they are called from there.
    #[must_use]
    pub fn sources_beside(&self, path: &str) -> Vec<String> {
        let folder = folder_of(path);
        let files = self.folders.values().flatten().chain(self.open.keys());
        let names: BTreeSet<&str> = files.filter(|file| file.ends_with(ENDING)).filter_map(|file| file.strip_prefix(folder)).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    /// The files that are being edited.
    pub fn open_files(&self) -> impl Iterator<Item = &str> {
        self.open.keys().map(String::as_str)
    }

    /// The project that a file belongs to.
    pub fn project_of(&mut self, path: &str) -> Arc<Project> {
        let key = self.key_of(path);
        self.project(&key)
    }

    /// All projects: the folders, and the open files that lie in none of them.
    pub fn projects(&mut self) -> Vec<Arc<Project>> {
        let mut keys: BTreeSet<String> = self.folders.keys().cloned().collect();
        keys.extend(self.open.keys().filter(|path| path.ends_with(ENDING)).map(|path| self.key_of(path)));
        keys.iter().map(|key| self.project(key)).collect()
    }

    /// Whether nothing has changed since the projects were looked at.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.folders.keys().all(|folder| self.known.contains_key(folder))
            && self.open.keys().filter(|path| path.ends_with(ENDING)).all(|path| self.known.contains_key(&self.key_of(path)))
    }

    /// The folder of a file's project, or the file itself if it is one.
    fn key_of(&self, path: &str) -> String {
        let folder = self.folders.iter().rev().find(|(folder, files)| {
            // A file that is ignored is none of the project; one that is not on the disk yet is.
            path.starts_with(folder.as_str()) && (files.contains(path) || self.on_disk(path).is_err())
        });
        folder.map_or_else(|| path.to_owned(), |(folder, _)| folder.clone())
    }

    fn project(&mut self, key: &str) -> Arc<Project> {
        if let Some(project) = self.known.get(key) {
            return Arc::clone(project);
        }
        let earlier = self.earlier.remove(key);
        let again = earlier.as_ref().and_then(|earlier| self.look_at_texts(earlier));
        let project = Arc::new(again.unwrap_or_else(|| self.look_at(key, earlier.as_ref().map(|earlier| &*earlier.project))));
        self.known.insert(key.to_owned(), Arc::clone(&project));
        project
    }

    /// A project of which nothing has changed but texts; nothing if what they import may have changed too.
    fn look_at_texts(&self, earlier: &Earlier) -> Option<Project> {
        let (project, texts) = (&*earlier.project, earlier.texts.as_ref()?);
        let texts: Option<Vec<_>> = texts.iter().map(|path| Some((project.file(path)?, self.read(path).ok()?))).collect();
        let snapshot = check_texts(project.analysis.snapshot(), &texts?)?;
        let analysis = project.analysis.next(snapshot, self.host.today());
        Some(Project { root: project.root.clone(), analysis, configs: Arc::clone(&project.configs) })
    }

    fn look_at(&self, key: &str, earlier: Option<&Project>) -> Project {
        let (root, files) = match self.folders.get(key) {
            Some(files) => {
                let mut files = files.clone();
                files.extend(self.open.keys().filter(|path| path.ends_with(ENDING) && self.key_of(path) == key).cloned());
                (key.to_owned(), files)
            }
            None => (folder_of(key).to_owned(), BTreeSet::from([key.to_owned()])),
        };
        // The order is that of the command line, where a folder comes before the files whose names go on behind its own.
        let mut files: Vec<String> = files.into_iter().collect();
        files.sort_by(|one, other| one.split('/').cmp(other.split('/')));
        let inputs = files.iter().filter_map(|path| {
            let text = self.read(path).ok()?;
            Some(Input { path: relative_path(path, &root), text })
        });
        let before = earlier.map(|earlier| earlier.analysis.snapshot());
        let snapshot = check_edited(before, inputs.collect(), &Texts { workspace: self, root: &root });
        let mut configs = Configs::default();
        let names: Vec<String> = snapshot.sources().iter().map(|(_, file)| file.name().to_owned()).collect();
        for name in names {
            configs.find(self, &normalize_path(&format!("{root}{name}")));
        }
        let settings = |name: &str| configs.of(&normalize_path(&format!("{root}{name}")));
        let roots = snapshot.sources().iter().filter(|(file, _)| snapshot.is_root(*file));
        let roots = roots.map(|(file, source)| (file, normalize_path(&format!("{root}{}", source.name())))).collect::<Vec<_>>();
        let (baselines, named) = KnownFindings::read(self, &configs, &roots);
        let analysis = Analysis::new(snapshot, settings, self.host.today()).with_baselines(baselines);
        let analysis = match earlier {
            Some(earlier) => analysis.after(&earlier.analysis),
            None => analysis,
        };
        Project { root, analysis, configs: configs.findings().chain(named).collect() }
    }
}

/// Gives the texts of imports: those that are being edited, or those on the disk.
struct Texts<'a> {
    workspace: &'a Workspace,
    root: &'a str,
}

impl Loader for Texts<'_> {
    fn load(&self, name: &str) -> Result<Arc<str>, LoadError> {
        self.workspace.read(&normalize_path(&format!("{}{name}", self.root)))
    }
}

/// The folder of a path, with the `/` at its end; empty for one without.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rfind('/').and_then(|slash| path.get(..=slash)).unwrap_or_default()
}

fn with_slash(path: &str) -> String {
    if path.ends_with('/') { path.to_owned() } else { format!("{path}/") }
}

#[cfg(test)]
mod tests;
