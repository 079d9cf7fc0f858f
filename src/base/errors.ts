/**
 * Errors that a user can fix: what, where, and how to fix it, with a documented exit code.
 * Anything else that is thrown is a bug and keeps its stack.
 */

/** Process exit codes, documented in docs/exit-codes.md. */
export const exitCodes = {
  clean: 0,
  findings: 1,
  usage: 2,
  couldNotReview: 3,
  incomplete: 4,
  budget: 5,
  interrupted: 130,
} as const

/** One row per error code: its title, what to do about it, and the exit code. */
export const errorTable = {
  'not-a-repository': {
    title: 'This is not a git repository',
    help: 'Run Sightline inside a repository, or name one with --repo PATH.',
    exit: exitCodes.usage,
  },
  'git-missing': {
    title: 'git was not found, or is too old',
    help: 'Install git 2.34 or newer and make sure that it is on the PATH.',
    exit: exitCodes.couldNotReview,
  },
  'unknown-ref': {
    title: 'No such commit, branch or tag',
    help: 'Check the spelling with `git branch -a`; fetch a branch first if it exists only on the server. A path has to exist here: for a deleted file, name its folder.',
    exit: exitCodes.usage,
  },
  'unknown-name': {
    title: 'No such definition',
    help: 'Name a definition as NAME, or as FILE:LINE; `sightline search WORDS` finds one whose name you do not know.',
    exit: exitCodes.usage,
  },
  'no-merge-base': {
    title: 'Required history is missing',
    help: 'In a shallow clone, fetch more: `git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout. Otherwise name both commits as a range A..B.',
    exit: exitCodes.usage,
  },
  'nothing-to-review': {
    title: 'There is nothing to review yet',
    help: 'Add a file or make a commit first.',
    exit: exitCodes.usage,
  },
  'unmerged-index': {
    title: 'The index has unresolved conflicts',
    help: 'Resolve them and `git add` the files, or review the work tree without --staged.',
    exit: exitCodes.usage,
  },
  'patch-unreadable': {
    title: 'The patch could not be read',
    help: 'It must be a unified diff, as written by `git diff` or `git format-patch`.',
    exit: exitCodes.usage,
  },
  'patch-empty': {
    title: 'The patch is empty',
    help: '`git diff` prints nothing if there are no changes or if it fails. For staged changes, use `git diff --cached`.',
    exit: exitCodes.usage,
  },
  'patch-already-applied': {
    title: 'The patch is already applied here',
    help: 'Review the commit that contains it (`sightline review COMMIT`), or name the commit it was based on with --base REF.',
    exit: exitCodes.usage,
  },
  'patch-does-not-apply': {
    title: 'The patch does not belong to this repository',
    help: 'Name the commit it was based on with --base REF.',
    exit: exitCodes.usage,
  },
  'object-missing': {
    title: 'A required git object is missing',
    help: 'The clone is partial or damaged. Run `git fetch --refetch`, or `git fsck` to see what is wrong.',
    exit: exitCodes.couldNotReview,
  },
  'commit-too-large': {
    title: 'The commit is too large to be read',
    help: 'Its message and headers may have 1 MB. Review its changes as a patch instead: `git diff A B | sightline review -`.',
    exit: exitCodes.couldNotReview,
  },
  'tree-too-large': {
    title: 'The repository has more files than can be read',
    help: 'If the repository really is this large, raise limits.treeEntries in .sightline.yaml.',
    exit: exitCodes.couldNotReview,
  },
  'output-unwritable': {
    title: 'The result could not be written',
    help: 'Free some disk space, or write to a file on another disk.',
    exit: exitCodes.couldNotReview,
  },
  'no-temporary-folder': {
    title: 'The folder for temporary files cannot be used',
    help: 'Set TMPDIR to a writable folder on a disk with free space.',
    exit: exitCodes.couldNotReview,
  },
  'disk-unusable': {
    title: 'A file cannot be written: the disk is full or read-only',
    help: 'Free some disk space, or set TMPDIR, XDG_CACHE_HOME and XDG_STATE_HOME to other folders.',
    exit: exitCodes.couldNotReview,
  },
  'system-refused': {
    title: 'The operating system refused a call',
    help: 'Check the disk, the rights to the folder, and how many files and processes you may open (`ulimit -a`), and try again.',
    exit: exitCodes.couldNotReview,
  },
  'repository-unsafe': {
    title: 'The repository is not safe to read',
    help: 'If you trust it, add the folder that it uses to `repositories.borrowFrom` in your settings. docs/security.md explains the risk.',
    exit: exitCodes.couldNotReview,
  },
  'git-failed': {
    title: 'git failed',
    help: 'Its message is above. Run `git fsck` to check whether the repository is damaged.',
    exit: exitCodes.couldNotReview,
  },
  'config-invalid': {
    title: 'The configuration is not valid',
    help: 'A review reads it from the commit before the change, so commit a correction first. `sightline config --check` checks the file in the work tree; docs/configuration.md describes all keys.',
    exit: exitCodes.usage,
  },
  'settings-invalid': {
    title: 'Your settings file is not valid',
    help: 'docs/models-and-keys.md describes all keys. To use another file, set SIGHTLINE_SETTINGS.',
    exit: exitCodes.usage,
  },
  'server-settings-invalid': {
    title: 'The settings of the server are not valid',
    help: 'docs/server/setup.md describes all keys; `sightline serve --check` checks them without starting.',
    exit: exitCodes.usage,
  },
  'server-unusable': {
    title: 'The server cannot run here',
    help: 'docs/server/operations.md lists what it needs: a free port, a writable data folder, and a database that it can reach.',
    exit: exitCodes.couldNotReview,
  },
  'dashboard-unbuilt': {
    title: 'The dashboard could not be built',
    help: 'In a checkout it is built on first use, and after each update. Call `sightline ui` once as somebody who may write to the checkout.',
    exit: exitCodes.couldNotReview,
  },
  'plane-unknown': {
    title: 'Unknown plane, or not available at this depth',
    help: 'Check the spelling in --planes, --only, --skip and in `planes.disable`; docs/depths.md lists the planes.',
    exit: exitCodes.usage,
  },
  'prompt-invalid': {
    title: 'A prompt file cannot be used',
    help: 'docs/contributing/adding-a-plane.md describes the format. Reinstall Sightline to restore the original files.',
    exit: exitCodes.couldNotReview,
  },
  'no-model': {
    title: 'No model is available',
    help: 'Set a key such as ANTHROPIC_API_KEY, or configure models in your settings; `sightline models` shows what was found. A review at `--depth offline` needs no model.',
    exit: exitCodes.usage,
  },
  'over-budget': {
    title: 'The run would exceed its budget',
    help: 'Raise --budget, choose a smaller --depth, or name cheaper models in the settings.',
    exit: exitCodes.budget,
  },
  'run-unknown': {
    title: 'Run not found',
    help: '`sightline runs` lists the recorded runs.',
    exit: exitCodes.usage,
  },
  'run-unreadable': {
    title: 'The record of this run cannot be used',
    help: 'It is damaged, or another version of Sightline wrote it. `sightline runs` lists the recorded runs.',
    exit: exitCodes.couldNotReview,
  },
  'run-store-unavailable': {
    title: 'The store of runs does not answer',
    help: 'Try again later. A review continues without a record; `journal.store` in your settings names the store.',
    exit: exitCodes.couldNotReview,
  },
  'run-store-refused': {
    title: 'Runs cannot be kept as the settings say',
    help: 'Check `journal.store` and `journal.s3` in your settings, and the AWS keys; docs/replay.md has an example. --no-record keeps nothing.',
    exit: exitCodes.usage,
  },
  'ledger-unavailable': {
    title: 'The ledger of findings cannot be used',
    help: 'Check that its folder can be read and written; docs/findings.md says where it is. A review continues without it and says so.',
    exit: exitCodes.couldNotReview,
  },
  'running-not-allowed': {
    title: 'Running reviewed code is not allowed',
    help: 'Set `sandbox.prove.allow: true` in your settings. Tests then run in a sandbox without network.',
    exit: exitCodes.usage,
  },
  'no-sandbox': {
    title: 'No sandbox works here',
    help: 'Install bubblewrap, or set `sandbox.image`. `sightline doctor` shows what was tried.',
    exit: exitCodes.couldNotReview,
  },
  'finding-unknown': {
    title: 'Finding not found',
    help: '`sightline findings` lists the findings of this repository with their ids.',
    exit: exitCodes.usage,
  },
  'note-unknown': {
    title: 'Note not found',
    help: '`sightline memory list` lists the notes of this repository.',
    exit: exitCodes.usage,
  },
  'note-refused': {
    title: 'The note was not accepted',
    help: '`sightline memory test NAME` shows what it would have done; docs/memory.md has the rules.',
    exit: exitCodes.usage,
  },
  'database-refused': {
    title: 'The database of the server cannot be used',
    help: 'Check DATABASE_URL, which must name PostgreSQL 15 or newer, or the data folder if it is not set; docs/server/storage.md has both.',
    exit: exitCodes.usage,
  },
  'backup-refused': {
    title: 'The backup cannot be restored',
    help: 'Restore into an empty database, with this version of Sightline or a newer one than made the file.',
    exit: exitCodes.usage,
  },
  stopped: {
    title: 'Sightline was stopped by its watchdog',
    help: 'Nothing was reviewed. docs/security.md lists inputs that cause this; docs/exit-codes.md explains how to raise the limits.',
    exit: exitCodes.couldNotReview,
  },
  'review-unusable': {
    title: 'The review cannot be published',
    help: 'Use the file that `sightline analyze` wrote, together with the collected change that it reviews.',
    exit: exitCodes.usage,
  },
  'request-unusable': {
    title: 'The collected change cannot be read',
    help: 'Name a folder that `sightline collect` wrote. If another version of Sightline wrote it, collect the change again.',
    exit: exitCodes.usage,
  },
  'mcp-server-unusable': {
    title: 'The MCP server cannot be used',
    help: 'Check its entry under `mcp.servers` in your settings.',
    exit: exitCodes.usage,
  },
  'host-unknown': {
    title: 'No known host has this address',
    help: 'Add the host to `hosts` in your settings; docs/pull-requests.md has an example. Your token is sent only to hosts named there, and to github.com, gitlab.com, codeberg.org, bitbucket.org and dev.azure.com.',
    exit: exitCodes.usage,
  },
  'host-package-unusable': {
    title: 'The package for this host cannot be used',
    help: 'Its name is the `kind` of a host in your settings. Install it beside Sightline, in a version for this one.',
    exit: exitCodes.usage,
  },
  'change-request-unknown': {
    title: 'The pull request or merge request was not found',
    help: 'Check the address. For a private repository, the token must be allowed to read it; docs/pull-requests.md lists tokens and scopes.',
    exit: exitCodes.usage,
  },
  'host-refused': {
    title: 'The host refused the request',
    help: 'docs/pull-requests.md lists which token is used and which scopes each step needs.',
    exit: exitCodes.couldNotReview,
  },
  'host-unavailable': {
    title: 'The host cannot be used now',
    help: 'Try again later. Nothing is posted twice: what was already published is read back first.',
    exit: exitCodes.couldNotReview,
  },
  'sandbox-missing': {
    title: 'No sandbox works on this machine',
    help: 'Install bubblewrap and allow unprivileged user namespaces, or set workers.sandbox to optional.',
    exit: exitCodes.couldNotReview,
  },
  'change-request-closed': {
    title: 'The change request is closed',
    help: 'Nothing is posted to it. Without --post, it can still be reviewed.',
    exit: exitCodes.couldNotReview,
  },
  'head-moved': {
    title: 'The change has new commits',
    help: 'Review it again. Answers of models that are already paid for are reused where the questions are the same.',
    exit: exitCodes.couldNotReview,
  },
  'rule-invalid': {
    title: 'A rule file is not valid',
    help: 'docs/writing-a-rule.md describes the format.',
    exit: exitCodes.usage,
  },
  usage: {
    title: 'Invalid usage',
    help: '`sightline help` lists the commands, `sightline help COMMAND` their options.',
    exit: exitCodes.usage,
  },
} as const

export type ErrorCode = keyof typeof errorTable

export class UserError extends Error {
  override readonly name = 'UserError'
  readonly code: ErrorCode

  /** `detail` says what exactly and where: the ref, the path and line, git's own message. */
  constructor(code: ErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
  }

  get exitCode(): number {
    return errorTable[this.code].exit
  }

  /** Three lines at most: title with detail, then the way out. */
  get report(): string {
    const { title, help } = errorTable[this.code]
    return `${title}: ${this.message}\n${help}`
  }
}
