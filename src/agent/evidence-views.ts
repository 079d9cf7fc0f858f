/**
 * The evidence of a prompt, each line once: what several items hold of one file becomes one view, with the number of the first,
 * and lines that the diff shows are not repeated. Which item holds the words of a citation, code finds (`itemWithWords`).
 */
import { type Fence, Untrusted } from '../base/untrusted/untrusted.ts'
import { visibleLine } from '../base/visible-text.ts'
import { type DiffLine, type FileChange, pathOn } from '../domain/change-set.ts'
import { lineAcross } from '../domain/diff-lines.ts'
import type { Evidence, EvidenceDraft } from '../domain/evidence.ts'
import { cutLine } from './diff-text.ts'
import { type IsShown, withoutShownLines } from './tool-text.ts'

/** Characters of one item. */
const longestItem = 12_000

const longestTitles = 160

/** Characters of an answer that is shown among others of its kind: a remark, a mark of what was cut, an empty answer. */
const longestRemark = 600

/** Lines that a prompt shows already, by the key of their file. */
export class ShownLines {
  private readonly byFile = new Map<string, Set<number>>()
  /** By their path before the change. */
  private readonly changed = new Map<string, FileChange>()

  addChange(file: FileChange): void {
    this.changed.set(pathOn('old', file), file)
  }

  /** Where a line from before the change is after it, if it is the same there. */
  after(path: string, line: number): { path: string; line: number } | null {
    const file = this.changed.get(path)
    const same = file ? lineAcross(file, 'old', line) : null
    return file && same !== null ? { path: file.path, line: same } : null
  }

  has(side: Evidence['side'], path: string, line: number): boolean {
    if (this.of(side, path).has(line)) return true
    const same = side === 'old' ? this.after(path, line) : null
    return same !== null && this.of('new', same.path).has(same.line)
  }

  add(side: Evidence['side'], path: string, line: number): void {
    const key = fileKey(side, path)
    const known = this.byFile.get(key)
    if (known) known.add(line)
    else this.byFile.set(key, new Set([line]))
  }

  /** The lines of these items, now that they are shown too. */
  addAll(items: readonly EvidenceDraft[]): void {
    for (const item of items)
      if (item.path !== null) for (const [line] of linesIn(item) ?? []) this.add(item.side, item.path, line)
  }

  of(side: Evidence['side'], path: string): ReadonlySet<number> {
    return this.byFile.get(fileKey(side, path)) ?? new Set()
  }
}

/** The lines of both sides that these diffs show. */
export function linesInDiffs(diffs: readonly { file: FileChange; lines: readonly DiffLine[] }[]): ShownLines {
  const shown = new ShownLines()
  for (const { file, lines } of diffs) {
    shown.addChange(file)
    for (const line of lines) {
      if (line.new !== null) shown.add('new', file.path, line.new)
      if (line.old !== null) shown.add('old', pathOn('old', file), line.old)
    }
  }
  return shown
}

type View = {
  path: string
  side: Evidence['side']
  items: Evidence[]
  /** By number. */
  lines: Map<number, string>
}

/**
 * One text for each file and side, in the order of its first item, then one for each item that is no range of lines.
 * Everything of an item is fenced, also what this program computed: it holds names and words of the repository.
 */
export function renderViews(items: readonly Evidence[], shown: ShownLines, fence: Fence): string[] {
  const views = new Map<string, View>()
  const others: Evidence[] = []
  for (const item of items) {
    const { path, side } = item
    const lines = linesIn(item)
    if (path === null || lines === null) {
      others.push(item)
      continue
    }
    const key = fileKey(side, path)
    const view: View = views.get(key) ?? { path, side, items: [], lines: new Map() }
    views.set(key, view)
    view.items.push(item)
    for (const [line, text] of lines) if (!view.lines.has(line)) view.lines.set(line, text)
  }
  const isShown: IsShown = (side, path, line) =>
    shown.of(side, path).has(line) || (views.get(fileKey(side, path))?.lines.has(line) ?? false)
  const texts = others.map((item) => ({ item, text: withoutShownLines(item, isShown) }))
  const needed = texts.flatMap(({ item, text }) => (text === null ? [] : [{ ...item, text }]))
  const remarks = needed.filter(isRemark)
  const seen = [...views.values()].map((view) => {
    const hidden = hiddenLines(view, views, shown)
    return { view, hidden, isAbove: isAllAbove(view, hidden) }
  })
  return [
    ...seen.filter(({ isAbove }) => !isAbove).map(({ view, hidden }) => renderView(view, hidden, fence)),
    ...renderAbove(
      seen.flatMap(({ view, isAbove }) => (isAbove ? [view] : [])),
      fence,
    ),
    ...needed.filter((item) => !isRemark(item)).map((item) => renderText(item, fence)),
    ...(remarks.length > 0 ? [renderRemarks(remarks, fence)] : []),
  ]
}

