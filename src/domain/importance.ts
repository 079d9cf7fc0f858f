/** Which symbol changes and files come first for a reader: a fixed table of weights. */
import { compareText } from '../base/compare-text.ts'
import type { FileChange } from './change-set.ts'
import { isInsideTest, type SymbolChange } from './code-symbol.ts'

/** A removed symbol or a changed signature weighs most, since others may depend on it; a changed body weighs least. */
const kindWeight: Record<SymbolChange['kind'], number> = {
  removed: 60,
  'signature-changed': 50,
  renamed: 45,
  moved: 30,
  added: 25,
  'body-changed': 10,
}

const visibilityWeight = { exported: 40, internal: 15, private: 0 } as const

const roleWeight: Record<FileChange['role'], number> = {
  source: 30,
  config: 15,
  test: 10,
  docs: 8,
  data: 5,
  vendored: 2,
  lock: 1,
  generated: 1,
  minified: 1,
  excluded: 0,
}

export function weighSymbolChange({ kind, before, after }: SymbolChange): number {
  const symbol = after?.symbol ?? before?.symbol
  if (!symbol) return 0
  const seen = Math.max(
    ...[before, after].map((side) => (side ? visibilityWeight[side.symbol.visibility] : 0)),
  )
  const depth = symbol.scope === '' ? 5 : 0
  if (isInsideTest(symbol) && !symbol.isTest) return 0
  return symbol.isTest ? 1 : kindWeight[kind] + seen + depth
}

/** The file that a symbol change belongs to: where the symbol is now, or was. */
export function pathOf({ before, after }: SymbolChange): string {
  return after?.path ?? before?.path ?? ''
}

/** Heaviest first; ties by path, then line. */
export function rankSymbolChanges(changes: readonly SymbolChange[]): SymbolChange[] {
  const lineOf = ({ before, after }: SymbolChange) => (after ?? before)?.symbol.startLine ?? 0
  return [...changes].sort(
    (a, b) =>
      weighSymbolChange(b) - weighSymbolChange(a) ||
      compareText(pathOf(a), pathOf(b)) ||
      lineOf(a) - lineOf(b),
  )
}

/** Role, the heaviest symbol change in it, findings, and size on a logarithmic scale; ties by path. */
export function rankFiles(
  files: readonly FileChange[],
  changes: readonly SymbolChange[],
  findingPaths: readonly string[],
): FileChange[] {
  const heaviest = new Map<string, number>()
  for (const change of changes) {
    const path = pathOf(change)
    heaviest.set(path, Math.max(heaviest.get(path) ?? 0, weighSymbolChange(change)))
  }
  const found = new Set(findingPaths)
  const weights = new Map(
    files.map((file) => [
      file,
      roleWeight[file.role] +
        (heaviest.get(file.path) ?? 0) +
        (found.has(file.path) ? 100 : 0) +
        Math.floor(Math.log2(1 + file.added + file.removed)),
    ]),
  )
  return [...files].sort(
    (a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0) || compareText(a.path, b.path),
  )
}
