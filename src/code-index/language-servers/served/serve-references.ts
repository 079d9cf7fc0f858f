/**
 * References by a language server and the index together. What both say stands; what only one says is kept and says so;
 * what the server takes for something else is no edge. Without a server the index answers alone.
 */
import type { FileFacts } from '../../contract.ts'
import { confidenceOf } from '../../query/confidence.ts'
import type { CodeTree, ReferenceEdge, UnresolvedUse } from '../../query/contract.ts'
import { findReferences } from '../../query/references.ts'
import { quotedLine, siteAt } from '../../query/site.ts'
import { usedAs } from '../../query/target-names.ts'
import type { Definition } from '../../resolve/contract.ts'
import { symbolOf } from '../../resolve/symbols.ts'
import type { LanguageServers, Location } from '../contract.ts'
import type { ServedReferences, ServerPart, SourcedEdge } from './contract.ts'
import { isSamePlace, judgeEdge, key, ownLines } from './judge-edge.ts'
import { namePlace } from './name-place.ts'

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
  if (!place)
    return ofIndex(index, { source: null, state: 'silent', why: 'its name does not stand in its line' })
  const answer = await servers.references(place)
  const { source, state, why, found } = answer
  const server: ServerPart = { source, state, why }
  if (state === 'silent' || source === null) return ofIndex(index, server)

  const own = await ownLines(servers, target, place)
  const uses = found.filter((location) => !own.has(key(location.path, location.line)) || isCall(location))
  const references: SourcedEdge[] = []
  const refuted: UnresolvedUse[] = []
  const unjudged: ReferenceEdge[] = []
  let judged = 0
  for (const edge of index.references) {
    const isKnown = uses.some((location) => isSamePlace(edge, location))
    if (!isKnown && ++judged > mostJudged) unjudged.push(edge)
    const says =
      isKnown || judged > mostJudged ? null : await judgeEdge(servers, tree, edge, namesOf(target), own)
    if (says?.kind === 'other') refuted.push(refutedUse(edge, source, says))
    else
      references.push({ ...edge, sources: isKnown || says?.kind === 'same' ? ['index', source] : ['index'] })
  }
  const more = uses.filter((location) => !index.references.some((edge) => isSamePlace(edge, location)))
  references.push(...(await edgesOf(tree, more, source, state === 'complete')))
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
        ? [`${unjudged.length} edges of the index were not checked with ${source}`]
        : []),
    ],
    emptiness: references.length > 0 ? null : index.emptiness,
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

/** Edges that the server alone knows of, told as the index tells its own. */
async function edgesOf(
  tree: CodeTree,
  locations: readonly Location[],
  source: string,
  isComplete: boolean,
): Promise<SourcedEdge[]> {
  const paths = [...new Set(locations.map(({ path }) => path))]
  const [facts, texts] = [await tree.world.factsOf(paths), await tree.world.texts(paths)]
  return locations.map(({ path, line, column }): SourcedEdge => {
    const file = facts.get(path)
    const use = file?.references.find((one) => one.line === line && one.column === column)
    const enclosing = use ? use.enclosing : file ? innermost(file, line) : null
    return {
      path,
      line,
      column,
      role: use?.role ?? (file?.imports.some((fact) => fact.line === line) ? 'import' : 'read'),
      text: file ? quotedLine(file, texts.get(path) ?? null, line) : '',
      within: file ? siteAt(path, file, enclosing) : null,
      how: 'language server',
      confidence: confidenceOf('language server', isComplete ? 'certain' : 'likely'),
      sources: [source],
    }
  })
}

function innermost({ symbols }: FileFacts, line: number): number | null {
  const at = symbols.findLastIndex(
    ({ kind, startLine, endLine }) => kind !== 'impl' && startLine < line && line <= endLine,
  )
  return at < 0 ? null : at
}

function byPlace(a: ReferenceEdge, b: ReferenceEdge): number {
  return byPath(a, b) || a.line - b.line || (a.column ?? -1) - (b.column ?? -1)
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path === b.path ? 0 : a.path < b.path ? -1 : 1
}
