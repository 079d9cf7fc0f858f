/**
 * References by a language server and the index together. What both say stands; what only one says is kept and says so;
 * what the server takes for something else is no edge. Without a server the index answers alone.
 */
import { count } from '../../../base/count.ts'
import { confidenceOf } from '../../query/confidence.ts'
import type { CodeTree, ReferenceEdge, UnresolvedUse } from '../../query/contract.ts'
import { findReferences } from '../../query/references.ts'
import { usedAs } from '../../query/target-names.ts'
import type { Definition } from '../../resolve/contract.ts'
import { symbolOf } from '../../resolve/symbols.ts'
import type { LanguageServers, Location } from '../contract.ts'
import type { ServedReferences, ServerPart, SourcedEdge } from './contract.ts'
import { isSamePlace, judgeEdge, key, ownLines } from './judge-edge.ts'
import { namePlace } from './name-place.ts'
import { serverEdges } from './server-edges.ts'

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

function byPlace(a: ReferenceEdge, b: ReferenceEdge): number {
  return byPath(a, b) || a.line - b.line || (a.column ?? -1) - (b.column ?? -1)
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path === b.path ? 0 : a.path < b.path ? -1 : 1
}
