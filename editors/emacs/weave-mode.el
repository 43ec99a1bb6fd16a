;;; weave-mode.el --- Major modes for .weave files -*- lexical-binding: t; -*-

;; Author: The weave authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, tools
;; URL: https://github.com/weave-lang/weave
;; SPDX-License-Identifier: Apache-2.0 OR MIT

;;; Commentary:

;; `weave-ts-mode' colours and indents with tree-sitter, where Emacs (29 or
;; newer) and the grammar are there; `weave-mode' does without.  Both start the
;; language server with `M-x eglot'.

;;; Code:

(require 'rx)

(eval-when-compile (require 'subr-x))

(defvar eglot-server-programs)
(defvar treesit-font-lock-feature-list)
(defvar treesit-font-lock-settings)
(defvar treesit-simple-indent-rules)
(defvar treesit-simple-imenu-settings)
(defvar treesit-defun-type-regexp)
(defvar treesit-defun-name-function)
(defvar treesit-language-source-alist)
(declare-function treesit-font-lock-rules "treesit" (&rest query-specs))
(declare-function treesit-major-mode-setup "treesit" ())
(declare-function treesit-node-child-by-field-name "treesit" (node field))
(declare-function treesit-node-text "treesit" (node &optional no-property))
(declare-function treesit-parser-create "treesit" (language &optional buffer no-reuse))
(declare-function treesit-ready-p "treesit" (language &optional quiet))

(defgroup weave nil
  "AI workflows as data."
  :group 'languages
  :prefix "weave-")

(defcustom weave-command '("weave" "lsp")
  "The command that starts the language server, and its arguments."
  :type '(repeat string)
  :group 'weave)

(defcustom weave-indent-offset 2
  "How many columns a level of indentation has; `weave fmt' takes two."
  :type 'natnum
  :safe #'natnump
  :group 'weave)

;;; What both modes share

(defvar weave-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?' "." table)
    (dolist (character '(?+ ?- ?% ?= ?< ?> ?& ?| ?! ?? ?@ ?. ?:))
      (modify-syntax-entry character "." table))
    table)
  "Syntax of words, strings and comments; block comments nest.")

(defun weave--set-up-comments ()
  "Tell the commands for comments what a comment is."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip (rx (or (seq "//" (* (any "/!"))) (seq "/*" (* "*"))) (* blank)))
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width 2))

;;; Without tree-sitter

(defconst weave--declaration-words
  '("type" "enum" "union" "by" "error" "event" "external" "tool" "signal" "interaction" "provider" "toolkit"
    "prompt" "hydrates" "agent" "workflow" "test" "import" "from" "as")
  "The words of declarations.")

(defconst weave--flow-words
  '("step" "end" "fail" "on" "when" "also" "else" "limit" "each" "in" "parallel" "min" "ask" "call" "run" "emit"
    "wait" "until" "cancel" "all" "of" "settled" "failure" "timeout" "example" "progress" "artifacts")
  "The words within declarations.")

(defconst weave--literal-words '("true" "false" "null")
  "The words that are values.")

(defconst weave--built-in-types
  '("string" "bool" "int" "int64" "float" "decimal" "bytes" "timestamp" "date" "duration" "uuid" "uri" "email"
    "json" "map")
  "The types that the language brings along.")

(defconst weave--name "[A-Za-z_][A-Za-z0-9_]*"
  "A pattern of names.")

(defun weave--header (kinds)
  "A pattern of the headers of declarations of KINDS; the name is the second group."
  (concat "^[ \t]*\\(?:\\(?:signal\\|interaction\\|provider\\|external\\)[ \t]+\\)?\\(" (regexp-opt kinds)
          "\\)[ \t]+\\(" weave--name "\\(?:\\." weave--name "\\)*\\)"))

