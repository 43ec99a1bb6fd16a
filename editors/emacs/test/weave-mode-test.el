;;; weave-mode-test.el --- Tests of weave-mode -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs -q --batch -L editors/emacs -l editors/emacs/test/weave-mode-test.el -f ert-run-tests-batch-and-exit
;; with WEAVE, the command, and WEAVE_ROOT, the repository, in the environment.

;;; Code:

(require 'bytecomp)
(require 'ert)
(require 'imenu)
(require 'package)
(package-initialize)
(require 'weave-mode)

(defvar eglot-sync-connect)

(defvar weave-test-root (getenv "WEAVE_ROOT"))

(defun weave-test-face (text &optional offset)
  "The face of the first mention of TEXT, OFFSET characters into it."
  (goto-char (point-min))
  (search-forward text)
  (let ((face (get-text-property (+ (match-beginning 0) (or offset 0)) 'face)))
    (if (consp face) (car face) face)))

(ert-deftest weave-test-compiles ()
  "The mode is compiled without a warning."
  (let* ((byte-compile-error-on-warn t)
         (compiled (make-temp-file "weave" nil ".elc"))
         (byte-compile-dest-file-function (lambda (_) compiled)))
    (should (byte-compile-file (expand-file-name "editors/emacs/weave-mode.el" weave-test-root)))
    (delete-file compiled)))

(ert-deftest weave-test-mode ()
  "Files find their mode."
  (let ((file (make-temp-file "weave" nil ".weave")))
    (with-current-buffer (find-file-noselect file)
      (should (memq major-mode '(weave-mode weave-ts-mode)))
      (kill-buffer))
    (delete-file file)))

(ert-deftest weave-test-settings ()
  "Settings are TOML for Emacs and for the server; other TOML is not touched."
  (let ((folder (make-temp-file "weave" t)))
    (dolist (name '("weave.toml" "other.toml"))
      (with-current-buffer (find-file-noselect (expand-file-name name folder))
        (should (eq (eq major-mode 'weave-settings-mode) (equal name "weave.toml")))
        (when (eq major-mode 'weave-settings-mode)
          (should (derived-mode-p 'conf-toml-mode))
          (should (string-prefix-p "#" comment-start))
          (should (equal (get major-mode 'eglot-language-id) "toml")))
        (kill-buffer)))
    (delete-directory folder t)))

(ert-deftest weave-test-colours ()
  "Words, strings, texts and comments are told apart."
  (with-temp-buffer
    (insert "/// Said \"once.\ntype Order { id: string, end: int }\n/* a /* b */ c */\n"
            "prompt p(a: string) \"\"\"\n  It's \"so\" // {{.a}} /* step\n  \"\"\"\nworkflow w() {\n  step go { wait 1s }\n}\n")
    (weave-mode)
    (font-lock-ensure)
    (should (eq (weave-test-face "Said") 'font-lock-comment-face))
    (should (eq (weave-test-face "type") 'font-lock-keyword-face))
    (should (eq (weave-test-face "Order") 'font-lock-type-face))
    (should (eq (weave-test-face "string,") 'font-lock-type-face))
    (should (eq (weave-test-face "end:") 'font-lock-variable-name-face))
    (should (eq (weave-test-face " c */" 1) 'font-lock-comment-face))
    (should (eq (weave-test-face "It's") 'font-lock-string-face))
    (should (eq (weave-test-face "step\n") 'font-lock-string-face))
    (should (eq (weave-test-face "{{.a") 'font-lock-builtin-face))
    (should (eq (weave-test-face "workflow") 'font-lock-keyword-face))
    (should (eq (weave-test-face "go {") 'font-lock-function-name-face))))

(ert-deftest weave-test-indentation ()
  "What is formatted stays as it is, and the outline has all of it."
  (dolist (file (directory-files (expand-file-name "examples" weave-test-root) t "\\.weave\\'"))
    (with-temp-buffer
      (insert-file-contents file)
      (weave-mode)
      (let ((before (buffer-string)))
        (indent-region (point-min) (point-max))
        (should (equal (cons file (split-string before "\n")) (cons file (split-string (buffer-string) "\n")))))
      (should (imenu--make-index-alist t)))))

(ert-deftest weave-test-typing ()
  "A new line is one level deeper inside of brackets."
  (with-temp-buffer
    (insert "tool find(\nid: string\n) -> string {\nretry 3 {\nbase 1s\n}\n}\n")
    (weave-mode)
    (indent-region (point-min) (point-max))
    (should (equal (buffer-string) "tool find(\n  id: string\n) -> string {\n  retry 3 {\n    base 1s\n  }\n}\n"))))

(ert-deftest weave-test-session ()
  "The language server attaches and says what is wrong."
  (skip-unless (require 'eglot nil t))
  (let* ((folder (file-name-as-directory (make-temp-file "weave" t)))
         (weave-command (list (getenv "WEAVE") "lsp"))
         (eglot-sync-connect 60))
    (with-temp-file (concat folder "weave.toml"))
    (with-temp-file (concat folder "main.weave") (insert "type A { x: strng }\n"))
    (with-current-buffer (find-file-noselect (concat folder "main.weave"))
      (apply 'eglot--connect (funcall 'eglot--guess-contact))
      (funcall 'flymake-start)
      (let ((end (+ (float-time) 60)))
        (while (and (< (float-time) end) (null (flymake-diagnostics)))
          (accept-process-output nil 0.05)))
      (should (= 1 (length (flymake-diagnostics))))
      (should (string-match-p "strng" (flymake-diagnostic-text (car (flymake-diagnostics)))))
      (funcall 'eglot-shutdown (funcall 'eglot-current-server))
      (set-buffer-modified-p nil)
      (kill-buffer))
    (delete-directory folder t)))

(provide 'weave-mode-test)

;;; weave-mode-test.el ends here
