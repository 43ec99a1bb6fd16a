//! What the server can do, and what it knows of the client.

use tower_lsp::ls_types::{
    CallHierarchyServerCapability, ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, DeclarationCapability, DiagnosticOptions, DiagnosticServerCapabilities, DidChangeWatchedFilesRegistrationOptions,
    DocumentLinkOptions, DocumentOnTypeFormattingOptions, FileOperationFilter, FileOperationPattern, FileOperationPatternKind,
    FileOperationRegistrationOptions, FileSystemWatcher, FoldingRangeProviderCapability, GlobPattern, HoverProviderCapability,
    ImplementationProviderCapability, LinkedEditingRangeServerCapabilities, OneOf, PositionEncodingKind, Registration, RenameOptions,
    SelectionRangeProviderCapability, SemanticTokensFullOptions, SemanticTokensOptions, SemanticTokensServerCapabilities,
    ServerCapabilities, SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, TypeDefinitionProviderCapability, WorkDoneProgressOptions, WorkspaceFileOperationsServerCapabilities,
    WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use crate::convert::Encoding;
use crate::features::lenses::{RUN_TEST, SHOW_DEFINITION, SHOW_GRAPH, SHOW_REFERENCES};
use crate::features::semantic::legend;

/// What the client can do, as far as answers depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Client {
    /// It shows symbols within symbols.
    pub(crate) nested_symbols: bool,
    /// It reads where a definition is together with the word that was asked about.
    pub(crate) links: bool,
    /// It has places to fill in, in what is completed.
    pub(crate) snippets: bool,
    /// It shows where what is completed comes from, beside the label.
    pub(crate) label_details: bool,
    /// It can be told whether to indent what is completed.
    pub(crate) insert_modes: bool,
    /// It reads where a parameter stands in a signature.
    pub(crate) label_offsets: bool,
    /// It links a diagnostic to its page.
    pub(crate) links_pages: bool,
    /// It asks for diagnostics, and can be told to ask again.
    pub(crate) pulls: bool,
    /// It can be told to ask for these anew.
    pub(crate) refreshes: Refreshes,
    /// It asks for the edits of an action when somebody has chosen it.
    pub(crate) resolves_actions: bool,
    /// It has the command that draws a workflow.
    pub(crate) shows_graphs: bool,
    /// It has the command that runs a test.
    pub(crate) runs_tests: bool,
    /// It has the command that shows what a workflow is compiled to.
    pub(crate) shows_definitions: bool,
    /// It has the command that lists places.
    pub(crate) shows_references: bool,
}

/// What a client can be told to ask for anew.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Refreshes {
    pub(crate) tokens: bool,
    pub(crate) hints: bool,
    pub(crate) lenses: bool,
}

impl Client {
    pub(crate) fn new(capabilities: &ClientCapabilities) -> Self {
        let documents = capabilities.text_document.as_ref();
        let symbols = documents.and_then(|it| it.document_symbol.as_ref());
        let definition = documents.and_then(|it| it.definition.as_ref());
        let signatures = documents.and_then(|it| it.signature_help.as_ref()?.signature_information.as_ref());
        let parameters = signatures.and_then(|it| it.parameter_information.as_ref());
        let actions = documents.and_then(|it| it.code_action.as_ref());
        let resolved = actions.and_then(|it| it.resolve_support.as_ref()).is_some_and(|it| it.properties.iter().any(|name| name == "edit"));
        let items = documents.and_then(|it| it.completion.as_ref()?.completion_item.as_ref());
        let workspace = capabilities.workspace.as_ref();
        let can = |support: Option<bool>| support.unwrap_or(false);
        // The form in which other servers are told this, too.
        let commands = capabilities.experimental.as_ref().and_then(|it| it.pointer("/commands/commands")?.as_array());
        let has = |name: &str| commands.is_some_and(|commands| commands.iter().any(|command| command.as_str() == Some(name)));
        Self {
            nested_symbols: symbols.and_then(|it| it.hierarchical_document_symbol_support).unwrap_or(false),
            links: definition.and_then(|it| it.link_support).unwrap_or(false),
            snippets: items.and_then(|it| it.snippet_support).unwrap_or(false),
            label_details: items.and_then(|it| it.label_details_support).unwrap_or(false),
            insert_modes: items.is_some_and(|it| it.insert_text_mode_support.is_some()),
            label_offsets: parameters.and_then(|it| it.label_offset_support).unwrap_or(false),
            links_pages: documents.is_some_and(|it| {
                can(it.publish_diagnostics.as_ref().and_then(|it| it.code_description_support)) || it.diagnostic.is_some()
            }),
            pulls: documents.is_some_and(|it| it.diagnostic.is_some())
                && can(workspace.and_then(|it| it.diagnostics.as_ref()?.refresh_support)),
            refreshes: Refreshes {
                tokens: can(workspace.and_then(|it| it.semantic_tokens.as_ref()?.refresh_support)),
                hints: can(workspace.and_then(|it| it.inlay_hint.as_ref()?.refresh_support)),
                lenses: can(workspace.and_then(|it| it.code_lens.as_ref()?.refresh_support)),
            },
            resolves_actions: resolved && actions.and_then(|it| it.data_support).unwrap_or(false),
            shows_graphs: has(SHOW_GRAPH),
            runs_tests: has(RUN_TEST),
            shows_definitions: has(SHOW_DEFINITION),
            shows_references: has(SHOW_REFERENCES),
        }
    }
}

