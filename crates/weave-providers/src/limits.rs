//! What each provider accepts: one table, dated, with a source for each row. Everything else in this crate reads it.

/// When the table was last compared with its sources.
pub const CHECKED: &str = "2026-11-22";

/// Who reads schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    /// OpenAI, with `strict: true`.
    OpenAi,
    /// Anthropic, with `strict: true`.
    Anthropic,
    /// Google's Gemini, in the fields that take JSON Schema.
    Gemini,
    /// The Model Context Protocol.
    Mcp,
}

impl Provider {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::Anthropic, Self::Gemini, Self::Mcp];

    /// The key in a definition, and the name on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Mcp => "mcp",
        }
    }

    /// What it is called in prose.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "OpenAI",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
            Self::Mcp => "MCP",
        }
    }

    /// What it accepts.
    #[must_use]
    pub const fn limits(self) -> &'static Limits {
        match self {
            Self::OpenAi => &OPENAI,
            Self::Anthropic => &ANTHROPIC,
            Self::Gemini => &GEMINI,
            Self::Mcp => &MCP,
        }
    }
}

/// What becomes of a property that may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optional {
    /// It may be left out.
    Allowed,
    /// All properties are required; this one may be null.
    Nullable,
}

/// Whether a type may hold itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recursion {
    /// It may.
    Allowed,
    /// Only by way of properties that may be left out, and to some depth.
    Optional,
    /// It may not.
    Refused,
}

/// The values that may stand in `enum` and `const`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Any.
    Any,
    /// Strings and numbers, in `enum` only.
    StringsAndNumbers,
}

/// The names of tools or properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// How long a name may be.
    pub longest: usize,
    /// What may stand in it beside letters and digits.
    pub marks: &'static str,
    /// Whether it begins with a letter or an underscore.
    pub begins_with_letter: bool,
}

impl Names {
    /// Whether the name is one of them.
    #[must_use]
    pub fn allow(&self, name: &str) -> bool {
        let first = name.chars().next();
        let begins = first.is_some_and(|first| !self.begins_with_letter || first.is_ascii_alphabetic() || first == '_');
        begins && name.len() <= self.longest && name.chars().all(|it| it.is_ascii_alphanumeric() || self.marks.contains(it))
    }
}

/// What one provider accepts. What is `None` has no limit that anybody wrote down.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Who.
    pub provider: Provider,
    /// Whether the provider can be told to hold the model to the schema, so that what is refused depends on `strict`.
    pub has_strict: bool,
    /// The keywords that it knows beside those that every schema here has; `None`: all of JSON Schema.
    pub keywords: Option<&'static [&'static str]>,
    /// The formats that it knows; `None`: all.
    pub formats: Option<&'static [&'static str]>,
    /// The values of `minItems` that it knows; `None`: all.
    pub min_items: Option<&'static [u64]>,
    /// Values of enums.
    pub values: Values,
    /// Whether a reference may have keywords beside it.
    pub beside_references: bool,
    /// Whether the root of an answer must be an object.
    pub object_root: bool,
    /// Whether objects may have properties that are not declared: maps and open records.
    pub open_objects: bool,
    /// Whether a schema may allow any value at all.
    pub anything: bool,
    /// Properties that may be left out.
    pub optional: Optional,
    /// Types that hold themselves.
    pub recursion: Recursion,
    /// Whether alternatives must differ in their first properties, in the name or in the constant.
    pub distinct_first_keys: bool,
    /// How many properties.
    pub most_properties: Option<usize>,
    /// How many objects may stand in one another.
    pub deepest: Option<usize>,
    /// How many values all enums have together.
    pub most_values: Option<usize>,
    /// From how many values on the length of one enum counts, and how long it may be.
    pub long_enum: Option<(usize, usize)>,
    /// How long the names of properties and types and the values of enums are together.
    pub most_text: Option<usize>,
    /// How many properties may be left out.
    pub most_optional: Option<usize>,
    /// How many unions there may be.
    pub most_unions: Option<usize>,
    /// Names of tools.
    pub tool_names: Names,
    /// Names of properties.
    pub property_names: Option<Names>,
    /// Where each row comes from: the row of `docs/providers.md` and the source.
    pub sources: &'static [(&'static str, &'static str)],
}

impl Limits {
    /// Whether a keyword may stand in a schema.
    #[must_use]
    pub fn knows(&self, keyword: &str) -> bool {
        self.keywords.is_none_or(|known| known.contains(&keyword))
    }

    /// Whether a format may stand in a schema.
    #[must_use]
    pub fn knows_format(&self, format: &str) -> bool {
        self.formats.is_none_or(|known| known.contains(&format))
    }
}

