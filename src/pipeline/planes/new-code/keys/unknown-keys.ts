/**
 * Keys in new code that no registry of the repository declares: environment variables, translations, names of routes.
 * Nothing is read unless the change uses such a key, and nothing is said without a registry.
 */
import type { World } from '../../../../code-index/resolve/contract.ts'
import { type AddedText, addedText } from '../../changed-lines.ts'
import type { FileKinds } from '../../contract/repo-search.ts'
import type { PlaneInput } from '../../contract.ts'
import type { Misuse } from '../misuse.ts'
import type { KeyFamily, KeyUse } from './contract.ts'
import { environment } from './environment.ts'
import { routes } from './routes.ts'
import { translations } from './translations.ts'

const families: readonly KeyFamily[] = [environment, translations, routes]

const longestLine = 1_000
const mostRegistries = 80
const mostUses = 400

export async function unknownKeys(
  { context, base, head }: Pick<PlaneInput, 'context' | 'base' | 'head'>,
  world: World,
  kinds: FileKinds,
): Promise<Misuse[]> {
  const texts = addedText(context.change).filter(
    ({ file: { path, role } }) => role === 'source' && !kinds.isForeign(path) && !kinds.isTest(path),
  )
  const found: Misuse[] = []
  for (const family of families) {
    // Few repositories have any, and a change may have a hundred thousand lines.
    const paths = (await head.list()).flatMap(({ path }) => (family.isRegistry(path) ? [path] : []))
    if (paths.length === 0 || paths.length > mostRegistries) continue
    const uses = usesOf(family, texts)
    if (uses.length === 0) continue
    const registries = [...(await world.texts(paths))].map(([path, text]) => ({ path, text }))
    if (registries.length === 0) continue
    for (const use of uses) {
      const judged = await family.judge(use, registries, { base, head })
      if (!judged) continue
      const { file, line, text } = use
      found.push({
        rule: family.rule,
        certain: false,
        ...judged,
        file,
        line,
        endLine: line,
        claims: [{ kind: 'line-contains', side: 'new', text: text.trim(), path: file.path, line }],
      })
    }
  }
  return found
}

/** Each key once for each file, without those that the change only moves. */
function usesOf(family: KeyFamily, texts: readonly AddedText[]): KeyUse[] {
  const removed = new Set(
    texts.flatMap(({ file }) =>
      file.hunks.flatMap(({ lines }) =>
        lines.flatMap(({ kind, text }) => (kind === 'removed' ? keysOf(family, text) : [])),
      ),
    ),
  )
  const uses = new Map<string, KeyUse>()
  for (const { file, lines } of texts)
    for (const { text, new: line } of lines)
      for (const key of keysOf(family, text)) {
        const id = `${file.path}\n${key}`
        if (!removed.has(key) && !uses.has(id)) uses.set(id, { key, file, line, text })
      }
  return [...uses.values()].slice(0, mostUses)
}

function keysOf(family: KeyFamily, text: string): string[] {
  const isComment = /^\s*(?:\/\/|\*|\/\*|#)/.test(text)
  return isComment || text.length > longestLine ? [] : family.usesIn(text)
}
