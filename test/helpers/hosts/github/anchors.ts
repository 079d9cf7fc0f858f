/** Where GitHub accepts a comment: on a line within a hunk. What it says of others does not say which comment it was. */
import type { Change, LineAnchor, Thread } from '../engine/change.ts'
import { type FileDiff, findLine } from '../engine/file-diff.ts'
import type { Note } from '../engine/world.ts'

export type CommentInput = {
  path: string
  body: string
  line?: number
  side?: string
  start_line?: number
  start_side?: string
  position?: number
  subject_type?: string
}

/** `base` is what the commit was compared with. */
export type AnchoredAt = { commit: string; base: string }

const longestBody = 65_536

/** A thread without notes; or what is wrong with the comment, as one sentence of the list that GitHub sends. */
export function anchorThread(
  change: Change,
  { commit, base }: AnchoredAt,
  input: CommentInput,
): Omit<Thread, 'notes' | 'id' | 'firstNote'> | string {
  if (input.body.trim() === '') return "Pull request review comment body can't be blank"
  if (input.body.length > longestBody)
    return `Pull request review comment body is too long (maximum is ${longestBody} characters)`
  const file = change.repository.diff(base, commit).find(({ path }) => path === input.path)
  if (!file)
    return "Pull request review thread path is invalid and Pull request review thread diff hunk can't be blank"
  const whole = { path: input.path, commit, base, resolvedBy: null }
  if (input.subject_type === 'file') return { ...whole, anchor: null, diffHunk: '' }
  const anchor = input.line === undefined ? atPosition(file, input.position) : linesOf(input)
  const end = anchor && findLine(file, anchor.side, anchor.line)
  if (!anchor || !end) {
    const start =
      input.start_line === undefined
        ? ''
        : ', Pull request review thread start line must be part of the same hunk as the line.,'
    return `Pull request review thread line must be part of the diff${start} and Pull request review thread diff hunk can't be blank`
  }
  if (input.start_line !== undefined) {
    const start = findLine(file, anchor.startSide, anchor.startLine)
    if (anchor.startSide === anchor.side && anchor.startLine >= anchor.line)
      return 'Pull request review thread start line must precede the end line.'
    if (start?.hunk !== end.hunk)
      return 'Pull request review thread start line must be part of the same hunk as the line.'
    if (start.position >= end.position)
      return 'Pull request review thread start line must precede the end line.'
  }
  const { header, lines } = end.hunk
  const shown = lines.slice(0, lines.indexOf(end.found) + 1).map(({ kind, text }) => `${kind}${text}`)
  return { ...whole, anchor, diffHunk: [header, ...shown].join('\n') }
}

export function addThread(
  change: Change,
  made: Omit<Thread, 'notes' | 'id' | 'firstNote'>,
  first: Note,
): Thread {
  const thread = { ...made, id: change.project.world.nextId(), firstNote: first.id, notes: [first] }
  change.threads.push(thread)
  return thread
}

function linesOf({
  line = 0,
  side = 'RIGHT',
  start_line = line,
  start_side = side,
}: CommentInput): LineAnchor {
  const sideOf = (name: string) => (name === 'LEFT' ? 'old' : 'new')
  return { side: sideOf(side), line, startSide: sideOf(start_side), startLine: start_line }
}

function atPosition(file: FileDiff, position = 0): LineAnchor | null {
  const lines = file.hunks.flatMap(({ lines: own }, index) => (index > 0 ? [null, ...own] : own))
  const found = lines[position - 1]
  if (!found) return null
  const side = found.new === null ? 'old' : 'new'
  const line = found[side] ?? 0
  return { side, line, startSide: side, startLine: line }
}
