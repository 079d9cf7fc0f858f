/** What a model is shown of one changed file: its diff, its symbols, what checks found in it, and its tests. */
import { taggedLines } from '../../../agent/diff-text.ts'
import { takeWithin } from '../../../agent/evidence-views.ts'
import { count } from '../../../base/count.ts'
import { bytesOfLines, linesWithin } from '../../../base/line-bytes.ts'
import { type Fence, Untrusted } from '../../../base/untrusted/untrusted.ts'
import type { DiffLine, FileChange, Hunk } from '../../../domain/change-set.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import type { Evidence } from '../../../domain/evidence.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { formatFileTag } from '../../../domain/line-tag.ts'
import type { ReviewContext, SymbolTests } from '../../../domain/review-context.ts'
import { type HunkView, linesOfView, viewHunk } from './hunk-view.ts'

const most = 40

const mostLines = 60
const longestSignature = 240

export type FileBlock = {
  file: FileChange
  text: string
  /** Lines of the diff that the text holds. */
  shown: readonly DiffLine[]
  /** What belongs to it besides, as far as it fits; not part of the text. */
  evidence: readonly Evidence[]
  /** Of both. */
  bytes: number
  /** Why not all of the diff is in the text; null when all is. */
  cut: string | null
}

export type BlockParts = {
  context: ReviewContext
  /** Of this file only. */
  candidates: readonly Candidate[]
  /** The definitions around its changed lines. */
  chain: readonly Evidence[]
  fence: Fence
  /** Of these only what changed is shown. */
  routine?: ReadonlySet<Hunk>
  /** The block is no longer than this, but for a little around the diff. */
  maxBytes: number
}

export function renderFileBlock(file: FileChange, parts: BlockParts): FileBlock {
  const { context, candidates, chain, fence, routine = new Set(), maxBytes } = parts
  const { text: diff, views } = renderDiff(file, routine, maxBytes)
  const shown = views.flatMap(linesOfView)
  const symbols = context.symbols.filter(({ before, after }) => (after ?? before)?.path === file.path)
  const tests = context.tests.filter(({ path }) => path === file.path)
  const cited = new Set(candidates.flatMap((candidate) => candidate.evidence.map(({ evidence }) => evidence)))
  const sections = [fence.render(new Untrusted(`diff of ${file.path}`, diff))]
  let room = maxBytes - Buffer.byteLength(diff)
  const add = (heading: string, origin: string, lines: readonly string[]): void => {
    if (lines.length === 0) return
    const text = fence.render(new Untrusted(`${origin} ${file.path}`, lines.join('\n')))
    const size = Buffer.byteLength(text)
    if (size > room) return
    room -= size
    sections.push(`${heading}\n${text}`)
  }
  add('Symbols that changed:', 'symbols of', symbolLines(symbols, file, shown))
  add('Already found by deterministic checks:', 'findings on', knownFindingLines(candidates))
  const own = [...context.evidence.filter(({ id }) => cited.has(id)), ...chain]
  const { taken: evidence, bytes: evidenceBytes } = takeWithin(own, room)
  room -= evidenceBytes
  add('Tests that use the changed symbols:', 'tests of', testLines(tests))
  const text = sections.join('\n\n')
  const missing = file.hunks.length - views.length
  return {
    file,
    text,
    shown,
    evidence,
    bytes: Buffer.byteLength(text) + evidenceBytes,
    cut:
      missing > 0
        ? `a model saw ${views.length} of ${count(file.hunks.length, 'hunk')}; the rest is too long`
        : file.omitted,
  }
}

type RenderedDiff = {
  text: string
  /** Of the hunks that fit, from the top. */
  views: readonly HunkView[]
}

/** Whole hunks from the top, as long as they fit into so many bytes; of a first hunk that alone is too long, its head. */
function renderDiff(file: FileChange, routine: ReadonlySet<Hunk>, maxBytes: number): RenderedDiff {
  const parts = [headline(file)]
  let bytes = Buffer.byteLength(parts[0] ?? '')
  const views: HunkView[] = []
  for (const hunk of file.hunks) {
    const view = viewHunk(hunk, file, routine.has(hunk))
    const lines = renderHunk(hunk, view)
    const size = bytesOfLines(lines)
    if (bytes + size > maxBytes) {
      if (views.length === 0) parts.push(...linesWithin(lines, maxBytes - bytes))
      break
    }
    parts.push(...lines)
    bytes += size
    views.push(view)
  }
  const missing = file.hunks.length - views.length
  if (missing > 0)
    parts.push(
      `(${missing} of ${count(file.hunks.length, 'hunk')} ${missing === 1 ? 'is' : 'are'} not shown in full: too long)`,
    )
  return { text: parts.join('\n'), views }
}