/// What columns count: bytes, if the client can, because everything here does.
pub(crate) fn encoding(capabilities: &ClientCapabilities) -> Encoding {
    let offered = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref()).unwrap_or_default();
    if offered.contains(&PositionEncodingKind::UTF8) { Encoding::Utf8 } else { Encoding::Utf16 }
}

/// What the server can do for a client.
pub(crate) fn capabilities(encoding: Encoding, client: Client) -> ServerCapabilities {
    ServerCapabilities {
        // A client that does not ask is told without.
        diagnostic_provider: client.pulls.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("weave".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                work_done_progress_options: WorkDoneProgressOptions::default(),
            })
        }),
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: Some(WorkspaceFileOperationsServerCapabilities {
                will_rename: Some(moving_files()),
                // What watches files tells nothing of folders.
                did_create: Some(moving_files()),
                did_rename: Some(moving_files()),
                did_delete: Some(moving_files()),
                ..WorkspaceFileOperationsServerCapabilities::default()
            }),
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", "@", "\"", "/"].map(str::to_owned).to_vec()),
            resolve_provider: Some(true),
            ..CompletionOptions::default()
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "}".to_owned(),
            more_trigger_character: Some(vec!["\n".to_owned()]),
        }),
        linked_editing_range_provider: Some(LinkedEditingRangeServerCapabilities::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR_EXTRACT,
                CodeActionKind::REFACTOR_REWRITE,
                CodeActionKind::SOURCE_ORGANIZE_IMPORTS,
                CodeActionKind::SOURCE_FIX_ALL,
            ]),
            resolve_provider: Some(true),
            ..CodeActionOptions::default()
        })),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(SemanticTokensOptions {
            legend: legend(),
            range: Some(true),
            full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
            ..SemanticTokensOptions::default()
        })),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(true) }),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["{", "(", ",", ":"].map(str::to_owned).to_vec()),
            ..SignatureHelpOptions::default()
        }),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}

/// Of which files and folders the client says that they will move.
fn moving_files() -> FileOperationRegistrationOptions {
    let filter = |glob: &str, matches: FileOperationPatternKind| FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern { glob: glob.to_owned(), matches: Some(matches), options: None },
    };
    let filters = vec![filter("**/*.weave", FileOperationPatternKind::File), filter("**", FileOperationPatternKind::Folder)];
    FileOperationRegistrationOptions { filters }
}

/// Which files the client is asked to watch; nothing if it cannot be asked.
pub(crate) fn watchers(capabilities: &ClientCapabilities) -> Option<Registration> {
    let watching = capabilities.workspace.as_ref().and_then(|workspace| workspace.did_change_watched_files.as_ref());
    watching.and_then(|watching| watching.dynamic_registration).filter(|can| *can)?;
    let watch = |glob: &str| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.to_owned()), kind: None };
    // A baseline may have any name; most have this word in it.
    let watchers = ["**/*.weave", "**/weave.toml", "**/*baseline*.json"].map(watch).to_vec();
    let options = DidChangeWatchedFilesRegistrationOptions { watchers };
    Some(Registration {
        id: "watched-files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(options).ok(),
    })
}
