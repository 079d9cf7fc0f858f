/**
 * References, callers and definitions by a language server and the index together. What both say is kept, and what only one
 * says is marked as such; what the server takes for something else is left out. Without a server the index answers alone.
 */
import { count } from '../../../base/count.ts'
import type { FileFacts } from '../../contract.ts'
import { callerKey, gatherCallers, whyNoCaller } from '../../query/callers.ts'
import { confidenceOf } from '../../query/classify.ts'
import type {
  Caller,
  CallersAnswer,
  CodeTree,
  DefinitionsAnswer,
  ReferenceEdge,
  ReferencesAnswer,
  SymbolSite,
  UnresolvedUse,
} from '../../query/contract.ts'
import { findDefinitions, quotedLine, siteAt } from '../../query/definitions.ts'
import { doubtIn, findReferences } from '../../query/references.ts'
import { usedAs } from '../../query/target-names.ts'
import type { Definition } from '../../resolve/contract.ts'
import { symbolOf } from '../../resolve/symbols.ts'
import type { AnswerState, LanguageServers, Location, ServerSymbol } from '../contract.ts'
import { isSamePlace, judgeEdge, key, namePlace, ownLines } from './judge-edge.ts'

/** `index`, or the server with its version. In this order when both say so. */
type Sources = { sources: string[] }

type SourcedEdge = ReferenceEdge & Sources

/** The server's part in an answer. */
export type ServerPart = {
  source: string | null
  state: AnswerState
  /** Why the answer is not complete; null when it is. */
  why: string | null
}

export type ServedReferences = Omit<ReferencesAnswer, 'references'> & {
  references: SourcedEdge[]
  server: ServerPart
}

export type ServedCallers = Omit<CallersAnswer, 'callers'> & {
  callers: (Caller & Sources)[]
  server: ServerPart
}

export type ServedDefinitions = Omit<DefinitionsAnswer, 'definitions'> & {
  definitions: (SymbolSite & Sources)[]
  /** Found by the server alone, which tells no more of them. */
  others: ({ path: string; line: number; name: string; scope: string } & Sources)[]
  server: ServerPart
}

/** Edges of the index alone that the server is asked about one by one. */
const mostJudged = 100

export async function serveReferences(
  tree: CodeTree,
  target: Definition,
  servers: LanguageServers,
): Promise<ServedReferences> {
  const index = await findReferences(tree, target)
  const text = await tree.world.text(target.path)
  const place = text === null ? null : namePlace(target, text)
  if (!place) return ofIndex(index, { source: null, state: 'silent', why: 'its name is not on its line' })
  const answer = await servers.references(place)
  const { source, state, why, found } = answer
  const server: ServerPart = { source, state, why }
  if (state === 'silent' || source === null) return ofIndex(index, server)

  const own = await ownLines(servers, target, place)
  const uses = found.filter((location) => !own.has(key(location.path, location.line)) || isCall(location))
  const references: SourcedEdge[] = []
  const vouched = confidenceOf('language server', state === 'complete' ? 'certain' : 'likely')
  const refuted: UnresolvedUse[] = []
  const unjudged: ReferenceEdge[] = []
  let judged = 0
  for (const edge of index.references) {
    const isKnown = uses.some((location) => isSamePlace(edge, location))
    if (!isKnown && ++judged > mostJudged) unjudged.push(edge)
    const says =
      isKnown || judged > mostJudged ? null : await judgeEdge(servers, tree, edge, namesOf(target), own)
    if (says?.kind === 'other') refuted.push(refutedUse(edge, source, says))
    else if (isKnown || says?.kind === 'same')
      references.push({ ...edge, confidence: Math.max(edge.confidence, vouched), sources: ['index', source] })
    else references.push({ ...edge, sources: ['index'] })
  }
  const more = uses.filter((location) => !index.references.some((edge) => isSamePlace(edge, location)))
  references.push(...(await serverEdges({ servers, tree, source, own, vouched }, more)))
  references.sort(byPlace)
  const seen = new Set(references.map(({ path, line }) => key(path, line)))
  const unresolved = index.unresolved.filter(({ path, line }) => !seen.has(key(path, line)))
  return {
    ...index,
    references,
    unresolved: [...unresolved, ...refuted].sort((a, b) => byPath(a, b) || a.line - b.line),
    limits: [
      ...index.limits,
      ...(unjudged.length > 0
        ? [
            `${count(unjudged.length, 'edge of the index was', 'edges of the index were')} not checked with ${source}`,
          ]
        : []),
    ],
    emptiness:
      references.length > 0
        ? null
        : (index.emptiness ?? doubtIn(index.target.name, { ...index, unresolved: refuted })),
    server,
  }

  /** A recursive function uses its own name inside, not on its line; a one-line one may do both. */
  function isCall({ path, line, column }: Location): boolean {
    return path === place?.path && line === place.line && column > place.column
  }
}

