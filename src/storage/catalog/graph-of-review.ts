/** What a review says of who and what belongs together: the change, its people, files, tickets, findings and errors. Pure. */
import type { ChangedCode } from '../../domain/changed-code.ts'
import type { Review } from '../../domain/review.ts'
import type { GraphEdge, GraphNode, GraphPart } from './contract.ts'

const mostFiles = 300
const longestLabel = 200

/** Everything starts at the change: `#12`, or the head of a local one. Names and titles are foreign. `code`: what its run kept of it. */
export function graphOfReview(
  { request, files, findings }: Review,
  code: ChangedCode | null = null,
): GraphPart {
  const {
    changeRequest,
    head,
    author,
    discussion = [],
    tickets = [],
    errors = [],
    openChanges = [],
  } = request
  const nodes = new Map<string, GraphNode>()
  const edges: GraphEdge[] = []
  const node = (kind: GraphNode['kind'], key: string, label = key): GraphNode => {
    const made = { kind, key: key.slice(0, longestLabel), label: label.slice(0, longestLabel) }
    nodes.set(`${kind}\0${made.key}`, made)
    return made
  }
  const tie = (from: GraphNode, relation: GraphEdge['relation'], to: GraphNode) => {
    if (from.key !== to.key || from.kind !== to.kind)
      edges.push({ from: { kind: from.kind, key: from.key }, relation, to: { kind: to.kind, key: to.key } })
  }
  const revision = (head.commit ?? head.tree).slice(0, 12)
  const change = node('change', changeRequest ? `#${changeRequest.number}` : revision, request.title)
  if (head.commit) tie(change, 'has', node('commit', revision))
  const writer = changeRequest?.author.login ?? author?.split('<', 1)[0]?.trim()
  if (writer) tie(change, 'by', node('person', writer))
  for (const { author: name, association } of discussion)
    if (association !== 'bot' && name !== writer) tie(change, 'discussed-by', node('person', name))
  for (const { path } of files.slice(0, mostFiles)) tie(change, 'changes', node('file', path))
  for (const name of code?.symbols ?? []) tie(change, 'changes', node('symbol', name))
  for (const { commit, author: by, day, subject, paths, mentions } of code?.commits ?? []) {
    const earlier = node('commit', commit, `${day} ${subject}`)
    tie(earlier, 'by', node('person', by))
    for (const path of paths) tie(earlier, 'changes', node('file', path))
    for (const name of mentions) tie(earlier, 'answers', node('ticket', name))
  }
  for (const { id, title } of tickets) tie(change, 'answers', node('ticket', id, title))
  for (const { fingerprint, title, anchor, claims } of findings) {
    const finding = node('finding', fingerprint, title)
    tie(change, 'has', finding)
    tie(finding, 'in', node('file', anchor.path))
    for (const claim of claims)
      if ('symbol' in claim && typeof claim.symbol === 'string')
        tie(finding, 'in', node('symbol', claim.symbol))
  }
  for (const { id, title, frames } of errors) {
    const error = node('error', id, title)
    tie(change, 'knew', error)
    for (const { path, function: name } of frames) {
      tie(error, 'in', node('file', path))
      if (name !== null) tie(error, 'in', node('symbol', name))
    }
  }
  for (const { name, title, author: by, files: shared } of openChanges) {
    const other = node('change', name.replace('!', '#'), title)
    tie(change, 'overlaps', other)
    if (by !== null) tie(other, 'by', node('person', by))
    for (const { path } of shared) tie(other, 'changes', node('file', path))
  }
  return {
    nodes: [...nodes.values()],
    edges: [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()],
  }
}
