/** Go types say nowhere what they implement: told by their method sets, and for certain by `var _ I = T{}`. */

import type { Definition } from '../../../code-index/resolve/contract.ts'
import { go } from '../../../code-index/resolve/languages/go.ts'
import { symbolOf, symbolsIn, typeMember } from '../../../code-index/resolve/symbols.ts'
import type { Scene } from './scene.ts'

export type Lacking = { path: string; line: number; name: string; certain: boolean }

/** A type that has this many of an interface's methods, and all of them, stands for it. */
const enoughMethods = 3
const mostFiles = 300

export async function goImplementers(
  scene: Scene,
  container: Definition,
  gained: string,
): Promise<Lacking[]> {
  const { name: wanted, kind } = symbolOf(container)
  if (kind !== 'interface') return []
  const { facts, index } = container
  const others = facts.symbols.filter(
    (symbol, at) => facts.parents[at] === index && symbol.kind === 'method' && symbol.name !== gained,
  )
  const [first] = others.toSorted((a, b) => b.name.length - a.name.length)
  if (!first) return []
  const files = (await scene.headSnapshot.filesWithWords([first.name])).get(first.name) ?? []
  const known = await scene.head.factsOf(
    files.filter((path) => path.endsWith('.go') && !scene.kinds.isForeign(path)).slice(0, mostFiles),
  )
  const found: Lacking[] = []
  for (const [path, own] of known) {
    const owners = new Set(
      own.symbols.flatMap(({ name, kind: what, scope }) =>
        name === first.name && what === 'method' ? [scope] : [],
      ),
    )
    for (const owner of owners) {
      const type = symbolsIn(path, own, '', owner)[0]
      if (!type || symbolOf(type).kind === 'interface') continue
      const has = async (name: string): Promise<boolean | null> => {
        const meaning = await typeMember(go, scene.head, [type], name, true)
        return meaning.kind === 'unknown' ? null : meaning.kind === 'defined'
      }
      if ((await has(gained)) !== false) continue
      const all = await Promise.all(others.map(({ name }) => has(name)))
      if (!all.every((answer) => answer === true)) continue
      const line = await assertion(scene, path, owner, wanted)
      if (line !== null) found.push({ path, line, name: owner, certain: true })
      else if (others.length >= enoughMethods)
        found.push({ path, line: symbolOf(type).nameLine, name: owner, certain: false })
    }
  }
  return found
}

/** The line of `var _ I = (*T)(nil)`, `var _ pkg.I = T{}` or `&T{}`. */
async function assertion(
  { head }: Scene,
  path: string,
  type: string,
  wanted: string,
): Promise<number | null> {
  const lines = ((await head.text(path)) ?? '').split('\n')
  const pattern = new RegExp(`\\b_\\s+(?:\\w+\\.)?${wanted}\\s*=\\s*[(&*]*${type}\\b`)
  const at = lines.findIndex((line) => line.length < 300 && pattern.test(line))
  return at < 0 ? null : at + 1
}