/// OpenAI, function tools and structured outputs with `strict: true`.
pub static OPENAI: Limits = Limits {
    provider: Provider::OpenAi,
    has_strict: true,
    keywords: Some(&[
        "const",
        "enum",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "maxItems",
    ]),
    formats: Some(&["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
    min_items: None,
    values: Values::Any,
    beside_references: false,
    object_root: true,
    open_objects: false,
    anything: false,
    optional: Optional::Nullable,
    recursion: Recursion::Allowed,
    distinct_first_keys: true,
    most_properties: Some(5_000),
    deepest: Some(10),
    most_values: Some(1_000),
    long_enum: Some((250, 15_000)),
    most_text: Some(120_000),
    most_optional: None,
    most_unions: None,
    tool_names: Names { longest: 64, marks: "_-", begins_with_letter: false },
    property_names: None,
    sources: &[
        (
            "all",
            "platform.openai.com, guide \"Structured Outputs\", section \"Supported schemas\", as collected in jsonschemaprofiles 202602",
        ),
        ("references", "openai-python 3.54 `lib/_pydantic.py`: a reference with siblings is unrolled"),
        ("optional properties", "openai-python 3.54 `lib/_pydantic.py`: every property is required"),
        ("defaults", "openai-python 3.54 strips null defaults only; the service has answered \"'default' is not permitted\""),
        ("lengths of strings", "accepted by the SDKs, not in the documented list"),
        ("unions", "openai-python issue 2193: \"Objects provided via 'anyOf' must not share identical first keys\""),
        ("tool names", "openai-python 3.54 `FunctionDefinition.name`"),
    ],
};

/// Anthropic, tools and structured outputs with `strict: true`.
pub static ANTHROPIC: Limits = Limits {
    provider: Provider::Anthropic,
    has_strict: true,
    keywords: Some(&["const", "enum", "format", "minItems", "allOf"]),
    formats: Some(&["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]),
    min_items: Some(&[0, 1]),
    values: Values::Any,
    beside_references: false,
    object_root: true,
    open_objects: false,
    anything: false,
    optional: Optional::Allowed,
    recursion: Recursion::Refused,
    distinct_first_keys: false,
    most_properties: None,
    deepest: None,
    most_values: None,
    long_enum: None,
    most_text: None,
    most_optional: Some(24),
    most_unions: Some(16),
    tool_names: Names { longest: 64, marks: "_-", begins_with_letter: false },
    property_names: Some(Names { longest: 64, marks: "_.-", begins_with_letter: false }),
    sources: &[
        ("all", "anthropic 2.12 (PyPI) `lib/_parse/_transform.py`: what it keeps, and what it moves into descriptions"),
        ("recursion", "platform.claude.com, guide \"Structured outputs\", section \"JSON Schema limitations\""),
        (
            "optional properties, unions",
            "24 and 16 in all strict schemas of a request, and 20 strict tools; here each tool is counted alone. The service's own error in \
             elie222/inbox-zero issue 2323 (24); mozilla/bugbug pull request 6129 (16); elizaOS/eliza issue 16499 (20 and 24)",
        ),
        ("tool names", "platform.claude.com, guide \"Tool use\": `^[a-zA-Z0-9_-]{1,64}$`"),
        (
            "property names",
            "the service's own error, \"Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'\", as in twilio-labs/mcp issue 58",
        ),
    ],
};

/// Gemini, `parametersJsonSchema` and `responseJsonSchema`.
pub static GEMINI: Limits = Limits {
    provider: Provider::Gemini,
    has_strict: false,
    keywords: Some(&["enum", "format", "minimum", "maximum", "minItems", "maxItems", "prefixItems"]),
    formats: Some(&["date-time", "date", "time"]),
    min_items: None,
    values: Values::StringsAndNumbers,
    beside_references: false,
    object_root: true,
    open_objects: true,
    anything: true,
    optional: Optional::Allowed,
    recursion: Recursion::Optional,
    distinct_first_keys: false,
    most_properties: None,
    deepest: None,
    most_values: None,
    long_enum: None,
    most_text: None,
    most_optional: None,
    most_unions: None,
    tool_names: Names { longest: 128, marks: "_.:-", begins_with_letter: true },
    property_names: Some(Names { longest: 64, marks: "_", begins_with_letter: true }),
    sources: &[
        (
            "all",
            "reference of `GenerationConfig.responseJsonSchema`, as in Google's own client libraries (Kotlin, Dart): the list of properties, \
             `enum` for strings and numbers, nothing next to `$ref`",
        ),
        (
            "recursion",
            "the same reference: cyclic references are unrolled to a limited degree, only within properties that are not required; null is not enough",
        ),
        ("tool names", "google-genai 3.4 `FunctionDeclaration.name`"),
        ("property names", "google-genai 3.4 `FunctionDeclaration.parameters`"),
    ],
};

/// The Model Context Protocol of 2026-07-28.
pub static MCP: Limits = Limits {
    provider: Provider::Mcp,
    has_strict: false,
    keywords: None,
    formats: None,
    min_items: None,
    values: Values::Any,
    beside_references: true,
    object_root: false,
    open_objects: true,
    anything: true,
    optional: Optional::Allowed,
    recursion: Recursion::Allowed,
    distinct_first_keys: false,
    most_properties: None,
    deepest: None,
    most_values: None,
    long_enum: None,
    most_text: None,
    most_optional: None,
    most_unions: None,
    tool_names: Names { longest: 128, marks: "_.-", begins_with_letter: false },
    property_names: None,
    sources: &[
        ("all", "MCP 2026-07-28, `Tool.inputSchema` and `Tool.outputSchema`; SEP-2106; mcp 2.3 (PyPI) `mcp_types`"),
        ("tool names", "mcp 2.3 `shared/tool_name_validation.py`"),
    ],
};
