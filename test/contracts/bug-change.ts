/**
 * A change request on a fake host whose bugs are known: people push, rebase, squash, revert, rename and merge from the base,
 * and delete, resolve, answer and edit comments. Whatever happened, each bug of the head has one open comment, on its line,
 * and what people did stays.
 */
import assert from 'node:assert/strict'
import type { Change, Thread } from '../helpers/hosts/engine/change.ts'
import type { Files } from '../helpers/hosts/engine/repository.ts'
import type { Project } from '../helpers/hosts/engine/world.ts'
import type { Random } from '../helpers/random.ts'
import { BugStory, bugOf } from '../pipeline/publish/sync/bug-story.ts'
import { bugPattern } from '../pipeline/publish/sync/bug-world.ts'
import type { Tree } from '../pipeline/publish/sync/memory-host.ts'

export type BugChangeOptions = {
  random: Random
  project: Project
  /** The branch of the change, and the one that it goes to, which gets the files of the story. */
  branch?: string
  base?: string
  /** Closed threads are resolved; otherwise only answered, or not at all. */
  resolves: boolean
}

export class BugChange {
  readonly story: BugStory
  readonly project: Project
  readonly change: Change
  private readonly base: string
  private readonly random: Random
  private readonly resolves: boolean
  /** Trees of the commits that were made last. */
  private pushed: { base: Tree; head: Tree }
  private pushes = 0
  /** Bugs whose comment people deleted or resolved, with its line: posted again only in other words and another file. */
  private readonly settled = new Map<string, { path: string; text: string }>()

  constructor({ random, project, branch = 'topic', base = 'main', resolves }: BugChangeOptions) {
    this.random = random
    this.project = project
    this.base = base
    this.resolves = resolves
    this.story = new BugStory(random)
    project.commit(base, filesOf(this.story.base))
    project.repository.point(`refs/heads/${branch}`, project.head(base))
    this.change = project.open({ branch, base, files: { 'README.md': 'A change.\n' } })
    this.pushed = { base: copyOf(this.story.base), head: copyOf(this.story.head) }
  }

  /** Edits, and the commits that bring them to the host in one of the ways that people have. */
  edit(): void {
    for (let edits = this.random.between(1, 4); edits > 0; edits--) this.story.edit()
    const { story, project, change, pushed } = this
    const base = changesOf(pushed.base, story.base)
    const isNewBase = Object.keys(base).length > 0
    if (isNewBase) project.commit(this.base, base)
    const way = this.random.pick(isNewBase ? (['rebase', 'merge'] as const) : (['push', 'rewrite'] as const))
    const main = project.head(this.base)
    const onto = way === 'push' || way === 'merge'
    const files = {
      ...changesOf(onto ? pushed.head : story.base, story.head),
      'README.md': `Push ${++this.pushes}, by ${way}.\n`,
    }
    const parents = { push: [change.head], merge: [change.head, main], rebase: [main], rewrite: [main] }[way]
    change.move(project.repository.commit({ parents, message: way, files }))
    this.pushed = { base: copyOf(story.base), head: copyOf(story.head) }
    story.told.push(`[${way}]`)
  }

  /** What people do. Null when there is nothing to do it to. */
  disturb(): { deed: 'delete' | 'answer' | 'edit' | 'resolve'; thread: Thread } | null {
    const open = this.ownThreads().filter(isOpen)
    if (open.length === 0) return null
    const thread = this.random.pick(open)
    const [first] = thread.notes
    if (!first) return null
    const deeds = ['delete', 'answer', 'edit', ...(this.resolves ? (['resolve'] as const) : [])] as const
    const deed = this.random.pick(deeds)
    const bug = bugOf(first.body)
    this.story.told.push(`people ${deed} ${bug}`)
    // Where threads cannot be closed, an outdated comment on the bug may be cleared away while the present one is left.
    const isLeft = open.some((other) => other !== thread && this.isOn(other, bug))
    if ((deed === 'delete' && !isLeft) || deed === 'resolve') {
      const text = this.change.repository.read(thread.commit, thread.path)?.toString('utf8') ?? ''
      const line = text.split('\n')[(thread.anchor?.line ?? 0) - 1] ?? ''
      this.settled.set(bug, { path: thread.path, text: line.trim() })
    }
    if (deed === 'delete') for (const note of [...thread.notes]) this.change.deleteNote(note)
    if (deed === 'resolve') this.change.resolve(thread, 'ada')
    if (deed === 'answer') this.change.reply(thread, 'ada', 'Is that so? <!-- sightline:1 e30= 0 -->')
    // Words are added; the marker at the end stays, or a rude editor takes it away.
    if (deed === 'edit') {
      const kept = this.random.chance(0.5) ? first.body : first.body.replace(/<!--.*-->/, '')
      this.change.editNote(first, `Edited. ${kept}`)
    }
    return { deed, thread }
  }

