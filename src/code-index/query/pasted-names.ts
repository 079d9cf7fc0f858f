/** Names that a macro of C makes of parts (`uv_##name##_init`): no text has them as a word where they are used or defined. */
import type { CodeTree, UnresolvedUse } from './contract.ts'

/** Files that mention a part are read up to so many. */
const mostFiles = 100

/** Where a macro may paste this name together; null when no part of it is pasted. */
export async function pastingOf(tree: CodeTree, name: string): Promise<UnresolvedUse | null> {
  const parts = partsOf(name)
  const mentioned = await tree.mentions([...parts.keys()])
  for (const [part, paths] of mentioned) {
    const sources = paths
      .filter((path) => /\.(?:[chm]|cc|cpp|cxx|hh|hpp|hxx|inl|mm)$/i.test(path))
      .slice(0, mostFiles)
    const isPasted =
      parts.get(part) === 'front'
        ? new RegExp(`(?:^|[^\\w$])${part}\\s{0,8}##`)
        : new RegExp(`##\\s{0,8}${part}(?![\\w$])`)
    for (const [path, text] of await tree.world.texts(sources)) {
      if (!text.includes('##')) continue
      const lines = text.split('\n')
      const at = lines.findIndex((line) => line.includes('##') && isPasted.test(line))
      if (at < 0) continue
      const why = `a macro may make \`${name}\` of parts`
      return { path, line: at + 1, role: 'read', text: lines[at]?.trim().slice(0, 200) ?? '', why }
    }
  }
  return null
}

/** `uv__udp_send` → `uv__`, `uv__udp_` at its front and `_udp_send`, `_send` at its back; longer ones last. */
function partsOf(name: string): Map<string, 'front' | 'back'> {
  const parts = new Map<string, 'front' | 'back'>()
  if (!/^\w{3,100}$/.test(name)) return parts
  for (const { index, 0: gap } of name.matchAll(/_+/g)) {
    const end = index + gap.length
    for (const front of [name.slice(0, index), name.slice(0, end)])
      if (front !== '') parts.set(front, 'front')
    for (const back of [name.slice(index), name.slice(end)]) if (back !== '') parts.set(back, 'back')
  }
  return parts
}
