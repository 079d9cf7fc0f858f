/** Definitions of a name by the index, each checked against what the language server lists in that file. */
import type { CodeTree } from '../../query/contract.ts'
import { findDefinitions } from '../../query/definitions.ts'
import type { LanguageServers, ServerSymbol } from '../contract.ts'
import type { ServedDefinitions, ServerPart } from './contract.ts'

export async function serveDefinitions(
  tree: CodeTree,
  name: string,
  servers: LanguageServers,
): Promise<ServedDefinitions> {
  const index = await findDefinitions(tree, name)
  const word = name.split(/\.|::|#/).at(-1) ?? name
  const parts: ServerPart[] = []
  const definitions: ServedDefinitions['definitions'] = []
  const others: ServedDefinitions['others'] = []
  const listed = new Map<string, readonly ServerSymbol[]>()
  for (const site of index.definitions) {
    if (!listed.has(site.path)) {
      const { found, ...part } = await servers.symbols(site.path)
      parts.push(part)
      listed.set(site.path, part.state === 'silent' ? [] : found)
    }
    const isListed = listed.get(site.path)?.some((one) => isNamed(one, site.name) && one.line === site.line)
    const source = parts.at(-1)?.source
    definitions.push({ ...site, sources: isListed && source ? ['index', source] : ['index'] })
  }
  // A name with its scope is not searched for: servers know scopes by other words.
  const languages = word === name ? [...new Set(index.definitions.map(({ language }) => language))] : []
  for (const language of languages) {
    const { found, source } = await servers.symbolsNamed(word, language)
    for (const { path, line, scope } of found) {
      const isKnown = index.definitions.some((site) => site.path === path && site.line === line)
      if (!isKnown && source !== null) others.push({ path, line, name: word, scope, sources: [source] })
    }
  }
  return { ...index, definitions, others, server: worst(parts) }
}

/** `Order.total` and `(*Order).Total`: some servers put the type before the name, or arguments of a template behind it. */
export function isNamed({ name }: Pick<ServerSymbol, 'name'>, wanted: string): boolean {
  const own = name.replace(/\(\)$/, '').replace(/(?<=\w)<.*$/s, '')
  return own === wanted || own.endsWith(`.${wanted}`) || own.endsWith(`::${wanted}`)
}

function worst(parts: readonly ServerPart[]): ServerPart {
  const none: ServerPart = { source: null, state: 'silent', why: 'there was no file to ask about' }
  const order = ['silent', 'incomplete', 'complete']
  const [first] = parts.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  return first ? { source: first.source, state: first.state, why: first.why } : none
}