function headline(file: FileChange): string {
  const from = file.oldPath === null ? '' : ` (${file.status} from ${file.oldPath})`
  const kind = file.kind === 'text' ? '' : `, ${file.kind}`
  return `file ${file.path}${from}: ${file.status}${kind}, ${file.role}, +${file.added} -${file.removed}; as a whole it is [${formatFileTag(file.path)}]`
}

/** As git writes it behind the last line. */
const noLineFeed = '\\ No newline at end of file'

function renderHunk({ oldStart, oldLines, newStart, newLines, section }: Hunk, view: HunkView): string[] {
  const at = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@ ${section}`.trimEnd()
  const texts = taggedLines(linesOfView(view))
  let next = 0
  const shown = view.parts.flatMap((part) =>
    typeof part === 'string'
      ? [part]
      : [texts[next++] ?? '', ...(part.noNewline === true ? [noLineFeed] : [])],
  )
  return [view.note === null ? at : `${at} (${view.note})`, ...shown]
}

function knownFindingLines(candidates: readonly Candidate[]): string[] {
  const lines = candidates.slice(0, most).map(({ id, rule, severity, anchor, title, evidence }) => {
    const cited = evidence.slice(0, 6).map(({ evidence: number }) => number)
    return `${id} ${severity} ${rule} at ${anchor.path} ${anchor.tags.slice(0, 3).join(' ')}: ${title}${cited.length > 0 ? ` (${cited.join(', ')})` : ''}`
  })
  return candidates.length > most ? [...lines, `(and ${candidates.length - most} more)`] : lines
}

/** `renamed: function parse (line 4): before `…`, after `…``; what the diff shows is not said again. */
function symbolLines(
  changes: readonly SymbolChange[],
  { path, oldPath }: FileChange,
  lines: readonly DiffLine[],
): string[] {
  const [before, after] = [new Set(lines.map((line) => line.old)), new Set(lines.map((line) => line.new))]
  const told = changes.flatMap((change) => {
    const { before: was, after: is } = change
    const isShown =
      (!was || ((was.path === path || was.path === oldPath) && before.has(was.symbol.startLine))) &&
      (!is || after.has(is.symbol.startLine))
    return isInDiff(change, isShown) ? [] : [describe(change, isShown)]
  })
  return told.length > mostLines
    ? [...told.slice(0, mostLines), `(and ${told.length - mostLines} more)`]
    : told
}

/** A body that changed is in the diff, and so is a new test, and a signature where the diff has its first line. */
function isInDiff({ kind, after }: SymbolChange, isShown: boolean): boolean {
  return (
    kind === 'body-changed' ||
    (kind === 'signature-changed' && isShown) ||
    (kind === 'added' && (after?.symbol.isTest ?? false))
  )
}

function describe({ kind, before, after, bodyChanged }: SymbolChange, isShown: boolean): string {
  const side = after ?? before
  if (!side) return kind
  const name = [side.symbol.scope, side.symbol.name].filter((part) => part !== '').join('.')
  const [was, is] = [before, after].map((one) => one && cut(one.symbol.signature.text))
  const signatures = isShown
    ? ''
    : was && is && was !== is
      ? `: before \`${was}\`, after \`${is}\``
      : kind === 'removed'
        ? `: was \`${was}\``
        : ''
  const moved = before && after && before.path !== after.path ? `, from ${before.path}` : ''
  const body = bodyChanged && kind !== 'body-changed' ? ', body changed too' : ''
  return `${kind}: ${side.symbol.kind} ${name} (line ${side.symbol.startLine}${moved}${body})${signatures}`
}

function cut(text: string): string {
  return text.length > longestSignature ? `${text.slice(0, longestSignature)}…` : text
}

/** `parse, Store.load: test/a.test.ts (changed too), test/b.test.ts`: symbols with the same tests in one line. */
function testLines(tests: readonly SymbolTests[]): string[] {
  const byFiles = Map.groupBy(tests, ({ tests: all }) => {
    const files = all.slice(0, 8).map(({ path, changed }) => `${path}${changed ? ' (changed too)' : ''}`)
    const more = all.length > files.length ? `, and ${all.length - files.length} more` : ''
    return files.length === 0 ? 'no test names it' : files.join(', ') + more
  })
  return [...byFiles]
    .slice(0, mostLines)
    .map(([files, same]) => `${same.map(({ symbol }) => symbol).join(', ')}: ${files}`)
}