  /** Throws `AssertionError` for what is double, lost, on a wrong line, or back again. */
  check(): void {
    const { change, story } = this
    const moved = new Map(
      change.diff.flatMap(({ path, oldPath }) => (oldPath === path ? [] : [[oldPath, path] as const])),
    )
    const there = bugsIn(story.head)
    const open = this.ownThreads().filter(isOpen)
    const bugs = open.map((thread) => bugOf(thread.notes[0]?.body ?? ''))
    // Where threads cannot be closed, one that is outdated is out of the way.
    const shown = this.resolves ? open : open.filter((thread) => change.placeOf(thread) !== null)
    const about = shown.map((thread) => bugOf(thread.notes[0]?.body ?? ''))
    assert.equal(new Set(about).size, about.length, `no bug has two open comments: ${about.join(' ')}`)
    for (const thread of this.ownThreads()) {
      if (thread.commit !== change.head) continue
      const bug = bugOf(thread.notes[0]?.body ?? '')
      assert.equal(thread.anchor?.line, there.get(bug)?.line, `the comment on bug ${bug} is on its line`)
      assert.equal(thread.path, there.get(bug)?.path, `the comment on bug ${bug} is in its file`)
    }
    for (const [bug, { path, text }] of there) {
      const settled = this.settled.get(bug)
      const isOther = settled && (moved.get(settled.path) ?? settled.path) !== path && settled.text !== text
      // What was settled is not posted again, though an older comment on it may be left that the host cannot close.
      const isThere = (settled ? about : bugs).includes(bug)
      if (settled && !isOther) assert.equal(isThere, false, `bug ${bug} is settled and stays so`)
      if (!settled) assert.equal(isThere, true, `bug ${bug} has an open comment`)
      if (isOther && isThere) this.settled.delete(bug)
    }
    if (this.resolves)
      for (const bug of bugs) assert.ok(there.has(bug), `bug ${bug} is gone, and its comment closed`)
  }

  ownThreads(): Thread[] {
    return this.change.threads.filter(({ anchor }) => anchor !== null)
  }

  private isOn(thread: Thread, bug: string): boolean {
    return bugOf(thread.notes[0]?.body ?? '') === bug && this.change.placeOf(thread) !== null
  }
}

/** Where threads cannot be resolved, the answer is above what was found. */
function isOpen({ resolvedBy, notes }: Thread): boolean {
  return resolvedBy === null && !notes[0]?.body.startsWith('Fixed in ')
}

function bugsIn(tree: Tree): Map<string, { path: string; line: number; text: string }> {
  return new Map(
    [...tree].flatMap(([path, lines]) =>
      lines.flatMap((text, at) => {
        const bug = bugPattern.exec(text)?.[1]
        return bug === undefined ? [] : [[bug, { path, line: at + 1, text: text.trim() }] as const]
      }),
    ),
  )
}

function changesOf(from: Tree, to: Tree): Files {
  const gone = [...from.keys()].filter((path) => !to.has(path)).map((path) => [path, null] as const)
  const changed = [...to.keys()].flatMap((path) => {
    const text = textIn(to, path)
    return text === textIn(from, path) ? [] : [[path, text] as const]
  })
  return Object.fromEntries([...gone, ...changed])
}

function filesOf(tree: Tree): Files {
  return Object.fromEntries([...tree.keys()].map((path) => [path, textIn(tree, path)]))
}

export function textIn(tree: Tree, path: string): string | null {
  const lines = tree.get(path)
  return lines ? lines.map((line) => `${line}\n`).join('') : null
}

export function copyOf(tree: Tree): Map<string, string[]> {
  return new Map([...tree].map(([path, lines]) => [path, [...lines]]))
}
