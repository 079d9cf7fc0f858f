/**
 * The context chain: the definition around each changed place, whole or, when it is long, the lines that decide. It
 * becomes numbered evidence, so that a model can cite it and validation can check the quote.
 */
import { decidingSpans } from '../../code-index/chunks/deciding-spans.ts'
import type { FileChange, Hunk } from '../../domain/change-set.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import type { FileText } from '../../domain/snapshot.ts'
import type { CodeSides } from '../stage-input.ts'

const containers: ReadonlySet<string> = new Set([
  'function',
  'method',
  'class',
  'interface',
  'struct',
  'enum',
  'impl',
  'macro',
  'type',
])

/** Values hold code too: an object of functions, a table, a test suite. */
const values: ReadonlySet<string> = new Set(['constant', 'variable', 'field'])

type DefinitionsInput = Pick<CodeSides, 'head' | 'facts'> & { files: readonly FileChange[]; maxBytes: number }

/** By path, in the order of the lines; `cut` counts what no longer fits into the budget. */
export async function gatherDefinitions({
  files,
  head,
  facts,
  maxBytes,
}: DefinitionsInput): Promise<{ byPath: Map<string, EvidenceDraft[]>; cut: number }> {
  // A test is told by its diff; what it tests is what matters around it.
  const wanted = files.filter(
    ({ newBlob, hunks, role }) => newBlob !== null && hunks.length > 0 && role !== 'test',
  )
  const texts = await head.readMany(wanted.map(({ path }) => path))
  const known = await facts.facts([...texts].map(([path, { blob, text }]) => ({ path, blob, text })))
  const byPath = new Map<string, EvidenceDraft[]>()
  let room = maxBytes
  let cut = 0
  for (const file of wanted) {
    const text = texts.get(file.path)
    const symbols = known.get(file.path)?.symbols ?? []
    if (!text || symbols.length === 0) continue
    const kept: EvidenceDraft[] = []
    for (const range of rangesOf(file.hunks, symbols, text.text.split('\n'))) {
      const item = describe(file, text, range)
      const bytes = Buffer.byteLength(item.text)
      if (bytes > room) cut += 1
      else {
        room -= bytes
        kept.push(item)
      }
    }
    if (kept.length > 0) byPath.set(file.path, kept)
  }
  return { byPath, cut }
}

type Range = { from: number; to: number; symbol: CodeSymbol }

/** Sorted, each once, without those that one hunk shows whole. */
function rangesOf(hunks: readonly Hunk[], symbols: readonly CodeSymbol[], lines: readonly string[]): Range[] {
  const focused = new Map<CodeSymbol, number[]>()
  for (const hunk of hunks) {
    const changed = changedRange(hunk)
    const symbol = changed && innermost(symbols, changed)
    if (changed && symbol) focused.set(symbol, [...(focused.get(symbol) ?? []), changed.from, changed.to])
  }
  const ranges = [...focused].flatMap(([symbol, focus]) =>
    decidingSpans(lines, symbol, focus).map(({ startLine, endLine }) => ({
      from: startLine,
      to: endLine,
      symbol,
    })),
  )
  const isShown = ({ from, to }: Range) =>
    hunks.some(({ newStart, newLines }) => newStart <= from && to < newStart + newLines)
  return ranges.filter((range) => !isShown(range)).sort((a, b) => a.from - b.from || a.to - b.to)
}

/** At the head; where lines were removed and none came in their place, the line above the gap. */
function changedRange({ lines }: Hunk): { from: number; to: number } | null {
  const numbers: number[] = []
  let above: number | null = null
  let gap: number | null = null
  for (const line of lines) {
    if (line.kind === 'removed') gap = above
    else if (line.kind === 'added') gap = null
    else if (gap !== null) {
      numbers.push(gap)
      gap = null
    }
    if (line.kind === 'added' && line.new !== null) numbers.push(line.new)
    above = line.new ?? above
  }
  if (gap !== null) numbers.push(gap)
  return numbers.length === 0 ? null : { from: Math.min(...numbers), to: Math.max(...numbers) }
}

function innermost(
  symbols: readonly CodeSymbol[],
  { from, to }: { from: number; to: number },
): CodeSymbol | null {
  let best: CodeSymbol | null = null
  for (const symbol of symbols) {
    if (symbol.startLine > from || symbol.endLine < to || !isContainer(symbol)) continue
    if (!best || symbol.endLine - symbol.startLine <= best.endLine - best.startLine) best = symbol
  }
  return best
}

function isContainer({ kind, startLine, endLine }: CodeSymbol): boolean {
  return containers.has(kind) || (values.has(kind) && endLine > startLine)
}

function describe(file: FileChange, { text, blob }: FileText, { from, to, symbol }: Range): EvidenceDraft {
  const lines = text.split('\n').slice(from - 1, to)
  return {
    source: 'file',
    trust: 'foreign',
    title: `the ${symbol.kind} \`${symbol.name}\` around a changed line`,
    path: file.path,
    blob,
    side: 'new',
    startLine: from,
    endLine: to,
    text: lines.map((line) => line.replace(/\r$/, '')).join('\n'),
  }
}
