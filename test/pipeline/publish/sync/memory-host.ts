/** A host in memory: one change request, its comments and check, and people; every write can be interrupted. */
import { diffArrays } from 'diff'
import type { FileChange } from '../../../../src/domain/change-set.ts'
import {
  AnchorsRefused,
  type ChangeWriter,
  type OwnThread,
  type PlannedComment,
  type PublishedState,
  WriteUnclear,
} from '../../../../src/hosts/remote/contract.ts'
import type { Random } from '../../../helpers/random.ts'

export type Tree = ReadonlyMap<string, readonly string[]>

type Thread = OwnThread & { tree: Tree; postedOn: { line: number; side: 'old' | 'new' } }

/** What ends a process: nothing of it goes on. */
export class Crash extends Error {}

export class MemoryHost implements ChangeWriter {
  readonly abilities: ChangeWriter['abilities']
  readonly bodies: PublishedState['bodies'] = []
  readonly threads: Thread[] = []
  /** By head. */
  readonly checks = new Map<string, string>()
  head = ''
  base: Tree = new Map()
  tree: Tree = new Map()
  files: readonly FileChange[] = []
  writes = 0
  /** Probability of an interruption at each write. */
  trouble = 0
  private readonly pushed = new Map<string, { base: Tree; tree: Tree; files: readonly FileChange[] }>()
  private readonly random: Random
  private made = 0
  private isLocked = false

  constructor(random: Random, abilities: Partial<ChangeWriter['abilities']> = {}) {
    this.random = random
    this.abilities = {
      suggestions: 'lines',
      multiLine: true,
      resolve: true,
      check: 'run',
      bodyLength: 65_535,
      shownFiles: 300,
      shownLines: 20_000,
      ...abilities,
    }
  }

  push(head: string, base: Tree, tree: Tree, files: readonly FileChange[]): void {
    Object.assign(this, { head, base, tree, files })
    this.pushed.set(head, { base, tree, files })
    for (const thread of this.threads) thread.line = this.lineNow(thread)
  }

  /** Where the host shows a thread now, as git's own diff of the two trees has it. */
  private lineNow({ path, tree, postedOn: { side, line } }: Thread): number | null {
    const then = tree.get(path) ?? []
    const now = (side === 'new' ? this.tree : this.base).get(path)
    return now ? mapLine(then, now, line) : null
  }

  async readState(): Promise<PublishedState> {
    const key = this.checks.get(this.head)
    return {
      me: 'us',
      writers: [],
      state: 'open',
      head: this.head,
      repositoryId: '7',
      isPublic: true,
      bodies: this.bodies.map((body) => ({ ...body })),
      lacks: [],
      threads: structuredClone(this.threads.map(({ tree: _, postedOn: __, ...thread }) => thread)),
      check: key === undefined ? null : { key, isOpen: false },
    }
  }

  async postReview({ head, body, comments }: Parameters<ChangeWriter['postReview']>[0]): Promise<void> {
    // A push may have come meanwhile: a comment belongs to the head that it names.
    const at = this.pushed.get(head)
    if (!at || comments.some((comment) => !isInDiff(comment, at.files)))
      throw new AnchorsRefused('off the diff')
    this.write(() => {
      this.bodies.push({ id: `b${++this.made}`, author: 'us', body })
      for (const comment of comments) {
        const { side, path } = comment
        const line = comment.end[side] ?? 0
        const thread: Thread = {
          id: `t${++this.made}`,
          comment: `c${this.made}`,
          author: 'us',
          body: comment.body,
          path,
          line,
          posted: { side, line, commit: head },
          isResolved: false,
          url: null,
          replies: [],
          tree: side === 'new' ? at.tree : at.base,
          postedOn: { side, line },
        }
        if (head !== this.head) thread.line = this.lineNow(thread)
        this.threads.push(thread)
      }
    })
  }

  async closeThreads(closings: Parameters<ChangeWriter['closeThreads']>[0]): Promise<{ refused: null }> {
    for (const { thread, reply } of closings) {
      const found = this.threads.find(({ id }) => id === thread)
      if (!found) throw new Error(`no thread ${thread}`)
      // Two writes, as on hosts that cannot do both at once.
      if (reply !== null) this.write(() => found.replies.push({ author: 'us', body: reply }))
      if (this.abilities.resolve)
        this.write(() => {
          found.isResolved = true
        })
    }
    return { refused: null }
  }

  async putOverview({ id, body }: Parameters<ChangeWriter['putOverview']>[0]): Promise<{ refused: null }> {
    this.write(() => {
      const found = this.bodies.find((one) => one.id === id)
      if (found) found.body = body
      else this.bodies.push({ id: `o${++this.made}`, author: 'us', body })
    })
    return { refused: null }
  }

  async lock(): Promise<boolean> {
    const isTaken = !this.isLocked
    this.isLocked = true
    return isTaken
  }

  async unlock(): Promise<void> {
    this.isLocked = false
  }

  async readCheck(head: string): Promise<PublishedState['check']> {
    const key = this.checks.get(head)
    return key === undefined ? null : { key, isOpen: false }
  }

  async putCheck({ head, key }: Parameters<ChangeWriter['putCheck']>[0]): Promise<{ refused: null }> {
    this.write(() => this.checks.set(head, key))
    return { refused: null }
  }

  /** Interrupted before or after it was carried out, by a dead connection or a dead process. */
  private write(work: () => void): void {
    const isHit = this.random.chance(this.trouble)
    const isDone = !isHit || this.random.chance(0.5)
    if (isDone) {
      work()
      this.writes++
    }
    if (!isHit) return
    if (this.random.chance(0.5)) throw new WriteUnclear('the connection broke')
    throw new Crash('the process was killed')
  }
}

function isInDiff({ path, side, start, end }: PlannedComment, files: readonly FileChange[]): boolean {
  const file = files.find((one) => one.path === path)
  const hunkOf = (line: number | null) =>
    file?.hunks.find(({ lines }) => lines.some((one) => line !== null && one[side] === line))
  const hunk = hunkOf(start[side])
  return hunk !== undefined && hunk === hunkOf(end[side])
}

/** Null when the line is gone. */
function mapLine(before: readonly string[], after: readonly string[], line: number): number | null {
  let [old, fresh] = [1, 1]
  for (const { added, removed, count = 0 } of diffArrays([...before], [...after])) {
    if (!added && !removed && line >= old && line < old + count) return fresh + line - old
    if (!added) old += count
    if (!removed) fresh += count
  }
  return null
}
