;;; session.el --- a session in Emacs for scripted-sessions.test.ts  -*- lexical-binding: t -*-
;; Each step is a line of JSON in a file: what was to come of it, and what came.
(require 'cl-lib)
(require 'json)
(require 'eglot)

(defvar session-longest (string-to-number (or (getenv "SESSION_LONGEST") "300")))
(setq eglot-sync-connect t
      eglot-connect-timeout session-longest
      jsonrpc-default-request-timeout session-longest
      eglot-confirm-server-initiated-edits nil
      create-lockfiles nil
      make-backup-files nil
      auto-save-default nil
      enable-local-variables nil)

(defun session-say (step wanted found)
  (let ((line (json-encode `((step . ,step) (wanted . ,wanted) (found . ,found)))))
    (write-region (concat line "\n") nil (getenv "SESSION_LOG") t 'silent)))

(defun session-shown ()
  "`price.py:1 contract/renamed-symbol' of all open files, sorted."
  (let (found)
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer
        (when (bound-and-true-p flymake-mode)
          (dolist (one (flymake-diagnostics))
            (let ((said (cdr (assq 'eglot-lsp-diag (flymake-diagnostic-data one)))))
              (push (format "%s:%d %s" (buffer-name)
                            (line-number-at-pos (flymake-diagnostic-beg one))
                            (plist-get said :code))
                    found))))))
    (mapconcat #'identity (sort found #'string<) ", ")))

(defvar session-heard 0)
(cl-defmethod eglot-handle-notification :after
  (_server (_method (eql textDocument/publishDiagnostics)) &rest _)
  (cl-incf session-heard))

(defun session-send ()
  "What Eglot sends once Emacs is idle, which it never is in batch."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (eglot-managed-p)
        (eglot--signal-textDocument/didChange)
        (flymake-start)))))

(defun session-expect (step wanted act)
  "Waits until this is shown, by an answer that came after the step."
  (let ((before session-heard) (deadline (+ (float-time) session-longest)))
    (funcall act)
    (session-send)
    (while (and (< (float-time) deadline)
                (not (and (> session-heard before) (equal (session-shown) wanted))))
      (accept-process-output nil 0.05))
    (session-say step wanted (session-shown))))

(defmacro step (name wanted &rest body)
  (declare (indent 2))
  `(session-expect ,name ,wanted (lambda () ,@body)))

(defun session-replace (from to)
  (undo-boundary)
  (save-excursion
    (goto-char (point-min))
    (while (search-forward from nil t) (replace-match to t t)))
  (undo-boundary))

(defun session-shell (line)
  (unless (zerop (call-process "sh" nil nil nil "-c" line)) (error "%s" line)))

(defun session-undo ()
  (setq last-command nil)
  (undo)
  (undo-boundary))

(defun session-server () (eglot-current-server))

(defun session-actions ()
  (append (eglot-code-actions (point-min) (point-min)) nil))

(defun session-action (title)
  (cl-find title (session-actions) :key (lambda (one) (plist-get one :title)) :test #'equal))

(defun session-run (title &optional name)
  (let ((command (plist-get (session-action title) :command)))
    (jsonrpc-request (session-server) :workspace/executeCommand
                     (list :command (or name (plist-get command :command))
                           :arguments (plist-get command :arguments)))))

(defvar renamed "price.py:1 contract/renamed-symbol")
(setq eglot-server-programs
      `((python-mode . ,(list (getenv "SESSION_NODE") (getenv "SESSION_RECORDER") (getenv "SESSION_FOLDER")
                              (getenv "SESSION_NODE") (getenv "SESSION_ENTRY") "lsp"))))

(find-file "price.py")
(buffer-enable-undo)
(defvar price (current-buffer))
(step "a file is opened" ""
  (apply #'eglot (eglot--guess-contact)))
(step "a function is renamed" renamed (session-replace "parse_price" "read_price"))
(step "that is undone" "" (session-undo))
(step "and renamed again" renamed (session-replace "parse_price" "read_price"))
(session-say "actions on its line" "Explain Dismiss: Dismiss: Dismiss: Ignore"
             (mapconcat (lambda (one) (car (split-string (plist-get one :title)))) (session-actions) " "))
(session-say "it is explained, with its caller" t
             (and (string-match-p "cart\\.py:1" (session-run "Explain this finding")) t))
(session-say "a hover tells who uses it" t
             (let ((said (jsonrpc-request (session-server) :textDocument/hover
                                          (list :textDocument (eglot--TextDocumentIdentifier)
                                                :position '(:line 0 :character 6)))))
               (and (string-match-p "read_price`?: no caller" (plist-get (plist-get said :contents) :value)) t)))
(defvar dismissed nil)
(step "dismissed as wrong" ""
  (setq dismissed (plist-get (plist-get (session-action "Dismiss: it is wrong") :command) :arguments))
  (session-run "Dismiss: it is wrong"))
(step "restored" renamed
  (jsonrpc-request (session-server) :workspace/executeCommand
                   (list :command "sightline.restore" :arguments dismissed)))
(when (getenv "SESSION_WHOLE")
  (step "ignored in a comment" ""
    (eglot--apply-workspace-edit (plist-get (session-action "Ignore in a comment") :edit)))
  (step "the comment is taken back" renamed (session-replace "# sightline-ignore contract/renamed-symbol: say why here\n" ""))
  (step "the caller is opened and updated" ""
    (find-file "cart.py")
    (buffer-enable-undo)
    (session-replace "parse_price" "read_price"))
  (step "the caller is closed without saving" renamed
    (set-buffer-modified-p nil)
    (kill-buffer)
    (set-buffer price))
  (step "200 quick edits, and one that counts" ""
    (dotimes (_ 100)
      (save-excursion (goto-char (point-max)) (insert "# more\n"))
      (session-send)
      (save-excursion (goto-char (point-max)) (forward-line -1) (delete-region (point) (point-max)))
      (session-send))
    (session-replace "read_price" "parse_price"))
  (step "the file is saved with the new name" renamed
    (session-replace "parse_price" "read_price")
    (basic-save-buffer))
  (step "committed on a branch" "" (session-shell "git checkout -q -b other && git commit -qam renamed"))
  (step "the other branch below the same text" renamed
    (session-shell "git symbolic-ref HEAD refs/heads/main && git read-tree main"))
  (step "and back" "" (session-shell "git symbolic-ref HEAD refs/heads/other && git read-tree other"))
  (step "rebased under its feet" renamed
    (session-shell "git checkout -q main && echo '# more' >> cart.py && git commit -qam more && git checkout -q other && git rebase -q main && git reset -q --soft main"))
  (step "the text on disk is read again" renamed (revert-buffer t t t)))
;; Eglot would kill the process as soon as it has said so.
(let ((server (session-server)) (deadline (+ (float-time) session-longest)))
  (setf (eglot--shutdown-requested server) t)
  (jsonrpc-request server :shutdown nil)
  (jsonrpc-notify server :exit nil)
  (while (and (jsonrpc-running-p server) (< (float-time) deadline))
    (accept-process-output nil 0.05))
  (session-say "the server ends" t (not (jsonrpc-running-p server))))
;;; session.el ends here
