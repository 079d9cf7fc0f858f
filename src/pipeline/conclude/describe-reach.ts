/**
 * Whom a change may affect, where no code was collected around it: by resolved uses where they were looked for, and else by
 * files that name what changed. A name is not yet a use, and the words say which of the two it is.
 */
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { SymbolTests } from '../../domain/review-context.ts'
import type { SymbolReach } from '../../domain/symbol-reach.ts'
import { nameOf } from './key-changes.ts'
import { code, count } from './words.ts'

export function keyOf({ path, symbol }: Pick<SymbolTests, 'path' | 'symbol'>): string {
  return `${path}\0${symbol}`
}

/** One phrase for each changed definition that is used elsewhere, those with most users first. */
export function describeReach(
  symbols: readonly SymbolChange[],
  reach: readonly SymbolReach[],
  tests: readonly SymbolTests[],
): string[] {
  const names = new Map(
    symbols.flatMap(({ after }) =>
      after ? [[`${after.path}:${after.symbol.nameLine}`, nameOf(after.symbol)] as const] : [],
    ),
  )
  const used = reach.flatMap((one) => {
    const name = names.get(`${one.path}:${one.nameLine}`)
    return name && one.direct + one.further > 0
      ? [{ users: one.direct + one.further, words: `${name} ${usesOf(one)}` }]
      : []
  })
  // A name that always means something else is no hint, even if not every file was searched.
  const settled = new Set(reach.filter((one) => one.files.length > 0 || one.unresolved === 0).map(keyOf))
  const named = tests.flatMap((entry) => {
    const { symbol, users = [] } = entry
    if (users.length === 0 || settled.has(keyOf(entry))) return []
    const where = users.length === 1 ? code(users[0] ?? '') : count(users.length, 'file')
    return [{ users: users.length, words: `${code(symbol)} is named in ${where}` }]
  })
  return [used, named].flatMap((some) => some.sort((a, b) => b.users - a.users).map(({ words }) => words))
}

/** `is used in 3 places and, through them, in at least 9 more (`src/shop.ts` and 4 more files)`. */
function usesOf(one: SymbolReach): string {
  const { direct, further, files } = one
  const least = isSettled(one) ? '' : 'at least '
  const [first = ''] = files
  const where = `${code(first)}${files.length > 1 ? ` and ${count(files.length - 1, 'more file')}` : ''}`
  const how =
    direct === 0
      ? `is used through others in ${least}${count(further, 'place')}`
      : further === 0
        ? `is used in ${least}${count(direct, 'place')}`
        : `is used in ${least}${count(direct, 'place')} and, through ${direct === 1 ? 'it' : 'them'}, in ${further} more`
  return `${how} (${where})`
}

/** Every use was searched for, and the meaning of each is known. */
function isSettled({ isWhole, unresolved }: SymbolReach): boolean {
  return isWhole && unresolved === 0
}

/** Changed definitions without a test: none that resolves to them, or, where that is not known, none that names them. */
export function untestedAmong(
  tests: readonly SymbolTests[],
  reach: readonly SymbolReach[],
): { unused: string[]; unnamed: string[] } {
  const known = new Map(reach.map((one) => [keyOf(one), one]))
  const [unused, unnamed] = [new Set<string>(), new Set<string>()]
  for (const entry of tests) {
    const one = known.get(keyOf(entry))
    if (one && one.tests.length > 0) continue
    if (one && isSettled(one)) unused.add(entry.symbol)
    else if (entry.tests.length === 0) unnamed.add(entry.symbol)
  }
  return { unused: [...unused], unnamed: [...unnamed] }
}