/**
 * The items that fit, in their order. A line costs once, as it is shown once, and headings are not counted. What is taken
 * becomes part of `shown`.
 */
export function takeWithin(
  items: readonly Evidence[],
  maxBytes: number,
  shown: ShownLines = new ShownLines(),
): { taken: Evidence[]; bytes: number } {
  const taken: Evidence[] = []
  let bytes = 0
  for (const item of items) {
    const cost = bytesAdded(item, shown)
    if (bytes + cost > maxBytes) continue
    bytes += cost
    taken.push(item)
    shown.addAll([item])
  }
  return { taken, bytes }
}

/** Bytes of its lines that are not shown yet. */
export function bytesAdded(item: EvidenceDraft, shown: ShownLines): number {
  const { path, side } = item
  const lines = linesIn(item)?.filter(([line]) => path === null || !shown.has(side, path, line)) ?? [
    [0, cutText(item)] as const,
  ]
  return lines.reduce((sum, [, text]) => sum + sizeOf(text), 0)
}

/** The line feed, and the number with its bar. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text) + 7
}

/** Fewer lines than these are repeated: a remark in their place would be as long. */
const fewestUnchanged = 4

/**
 * Why a line is left out of a view: the diff above shows it, or the view of the file after the change, so many lines
 * further down.
 */
type Hidden = { isAbove: true } | { isAbove: false; movedBy: number }

function hiddenLines(
  { path, side, lines }: View,
  views: ReadonlyMap<string, View>,
  shown: ShownLines,
): Map<number, Hidden> {
  const hidden = new Map<number, Hidden>()
  const above = shown.of(side, path)
  for (const line of lines.keys()) if (above.has(line)) hidden.set(line, { isAbove: true })
  if (side !== 'old') return hidden
  let run: [line: number, hidden: Hidden][] = []
  const keep = () => {
    if (run.length >= fewestUnchanged) for (const [line, how] of run) hidden.set(line, how)
    run = []
  }
  for (const line of [...lines.keys()].sort((a, b) => a - b)) {
    const same = hidden.has(line) ? null : shown.after(path, line)
    const isSame = same && views.get(fileKey('new', same.path))?.lines.get(same.line) === lines.get(line)
    if (!isSame || run.at(-1)?.[0] !== line - 1) keep()
    if (isSame) run.push([line, { isAbove: false, movedBy: same.line - line }])
  }
  keep()
  return hidden
}

/** Numbers that something may name, in one text: `E2 src/cart.ts:3, 8-9`. */
function renderAbove(views: readonly View[], fence: Fence): string[] {
  if (views.length === 0) return []
  const lines = views.map(({ path, side, items }) => {
    const before = side === 'old' ? ' before the change' : ''
    return `${items[0]?.id} ${path}:${[...new Set(items.map(placeIn))].join(', ')}${before}`
  })
  return [`Shown above:\n${fence.render(new Untrusted('evidence that is shown above', lines.join('\n')))}`]
}

/** The diff shows every line of it, with a tag: there is nothing to read under its number. */
function isAllAbove({ lines, items }: View, hidden: ReadonlyMap<number, Hidden>): boolean {
  const isWhole = items.every((item) => lines.has(item.endLine ?? linesIn(item)?.at(-1)?.[0] ?? 0))
  return isWhole && [...lines.keys()].every((line) => hidden.get(line)?.isAbove)
}

function hiddenText(first: number, last: number, hidden: Hidden): string {
  const range = `… ${rangeText(first, last)}`
  if (hidden.isAbove) return `${range}: shown above`
  const after = rangeText(first + hidden.movedBy, last + hidden.movedBy)
  return `${range}: unchanged, ${after} after the change`
}

