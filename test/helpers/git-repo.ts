/** Real temporary git repositories for tests. Nothing is mocked; identity and dates are fixed, so ids are too. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { commitHere } from './commit-here.ts'
import { gitIdentity } from './git-identity.ts'
import { runToItsEnd } from './starter/start.ts'

export type Files = Record<string, string | Uint8Array | null>

export class TestRepo {
  readonly path: string
  private clock = 1_700_000_000

  constructor(path: string) {
    this.path = path
  }

  /** Runs git in the repository and returns its standard output, trimmed. */
  git(...args: string[]): string {
    return this.run('git', args)
  }

  /** Writes files (null removes one) without adding them. */
  write(files: Files): this {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.path, name)
      if (content === null) rmSync(path, { recursive: true, force: true })
      else {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, content)
      }
    }
    return this
  }

  /** Writes, adds everything and commits; returns the commit id. */
  commit(files: Files, message = 'change'): string {
    this.write(files)
    this.clock += 60
    const commit = commitHere(this.path, message, this.clock)
    if (commit !== null) return commit
    // One shell instead of two processes of ours: to fork a worker that holds parsers and facts costs more than git.
    this.run('sh', ['-c', commitAll, 'sh', message])
    return this.writtenHead() ?? this.git('rev-parse', 'HEAD')
  }

  /** As git has just written it; null where it is kept in another way, such as in a linked work tree. */
  private writtenHead(): string | null {
    const read = (name: string) => readFileSync(join(this.path, '.git', name), 'utf8').trim()
    try {
      const head = read('HEAD')
      return head.startsWith('ref: ') ? read(head.slice(5)) : head
    } catch {
      return null
    }
  }

  private run(command: string, args: string[]): string {
    const date = `${this.clock} +0000`
    return runToItsEnd(command, args, {
      cwd: this.path,
      env: { ...process.env, ...gitIdentity, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    }).trim()
  }
}

const commitAll =
  'git add -A && exec git -c maintenance.auto=false commit --quiet --allow-empty --no-gpg-sign -m "$1"'

/** A fresh folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** What `git init` makes, by its arguments: made once for a worker and copied, since to start git costs it more than the copy. */
const made = new Map<string, string>()

/** An empty repository on branch `main`; extra arguments go to `git init`. */
export function createRepo(...initArgs: string[]): TestRepo {
  const key = initArgs.join(' ')
  let empty = made.get(key)
  if (empty === undefined) {
    empty = mkdtempSync(join(tmpdir(), 'sightline-empty-'))
    new TestRepo(empty).git('init', '--quiet', '--initial-branch=main', ...initArgs)
    removeSamples(join(empty, '.git/hooks'))
    made.set(key, empty)
  }
  const repo = new TestRepo(temporaryFolder())
  cpSync(empty, repo.path, { recursive: true })
  return repo
}

/** No test reads them, and to copy them costs more than all else that git makes. */
function removeSamples(hooks: string): void {
  if (existsSync(hooks)) for (const name of readdirSync(hooks)) rmSync(join(hooks, name))
}