(defvar weave-font-lock-keywords
  `((,(concat "\\(?:^\\|[^A-Za-z0-9_]\\)\\(" weave--name "\\|\"[^\"\n]*\"\\)[ \t]*\\??:") 1 font-lock-variable-name-face)
    (,(concat "[]A-Za-z0-9_)?]\\.\\(" weave--name "\\)") 1 font-lock-variable-name-face)
    (,(concat "@" weave--name) . font-lock-preprocessor-face)
    (,(weave--header '("type" "enum" "union" "error" "event")) 2 font-lock-type-face)
    (,(weave--header '("tool" "toolkit" "prompt" "agent" "workflow" "test")) 2 font-lock-function-name-face)
    (,(concat "\\_<\\(?:step\\|end\\|fail\\)[ \t]+\\(" weave--name "\\)") 1 font-lock-function-name-face)
    (,(regexp-opt (append weave--declaration-words weave--flow-words) 'symbols) . font-lock-keyword-face)
    (,(regexp-opt weave--literal-words 'symbols) . font-lock-constant-face)
    (,(regexp-opt weave--built-in-types 'symbols) . font-lock-type-face)
    ("\\_<[A-Z][A-Za-z0-9_]*\\_>" . font-lock-type-face)
    ("{{[^}\n]*}}" 0 font-lock-builtin-face prepend))
  "What is what, as far as a line shows it.")

(defun weave--mark-quotes ()
  "Mark the three quotes before point as those of a text block.
A block whose text begins on a line of its own ends at quotes that are first
on their line."
  (let* ((end (point))
         (start (- end 3))
         (state (save-excursion (syntax-ppss start)))
         (open (and (nth 3 state) (nth 8 state))))
    (cond
     ((nth 4 state))
     ((null open)
      (put-text-property start (1+ start) 'syntax-table (string-to-syntax "|")))
     ((and (eq (nth 3 state) t) (weave--closes-p open start))
      (put-text-property (1- end) end 'syntax-table (string-to-syntax "|"))))))

(defun weave--closes-p (open start)
  "Whether quotes at START close the text block that begins at OPEN."
  (save-excursion
    (goto-char (+ open 3))
    (or (not (looking-at-p "[ \t]*$"))
        (progn
          (goto-char start)
          (skip-chars-backward " \t")
          (bolp)))))

(defconst weave--syntax-propertize
  (syntax-propertize-rules ("\"\"\"" (0 (ignore (weave--mark-quotes)))))
  "Finds text blocks.")

(defconst weave--goes-on
  (rx (or (seq (or "on" "when" "also" "limit" "each") (+ blank) (not (any "[{")))
          (seq "else" eow)
          (seq "=" (not "="))
          "|" "&&" "??" "->" "+"))
  "What a line begins with that goes on with the node before it.")

(defun weave--base (open)
  "The column from which the lines behind the bracket OPEN are counted.
A bracket on a line that goes on with a node belongs to that node."
  (goto-char open)
  (back-to-indentation)
  (if (looking-at-p weave--goes-on)
      (let ((outer (nth 1 (save-excursion (syntax-ppss (line-beginning-position))))))
        (if outer (+ (weave--base outer) weave-indent-offset) 0))
    (current-column)))

(defun weave--indentation ()
  "The column at which the current line begins; nil where it stays as it is."
  (save-excursion
    (back-to-indentation)
    (let* ((state (save-excursion (syntax-ppss (line-beginning-position))))
           (open (nth 1 state)))
      (cond
       ((or (nth 3 state) (nth 4 state)) nil)
       ((null open) (if (looking-at-p weave--goes-on) weave-indent-offset 0))
       (t
        (let ((deeper (cond
                       ((looking-at-p "[]})]") 0)
                       ((looking-at-p "|\\|&&") (* 4 weave-indent-offset))
                       ((looking-at-p weave--goes-on) (* 3 weave-indent-offset))
                       (t weave-indent-offset))))
          (+ (weave--base open) deeper)))))))

(defun weave-indent-line ()
  "Indent the current line: one level deeper inside of brackets."
  (interactive)
  (when-let* ((column (weave--indentation)))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

(defconst weave--imenu
  `(("Types" ,(weave--header '("type" "enum" "union" "error")) 2)
    ("Events" ,(weave--header '("event")) 2)
    ("Tools" ,(weave--header '("tool" "toolkit")) 2)
    ("Prompts" ,(weave--header '("prompt")) 2)
    ("Agents" ,(weave--header '("agent")) 2)
    ("Workflows" ,(weave--header '("workflow")) 2))
  "The outline of a file.")

;;;###autoload
(define-derived-mode weave-mode prog-mode "weave"
  "Major mode for .weave files, without tree-sitter."
  :group 'weave
  (weave--set-up-comments)
  (setq-local font-lock-defaults '(weave-font-lock-keywords))
  (setq-local syntax-propertize-function weave--syntax-propertize)
  (setq-local indent-line-function #'weave-indent-line)
  (setq-local imenu-generic-expression weave--imenu)
  (setq-local electric-indent-chars (append "]})" electric-indent-chars)))

;;; With tree-sitter

(defconst weave--ts-queries
  '((comment "[(line_comment) (block_comment)] @font-lock-comment-face
              [(doc_comment) (module_doc)] @font-lock-doc-face")
    (keyword "[\"import\" \"from\" \"as\" \"type\" \"enum\" \"union\" \"by\" \"error\" \"event\" \"external\" \"tool\" \"signal\"
               \"interaction\" \"provider\" \"toolkit\" \"prompt\" \"hydrates\" \"agent\" \"workflow\" \"test\" \"step\" \"end\" \"fail\" \"on\"
               \"when\" \"also\" \"else\" \"limit\" \"each\" \"in\" \"parallel\" \"min\" \"ask\" \"call\" \"run\" \"emit\" \"wait\"
               \"until\" \"cancel\" \"all\" \"of\" \"settled\" \"failure\" \"timeout\" \"example\" \"progress\" \"artifacts\"
               \"start\" \"answer\" \"once\" \"send\" \"approve\" \"reject\" \"expect\" \"open\"]
              @font-lock-keyword-face")
    (string "[(string) (text_block)] @font-lock-string-face")
    (definition "(type_declaration name: (identifier) @font-lock-type-face)
                 (enum_declaration name: (identifier) @font-lock-type-face)
                 (union_declaration name: (identifier) @font-lock-type-face)
                 (error_declaration name: (identifier) @font-lock-type-face)
                 (event_declaration topic: (topic) @font-lock-type-face)
                 (tool_declaration name: (identifier) @font-lock-function-name-face)
                 (toolkit_declaration name: (identifier) @font-lock-function-name-face)
                 (prompt_declaration name: (identifier) @font-lock-function-name-face)
                 (agent_declaration name: (identifier) @font-lock-function-name-face)
                 (workflow_declaration name: (identifier) @font-lock-function-name-face)
                 (test_declaration name: (identifier) @font-lock-function-name-face)
                 (inner_test name: (identifier) @font-lock-function-name-face)
                 (node name: (identifier) @font-lock-function-name-face)
                 (parameters (field name: (identifier) @font-lock-variable-name-face))
                 (each_clause element: (identifier) @font-lock-variable-name-face)")
    (type "(named_type name: (identifier) @font-lock-type-face)
           (map_type name: (identifier) @font-lock-type-face)")
    (constant "[(boolean) (null) (rule_name)] @font-lock-constant-face
               (enum_value name: (identifier) @font-lock-constant-face)
               (variant name: (identifier) @font-lock-constant-face)")
    (number "[(number) (duration)] @font-lock-constant-face")
    (attribute "(attribute \"@\" @font-lock-preprocessor-face name: (identifier) @font-lock-preprocessor-face)")
    (function "(call_action target: (identifier) @font-lock-function-name-face)
               (emit_action topic: (topic) @font-lock-type-face)")
    (property "(record (field name: (identifier) @font-lock-variable-name-face))
               (entry key: (identifier) @font-lock-variable-name-face)
               (setting name: (identifier) @font-lock-variable-name-face)
               (block_setting name: (identifier) @font-lock-variable-name-face)
               (member name: (identifier) @font-lock-variable-name-face)")
    (embedded "(placeholder [\"{{\" \"}}\"] @font-lock-builtin-face)
               (placeholder (path) @font-lock-builtin-face)
               (escape_sequence) @font-lock-constant-face"))
  "For each feature of the colours its query.")

(defun weave--ts-font-lock-settings ()
  "What `treesit-font-lock-settings' is set to."
  (apply #'treesit-font-lock-rules
         (mapcan (lambda (entry)
                   (list :language 'weave :feature (car entry) :override (and (memq (car entry) '(embedded)) t) (cadr entry)))
                 weave--ts-queries)))

(defun weave--ts-indent-rules ()
  "One level deeper inside of brackets; texts stay as they are."
  (let ((brackets (rx bos
                      (or "record" "enum_body" "union_body" "settings" "block" "workflow_body" "step_body" "test_body" "object" "list"
                          "parameters" "arguments" "attribute_arguments" "constraints" "steps" "import_declaration")
                      eos)))
    `((weave
       ((parent-is ,(rx bos (or "text_block" "string" "block_comment") eos)) no-indent 0)
       ((node-is ,(rx bos (any "]})") eos)) parent-bol 0)
       ((node-is ,(rx bos (or "on_clause" "limit_clause" "each_clause") eos)) parent-bol ,(* 2 weave-indent-offset))
       ((match ,(rx bos "=" eos) ,(rx bos "node" eos)) parent-bol ,(* 2 weave-indent-offset))
       ((parent-is "source_file") column-0 0)
       ((parent-is ,brackets) parent-bol weave-indent-offset)
       (catch-all parent-bol 0)))))

(defun weave--ts-name (node)
  "The name that NODE declares."
  (when-let* ((name (or (treesit-node-child-by-field-name node "name") (treesit-node-child-by-field-name node "topic"))))
    (treesit-node-text name t)))

;;;###autoload
(define-derived-mode weave-ts-mode prog-mode "weave"
  "Major mode for .weave files, with tree-sitter."
  :group 'weave
  :syntax-table weave-mode-syntax-table
  (weave--set-up-comments)
  (setq-local syntax-propertize-function weave--syntax-propertize)
  (when (treesit-ready-p 'weave)
    (treesit-parser-create 'weave)
    (setq-local treesit-font-lock-settings (weave--ts-font-lock-settings))
    (setq-local treesit-font-lock-feature-list
                '((comment definition) (keyword string type) (constant number attribute function embedded) (property)))
    (setq-local treesit-simple-indent-rules (weave--ts-indent-rules))
    (setq-local treesit-defun-type-regexp (rx "_declaration" eos))
    (setq-local treesit-defun-name-function #'weave--ts-name)
    (setq-local treesit-simple-imenu-settings
                '(("Types" "\\`\\(?:type\\|enum\\|union\\|error\\)_declaration\\'" nil nil)
                  ("Events" "\\`event_declaration\\'" nil nil)
                  ("Tools" "\\`tool\\(?:kit\\)?_declaration\\'" nil nil)
                  ("Prompts" "\\`prompt_declaration\\'" nil nil)
                  ("Agents" "\\`agent_declaration\\'" nil nil)
                  ("Workflows" "\\`workflow_declaration\\'" nil nil)
                  ("Tests" "\\`test_declaration\\'" nil nil)
                  ("Nodes" "\\`node\\'" nil nil)))
    (treesit-major-mode-setup)))

;;; Where Emacs learns of them

(with-eval-after-load 'treesit
  (add-to-list 'treesit-language-source-alist
               '(weave "https://github.com/weave-lang/weave" nil "grammar/tree-sitter-weave/src")))

;;;###autoload
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons '(weave-mode weave-ts-mode weave-settings-mode)
                     (lambda (&rest _) (if (boundp 'weave-command) (symbol-value 'weave-command) '("weave" "lsp"))))))

;;;###autoload
(define-derived-mode weave-settings-mode conf-toml-mode "weave.toml"
  "Major mode for weave.toml: TOML, with the language server of weave."
  :group 'weave)

;; What the server is told that the file is.
(put 'weave-settings-mode 'eglot-language-id "toml")

;;;###autoload
(defun weave-choose-mode ()
  "The mode with tree-sitter where that is possible, otherwise the one without."
  (interactive)
  (if (and (fboundp 'treesit-ready-p) (treesit-ready-p 'weave t))
      (weave-ts-mode)
    (weave-mode)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.weave\\'" . weave-choose-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("/weave\\.toml\\'" . weave-settings-mode))

(provide 'weave-mode)

;;; weave-mode.el ends here
