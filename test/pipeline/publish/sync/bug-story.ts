/**
 * A random story of a change: bugs are added, fixed, removed, edited, moved and come back, files are renamed and reverted,
 * and the base goes on. It knows nothing of hosts; the same seed tells the same story.
 */
import type { Random } from '../../../helpers/random.ts'
import { bugPattern } from './bug-world.ts'
import type { Tree } from './memory-host.ts'

export class BugStory {
  base: Map<string, string[]> = new Map()
  head: Map<string, string[]> = new Map()
  /** Paths of the base to those of the head. */
  readonly renamed = new Map<string, string>()
  /** What was done, in words. */
  readonly told: string[] = []
  private readonly random: Random
  private bugs = 0
  /** Every line that was ever a bug, as it was at first. */
  private readonly lines = new Set<string>()

  constructor(random: Random) {
    this.random = random
    for (const name of ['a', 'b', 'c'])
      this.base.set(
        `${name}.ts`,
        Array.from({ length: 12 }, (_, line) => `${name} line ${line}`),
      )
    this.head = copyOf(this.base)
  }

  edit(): void {
    const deed = this.random.pick(edits)
    this.told.push(deed)
    const paths = [...this.head.keys()]
    const path = paths.length > 0 ? this.random.pick(paths) : 'd.ts'
    const lines = this.head.get(path) ?? []
    const at = this.random.between(0, lines.length)
    const withBug = [...this.head].flatMap(([one, all]) =>
      all.flatMap((text, line) => (bugPattern.test(text) ? [{ one, line }] : [])),
    )
    const bug = withBug.length > 0 ? this.random.pick(withBug) : null
    const bugLines = bug ? (this.head.get(bug.one) ?? []) : []
    switch (deed) {
      case 'add':
        lines.splice(at, 0, `  call(${this.random.between(1, 9)}) // bug ${++this.bugs}`)
        this.lines.add(lines[at] ?? '')
        this.head.set(path, lines)
        break
      case 'fix':
        if (bug) bugLines.splice(bug.line, 1, `  fixed(${this.random.between(1, 999)})`)
        break
      case 'remove':
        if (bug) bugLines.splice(bug.line, 1)
        break
      case 'restore': {
        // What was fixed comes back, as when a revert is reverted.
        const there = new Set([...this.head.values()].flat().map((text) => bugPattern.exec(text)?.[1]))
        const gone = [...this.lines].filter((text) => !there.has(bugPattern.exec(text)?.[1]))
        if (gone.length > 0) lines.splice(at, 0, this.random.pick(gone))
        this.head.set(path, lines)
        break
      }
      case 'edit-bug':
        if (bug) bugLines[bug.line] = `${bugLines[bug.line]} again${this.random.between(1, 99)}`
        break
      case 'indent':
        if (bug) bugLines[bug.line] = `    ${bugLines[bug.line]}`
        break
      case 'noise':
        for (let more = this.random.between(1, 9); more > 0; more--)
          lines.splice(at, 0, `noise ${this.random.between(1, 99_999)}`)
        this.head.set(path, lines)
        break
      case 'rename': {
        const to = `new-${this.random.between(1, 999)}.ts`
        if (!this.base.has(path) || this.renamed.has(path) || this.head.has(to)) break
        this.head.delete(path)
        this.head.set(to, lines)
        this.renamed.set(path, to)
        break
      }
      case 'revert':
        if (this.base.has(path)) this.head.set(path, [...(this.base.get(path) ?? [])])
        break
      case 'merge-base': {
        // A line of the base, above everything else, in both.
        const [first = 'a.ts'] = [...this.base.keys()]
        const text = `base ${this.random.between(1, 99_999)}`
        this.base = copyOf(this.base)
        this.base.get(first)?.unshift(text)
        this.head.get(this.renamed.get(first) ?? first)?.unshift(text)
        break
      }
      case 'rebase':
        // The same tree by another name.
        break
    }
    this.head = copyOf(this.head)
  }
}

const edits = [
  'restore',
  'add',
  'add',
  'add',
  'fix',
  'remove',
  'edit-bug',
  'indent',
  'noise',
  'rename',
  'revert',
  'merge-base',
  'rebase',
] as const

/** The number of the bug that a text of ours is about; empty for none. */
export function bugOf(text: string): string {
  return /bug_(\d+)|bug\\_(\d+)/.exec(text)?.slice(1).find(Boolean) ?? ''
}

function copyOf(tree: Tree): Map<string, string[]> {
  return new Map([...tree].map(([path, lines]) => [path, [...lines]]))
}
