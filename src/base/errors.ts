/**
 * Errors that a user can mend: what, where, and the way out, with a documented exit code.
 * Anything else that is thrown is a bug of ours and keeps its stack.
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
    help: 'Run it inside one, or name one with --repo PATH.',
    exit: exitCodes.usage,
  },
  'git-missing': {
    title: 'git was not found, or is too old',
    help: 'Install git 2.34 or newer and see that it is on the PATH.',
    exit: exitCodes.couldNotReview,
  },
  'unknown-ref': {
    title: 'No such commit, branch or tag',
    help: 'Check the spelling with `git branch -a`; a branch that lives only on the server must be fetched first.',
    exit: exitCodes.usage,
  },
  'no-merge-base': {
    title: 'The history that this needs is not here',
    help: 'In a shallow clone, fetch more: `git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout. Otherwise name the base itself with a range A..B.',
    exit: exitCodes.usage,
  },
  'nothing-to-review': {
    title: 'There is no commit and no file to review yet',
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
    help: 'It must be a unified diff as `git diff` or `git format-patch` writes it.',
    exit: exitCodes.usage,
  },
  'patch-empty': {
    title: 'The patch is empty',
    help: '`git diff` prints nothing when nothing changed, and when it fails; what is staged is in `git diff --cached`.',
    exit: exitCodes.usage,
  },
  'patch-already-applied': {
    title: 'The patch is already applied here',
    help: 'Review the commit that holds it (`sightline review COMMIT`), or name the commit it was made on with --base REF.',
    exit: exitCodes.usage,
  },
  'patch-does-not-apply': {
    title: 'The patch does not belong to this repository',
    help: 'Name the commit it was made on with --base REF.',
    exit: exitCodes.usage,
  },
  'object-missing': {
    title: 'An object that the review cannot do without is missing',
    help: 'The clone is partial or damaged: `git fetch --refetch`, or `git fsck` to see what is wrong.',
    exit: exitCodes.couldNotReview,
  },
  'tree-too-large': {
    title: 'The repository has more files than can be read',
    help: 'Raise limits.treeEntries in .sightline.yaml if this is a real tree.',
    exit: exitCodes.couldNotReview,
  },
  'output-unwritable': {
    title: 'The result could not be written',
    help: 'Free some space, or write to a file on another disk.',
    exit: exitCodes.couldNotReview,
  },
  'no-temporary-folder': {
    title: 'The folder for temporary files cannot be used',
    help: 'Set TMPDIR to a folder on a disk with free space that you may write to.',
    exit: exitCodes.couldNotReview,
  },
  'disk-unusable': {
    title: 'A file cannot be written: the disk is full or read-only',
    help: 'Free some space, or name other folders with TMPDIR, XDG_CACHE_HOME and XDG_STATE_HOME.',
    exit: exitCodes.couldNotReview,
  },
  'repository-unsafe': {
    title: 'The repository is not one to be read as it is',
    help: 'If you trust it, allow the folder that it uses with `repositories.borrowFrom` in your settings; docs/security.md says why.',
    exit: exitCodes.couldNotReview,
  },
  'git-failed': {
    title: 'git failed',
    help: 'Its own words are above. `git fsck` tells whether the repository is damaged.',
    exit: exitCodes.couldNotReview,
  },
  'config-invalid': {
    title: 'The configuration is not valid',
    help: '`sightline config --check` lists every problem; docs/configuration.md has all keys.',
    exit: exitCodes.usage,
  },
  'settings-invalid': {
    title: 'Your own settings are not valid',
    help: 'docs/models-and-keys.md has all keys; $SIGHTLINE_SETTINGS names another file.',
    exit: exitCodes.usage,
  },
  'plane-unknown': {
    title: 'There is no such plane, or it does not look at this depth',
    help: 'Check the spelling in --planes, --only, --skip and in the keys `planes.disable` and `planes.enable`; docs/depths.md says which looks when.',
    exit: exitCodes.usage,
  },
  'prompt-invalid': {
    title: 'A prompt file cannot be used',
    help: 'docs/adding-a-plane.md says what such a file holds; installing Sightline again brings the original ones back.',
    exit: exitCodes.couldNotReview,
  },
  'no-model': {
    title: 'No model can be asked',
    help: 'Set a key such as ANTHROPIC_API_KEY, or describe your models in the settings; `sightline models` shows what was found. `--depth offline` needs none.',
    exit: exitCodes.usage,
  },
  'over-budget': {
    title: 'The run would cost more than it may',
    help: 'Raise --budget, choose a smaller --depth, or name cheaper models in the settings.',
    exit: exitCodes.budget,
  },
  'run-unknown': {
    title: 'There is no such run',
    help: '`sightline runs` lists those that are kept.',
    exit: exitCodes.usage,
  },
  'run-unreadable': {
    title: 'The record of this run cannot be used',
    help: 'It is damaged, or another version wrote it; `sightline runs` lists the runs that are kept.',
    exit: exitCodes.couldNotReview,
  },
  stopped: {
    title: 'Sightline was stopped by its watchdog',
    help: 'Nothing was reviewed. docs/security.md says which inputs do this, and which limits can be raised.',
    exit: exitCodes.couldNotReview,
  },
  'review-unusable': {
    title: 'The review cannot be published',
    help: 'Publish the file that `sightline analyze` wrote, with the request that it was written for.',
    exit: exitCodes.usage,
  },
  'request-unusable': {
    title: 'The collected change cannot be read',
    help: 'Name the folder that `sightline collect` wrote; collect it again if it was written by another version.',
    exit: exitCodes.usage,
  },
  'rule-invalid': {
    title: 'A rule file is not valid',
    help: 'docs/writing-a-rule.md has the format.',
    exit: exitCodes.usage,
  },
  usage: {
    title: 'Invalid usage',
    help: '`sightline help` lists the commands, `sightline help COMMAND` its options.',
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
