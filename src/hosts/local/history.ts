/** Earlier commits and the paths they changed, from one streamed `git log`. */

import type { Shadow } from '../../base/git/shadow.ts'
import { remembered } from '../../base/remembered.ts'
import type { HistoryCommit, RepoHistory } from '../../domain/snapshot.ts'
import { ZeroSplitter } from './diff-output.ts'

/** Output after which the walk stops: an import of a whole tree can name a million paths. */
const maxLogBytes = 128 * 1024 * 1024
/** Longer than a review waits for it, so that a slow machine makes a history that is missing and not a shorter one. */
const timeoutMs = 120_000
/** Git gathers all paths of a commit before it prints one, and one commit of a few kilobytes can add 10⁹ files. */
const memoryBytes = 128 * 1024 * 1024
/** Empty folders take no memory, and 10⁹ of them hours. Honest commits take milliseconds. */
const silentCpuSeconds = 2

export class CommitHistory implements RepoHistory {
  private readonly shadow: Shadow
  private readonly from: string | null
  /** Answers by limit: the same question comes once per plane and once per claim. */
  private readonly answers = new Map<number, ReturnType<RepoHistory['recent']>>()

  /** `from` is the newest commit that counts as history; null when there is none yet. */
  constructor(shadow: Shadow, from: string | null) {
    this.shadow = shadow
    this.from = from
  }

  recent(limit: number): ReturnType<RepoHistory['recent']> {
    return remembered(this.answers, limit, () => this.read(limit))
  }

  private async read(limit: number): ReturnType<RepoHistory['recent']> {
    if (this.from === null) return { commits: [], complete: true }
    const parser = new LogParser<HistoryCommit>(fields.length, historyCommit)
    return await readGitLog(this.shadow, parser, { format: fields, from: this.from, limit })
  }
}

const fields = ['%H', '%an', '%ae', '%ct', '%s']

export type GitLogOptions = {
  /** What the parser gets of each commit, as git's placeholders. */
  format: readonly string[]
  from: string
  /** Commits that are reachable from it are left out. */
  without?: string | null
  merges?: boolean
  limit: number
}

/** Newest first. A log that is slow or broken is only a shorter one: then `complete` is false. */
export async function readGitLog<
  Commit extends { readonly commit: string; readonly paths: readonly string[] },
>(
  shadow: Shadow,
  parser: LogParser<Commit>,
  options: GitLogOptions,
): Promise<{ commits: Commit[]; complete: boolean }> {
  const { limit } = options
  let bytes = 0
  const end = await shadow
    .stream(
      logArguments({ ...options, limit: limit + 1 }),
      (chunk) => {
        parser.push(chunk)
        bytes += chunk.length
        return bytes <= maxLogBytes
      },
      { timeoutMs, memoryBytes, silentCpuSeconds },
    )
    .catch((error: unknown) => {
      // An aborted run is over; a slow or broken history is only a shorter one.
      shadow.signal?.throwIfAborted()
      return { code: 1, stopped: true, error }
    })
  const whole = end.code === 0 && !end.stopped
  const all = parser.finish(whole)
  // The commits at which a shallow clone ends look as if they had added every file.
  const commits = all.filter(({ commit }) => !shadow.shallow.has(commit)).slice(0, limit)
  return { commits, complete: whole && all.length <= limit && shadow.shallow.size === 0 }
}

/** `--raw` rather than `--name-only`: a path then always follows a word that begins with a colon. */
function logArguments({ format, from, without = null, merges = false, limit }: GitLogOptions): string[] {
  return [
    // Of what it may hold, git would keep 96 MB of packed objects that it might need again.
    '-c',
    'core.deltaBaseCacheLimit=32m',
    'log',
    `--max-count=${limit}`,
    ...(merges ? [] : ['--no-merges']),
    '--raw',
    '-z',
    '--root',
    '--no-renames',
    '--no-abbrev',
    '--no-color',
    '--no-decorate',
    '--no-mailmap',
    '--no-notes',
    '--no-show-signature',
    '--encoding=UTF-8',
    `--format=${format.join('%x00')}`,
    '--end-of-options',
    from,
    ...(without === null ? [] : [`^${without}`]),
  ]
}

function historyCommit(header: readonly string[], paths: readonly string[]): HistoryCommit {
  const [commit = '', authorName = '', authorEmail = '', time = '', subject = ''] = header
  return { commit, authorName, authorEmail, time: Number(time), subject, paths }
}

/** The output of `git log --raw -z` whose format is `fields` texts with a zero byte between them. */
export class LogParser<Commit extends { readonly paths: readonly string[] }> {
  private readonly commits: { commit: Commit; paths: string[] }[] = []
  private header: string[] = []
  private pathNext = false
  private readonly splitter = new ZeroSplitter((item) => this.take(item.toString('utf8')))
  private readonly fields: number
  private readonly make: (header: readonly string[], paths: string[]) => Commit

  /** `make` gets the texts, and the list that the paths of the commit will be in. */
  constructor(fields: number, make: (header: readonly string[], paths: string[]) => Commit) {
    this.fields = fields
    this.make = make
  }

  push(chunk: Buffer): void {
    this.splitter.push(chunk)
  }

  /** The last commit of a walk that was cut short may lack paths, and is left out. */
  finish(whole: boolean): Commit[] {
    const all = this.commits.map(({ commit }) => commit)
    return whole ? all : all.slice(0, -1)
  }

  private take(item: string): boolean {
    if (this.pathNext) {
      this.commits.at(-1)?.paths.push(item)
      this.pathNext = false
    } else if (this.header.length === 0 && /^\n?:/.test(item)) this.pathNext = true
    else if (this.header.push(item) === this.fields) {
      const paths: string[] = []
      this.commits.push({ commit: this.make(this.header, paths), paths })
      this.header = []
    }
    return true
  }
}