function renderView(
  { path, side, items, lines }: View,
  hidden: ReadonlyMap<number, Hidden>,
  fence: Fence,
): string {
  const numbers = [...lines.keys()].sort((a, b) => a - b)
  const width = String(numbers.at(-1) ?? 0).length
  const text: string[] = []
  let above = 0
  let gap: { first: number; how: Hidden } | null = null
  for (const line of [...numbers, null]) {
    const how = line === null ? undefined : hidden.get(line)
    const follows = line === above + 1
    const goesOn: boolean = follows && gap !== null && how !== undefined && isAlike(gap.how, how)
    if (gap && !goesOn) text.push(hiddenText(gap.first, above, gap.how))
    else if (!gap && !follows && !how && line !== null && text.length > 0) text.push('…')
    if (line === null) break
    if (!how) text.push(`${String(line).padStart(width)}| ${lines.get(line)}`)
    if (!goesOn) gap = how ? { first: line, how } : null
    above = line
  }
  for (const item of items) {
    const last = linesIn(item)?.at(-1)?.[0] ?? 0
    const end = item.endLine ?? last
    if (last < end && !lines.has(end)) text.push(`… ${rangeText(last + 1, end)}: left out, too long`)
  }
  // What was merely read says so by its lines.
  const titles = [...new Set(items.map(({ title }) => title))]
    .filter((title) => title !== `read ${path}`)
    .join('; ')
  const shownTitles = titles.length > longestTitles ? `${titles.slice(0, longestTitles)}…` : titles
  const [first, ...more] = items
  const place = more.length === 0 && first ? `:${placeIn(first)}` : ''
  const before = side === 'old' ? ' before the change' : ''
  return `${first?.id}:\n${fence.render(new Untrusted(`${path}${place}${before}${shownTitles === '' ? '' : `: ${shownTitles}`}`, text.join('\n')))}`
}

function isAlike(a: Hidden, b: Hidden): boolean {
  return a.isAbove ? b.isAbove : !b.isAbove && a.movedBy === b.movedBy
}

/** `12-40`. */
function placeIn({ startLine, endLine }: Evidence): string {
  return rangeText(startLine ?? 1, endLine ?? startLine ?? 1)
}

function rangeText(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`
}

/** Where a question shows this item: `src/a.ts:12-40`, or its number. */
export function placeOf(item: Evidence): string {
  return item.path !== null && linesIn(item) ? `${item.path}:${placeIn(item)}` : item.id
}

function renderText(item: Evidence, fence: Fence): string {
  const place = item.path === null ? '' : ` in ${item.path}`
  return `${item.id}:\n${fence.render(new Untrusted(`${item.title}${place}`, cutText(item)))}`
}

/** What tools say in a line or two, as marks of what they cut. One text holds all of them, so that none is cut itself. */
function renderRemarks(items: readonly Evidence[], fence: Fence): string {
  const lines = items.map(({ id, title, text }) => `${id} ${visibleLine(title)}: ${text}`)
  return `Answers of tools in a few words; a mark in brackets says what is missing in the code above:\n${fence.render(new Untrusted('answers of tools', lines.join('\n')))}`
}

function isRemark({ source, path, title, text }: Evidence): boolean {
  return source === 'tool' && path === null && title.length + text.length <= longestRemark
}

function cutText({ text }: EvidenceDraft): string {
  const whole = text.replaceAll('\r\n', '\n')
  return whole.length > longestItem ? `${whole.slice(0, longestItem)}\n(cut)` : whole
}

/** Null for an item that is no range of lines of a file as it is. */
function linesIn(item: EvidenceDraft): [line: number, text: string][] | null {
  const { source, path, startLine, endLine } = item
  if (path === null || startLine === null || (source !== 'file' && source !== 'diff')) return null
  const all = item.text.replaceAll('\r\n', '\n').split('\n')
  if (all.length === (endLine ?? startLine) - startLine + 2 && all.at(-1) === '') all.pop()
  if (all.length !== (endLine ?? startLine) - startLine + 1) return null
  let room = longestItem
  const kept: [number, string][] = []
  for (const [at, line] of all.entries()) {
    const text = cutLine(line)
    room -= text.length
    if (room < 0) break
    kept.push([startLine + at, text])
  }
  return kept
}

function fileKey(side: Evidence['side'], path: string): string {
  return `${side === 'old' ? 'old' : 'new'} ${path}`
}
