/** Uses that the server alone knows of, told as the index tells its own. */
import type { FileFacts } from '../../contract.ts'
import type { CodeTree } from '../../query/contract.ts'
import { quotedLine, siteAt } from '../../query/site.ts'
import type { LanguageServers, Location } from '../contract.ts'
import type { SourcedEdge } from './contract.ts'
import { judgeEdge } from './judge-edge.ts'

type Sight = {
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
export async function serverEdges(sight: Sight, locations: readonly Location[]): Promise<SourcedEdge[]> {
  const { servers, tree, source, own, vouched } = sight
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

/** Whether what stands there is the name of a definition. */
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