function ofIndex(index: Awaited<ReturnType<typeof findReferences>>, server: ServerPart): ServedReferences {
  return { ...index, references: index.references.map((edge) => ({ ...edge, sources: ['index'] })), server }
}

function namesOf(target: Definition): string[] {
  return [usedAs(target), symbolOf(target).name, 'default']
}

function refutedUse(
  { path, line, role, text }: ReferenceEdge,
  source: string,
  meant: { path: string; line: number },
): UnresolvedUse {
  return { path, line, role, text, why: `${source} takes it for ${meant.path}:${meant.line}` }
}

function byPlace(a: ReferenceEdge, b: ReferenceEdge): number {
  return byPath(a, b) || a.line - b.line || (a.column ?? -1) - (b.column ?? -1)
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path === b.path ? 0 : a.path < b.path ? -1 : 1
}

// Uses that the server alone knows of, in the form in which the index gives its own.

type ServerView = {
  servers: LanguageServers
  tree: CodeTree
  source: string
  own: ReadonlySet<string>
  /** The confidence in what the server says of a direct use. */
  vouched: number
}

/** Uses that are asked about one by one; further ones count as indirect. */
const mostAsked = 100
/** A use that leads to another declaration first (an interface's, a base type's) may mean this one at run time. */
const indirect = 0.6

/** In the order of the locations, without those that are declarations: servers list those of base types too. */
async function serverEdges(view: ServerView, locations: readonly Location[]): Promise<SourcedEdge[]> {
  const { servers, tree, source, own, vouched } = view
  const paths = [...new Set(locations.map(({ path }) => path))]
  const [facts, texts] = [await tree.world.factsOf(paths), await tree.world.texts(paths)]
  const edges: SourcedEdge[] = []
  for (const { path, line, column } of locations) {
    const file = facts.get(path)
    const text = texts.get(path) ?? null
    const use = file?.references.find((one) => one.line === line && one.column === column)
    if (file && !use && isDeclaration(file, text, line, column)) continue
    const isAsked = edges.length < mostAsked
    const says = isAsked ? await judgeEdge(servers, tree, { path, line, column }, [], own) : null
    edges.push({
      path,
      line,
      column,
      role: use?.role ?? (file?.imports.some((fact) => fact.line === line) ? 'import' : 'read'),
      text: file ? quotedLine(file, text, line) : '',
      within: file ? siteAt(path, file, use ? use.enclosing : innermost(file, line)) : null,
      how: 'language server',
      confidence: isAsked && says?.kind !== 'other' ? vouched : indirect,
      sources: [source],
    })
  }
  return edges
}

/** Whether what is there is the name of a definition. */
export function isDeclaration(
  { symbols }: FileFacts,
  text: string | null,
  line: number,
  column: number,
): boolean {
  const rest = text?.split('\n', line).at(-1)?.slice(column) ?? ''
  return symbols.some(({ nameLine, name }) => nameLine === line && rest.startsWith(name))
}

function innermost({ symbols }: FileFacts, line: number): number | null {
  const at = symbols.findLastIndex(
    ({ kind, startLine, endLine }) => kind !== 'impl' && startLine < line && line <= endLine,
  )
  return at < 0 ? null : at
}

// Callers by a language server and the index together: the served references, gathered by what is around them.

export async function serveCallers(
  tree: CodeTree,
  target: Definition,
  servers: LanguageServers,
): Promise<ServedCallers> {
  const { references, ...rest } = await serveReferences(tree, target, servers)
  const sources = new Map<string, Set<string>>()
  for (const edge of references) {
    const name = callerKey(edge.path, edge.within)
    const known = sources.get(name) ?? new Set()
    for (const source of edge.sources) known.add(source)
    sources.set(name, known)
  }
  const callers = gatherCallers(references).map((caller) => ({
    ...caller,
    sources: [...(sources.get(callerKey(caller.path, caller.symbol)) ?? [])].sort(indexFirst),
  }))
  return { ...rest, callers, emptiness: callers.length > 0 ? null : whyNoCaller(rest) }
}

function indexFirst(a: string, b: string): number {
  return Number(b === 'index') - Number(a === 'index')
}

// Definitions of a name by the index, each checked against what the language server lists in that file.

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
