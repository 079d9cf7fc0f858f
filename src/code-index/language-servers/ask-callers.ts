/** Callers from references: each use belongs to the innermost definition that the server lists around it. */
import type { Location, ServerAnswer, ServerCaller, ServerSymbol } from './contract.ts'
import { symbolAround } from './locations.ts'

type Answer<Found> = Omit<ServerAnswer<Found>, 'source'>

/** Files whose symbols are asked for; uses in further ones count for the top level of their file. */
const mostFiles = 200

/** In order of path and line. Incomplete when either part is. Throws what the two questions throw. */
export async function askCallers(
  references: () => Promise<Answer<Location>>,
  symbols: (path: string) => Promise<Answer<ServerSymbol>>,
): Promise<Answer<ServerCaller>> {
  const { found: uses, ...rest } = await references()
  const found: ServerCaller[] = []
  let { state, why } = rest
  let files = 0
  for (const [path, all] of Map.groupBy(uses, (use) => use.path)) {
    const isPast = ++files > mostFiles
    const listed = isPast ? null : await symbols(path)
    if (isPast || listed?.state === 'incomplete') {
      state = 'incomplete'
      why ??= isPast ? `it is used in more than ${mostFiles} files` : (listed?.why ?? null)
    }
    const around = Map.groupBy(all, (use) => symbolAround(listed?.found ?? [], use))
    for (const [symbol, own] of around) found.push({ path, symbol, uses: own })
  }
  return { ...rest, state, why, found: found.sort(byPlace) }
}

function byPlace(a: ServerCaller, b: ServerCaller): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return (a.symbol?.line ?? 0) - (b.symbol?.line ?? 0)
}
