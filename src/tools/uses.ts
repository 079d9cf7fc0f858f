/** What tools for symbols share: which definition is meant, and how a symbol and its uses are told. */
import { count } from '../base/count.ts'
import type { ServerPart } from '../code-index/language-servers/served/serve.ts'
import type { CodeTree, ReferencesAnswer, UnresolvedUse } from '../code-index/query/contract.ts'
import { findTargets } from '../code-index/query/definitions.ts'
import type { Definition } from '../code-index/resolve/contract.ts'
import { symbolOf } from '../code-index/resolve/symbols.ts'
import type { CodeSymbol } from '../domain/code-symbol.ts'
import { byNameAlone } from '../domain/symbol-reach.ts'
import { ToolError, type ToolOutput, type ToolScope } from './contract.ts'
import { grep } from './grep.ts'
import { whyAbsent } from './why-absent.ts'

export const mostUses = 40

/** A signature that begins with its kind, as `function load()`, does not need it twice. */
export function kindAndSignature({ kind, signature }: { kind: string; signature: string }): string {
  return signature.startsWith(`${kind} `) ? signature : `${kind} ${signature}`
}

/** A name that so many definitions have is asked about each of them. */
const mostTargets = 3

/**
 * What `tell` says of the definition that is meant, or of each of a few. Of a name that the index has no definition of, the lines
 * that have it. A `ToolError` says how to ask for one of many.
 */
export async function tellOfEach(
  { symbol, path, line }: { symbol: string; path?: string | undefined; line?: number | undefined },
  scope: ToolScope,
  signal: AbortSignal,
  tell: (target: Definition, tree: CodeTree) => Promise<ToolOutput>,
): Promise<ToolOutput> {
  const tree = await scope.tree()
  const all = await findTargets(tree, symbol)
  const there = all.filter((one) => path === undefined || one.path === path)
  if (path !== undefined && there.length === 0 && !(await scope.head.entry(path)))
    throw new ToolError(await whyAbsent(scope, 'head', path))
  const onLine = there.filter((one) => line === undefined || isOn(line, symbolOf(one)))
  const targets = onLine.length > 0 ? onLine : there.length > 0 ? there : all
  if (targets.length > mostTargets)
    throw new ToolError(`there are several; pass the path and line of one: ${places(targets)}`)
  const [only, ...others] = targets
  if (!only) return await linesWith(symbol, scope, signal)
  const first = await tell(only, tree)
  const moved = there.length === 0 ? [`none is defined in ${path}`] : []
  if (others.length === 0) return { ...first, remarks: [...first.remarks, ...moved] }
  const told = [first]
  for (const target of others) told.push(await tell(target, tree))
  return {
    lines: told.flatMap(({ lines }, at) => [
      `${lines.length === 0 ? 'none ' : ''}of ${places(targets.slice(at, at + 1))}:`,
      ...lines,
    ]),
    remarks: [...told.flatMap(({ remarks }) => remarks), ...moved],
  }
}

/**
 * Of a name that the index has no definition of, as of a library or made at run time: the lines that have it as it is written, such as
 * `z.string`, or else its last part.
 */
async function linesWith(symbol: string, scope: ToolScope, signal: AbortSignal): Promise<ToolOutput> {
  // What is near the change is no part of the question.
  const anywhere = { ...scope, surroundings: { changed: [], related: [] } }
  const find = async (query: string): Promise<ToolOutput> => {
    const wanted = { query, path: '', regex: false, case_sensitive: true, side: 'head' }
    const found = await grep.run(wanted, anywhere, signal)
    const missing = `no definition of ${symbol} is in the index`
    return found.lines.length > 0
      ? { ...found, remarks: [`${missing}; these are the lines with ${query}`, ...found.remarks] }
      : { ...found, remarks: [missing] }
  }
  const last = symbol.split(/\.|::|#/).at(-1) || symbol
  const whole = await find(symbol)
  return whole.lines.length > 0 || last === symbol ? whole : await find(last)
}

function isOn(line: number, { startLine, endLine }: CodeSymbol): boolean {
  return startLine <= line && line <= endLine
}

function places(definitions: readonly Definition[]): string {
  const told = definitions.slice(0, 10).map((one) => `${one.path}:${symbolOf(one).nameLine}`)
  return told.join(', ') + (definitions.length > 10 ? ` and ${definitions.length - 10} more` : '')
}

/** Of a name that everything has, uses without a known meaning say nothing. */
const mostByName = 12

/** `src/b.rb:9 call (by name alone): server.start(port)`: each may be a use, and with no other may be the only one. */
export function usesByName(unresolved: readonly UnresolvedUse[]): string[] {
  if (unresolved.length > mostByName) return []
  return unresolved.map(({ path, line, role, text }) => `${path}:${line} ${role} (${byNameAlone}): ${text}`)
}

/** Of uses that could not be resolved: they may or may not be uses. */
export function doubtsIn({
  unresolved,
  textOnly,
  limits,
}: Pick<ReferencesAnswer, 'unresolved' | 'textOnly' | 'limits'>): string[] {
  return [
    ...(unresolved.length > 0
      ? [`${count(unresolved.length, 'more use')} of the name could not be resolved`]
      : []),
    ...(textOnly.length > 0
      ? [
          `${count(textOnly.length, 'file that mentions it is', 'files that mention it are')} text only to the index`,
        ]
      : []),
    ...limits,
  ]
}

/** Who answered. A server that was silent is not named: the answer is the index's. */
export function sourcesIn(server: ServerPart | undefined): string {
  if (!server || server.source === null || server.state === 'silent') return 'from the index'
  return server.state === 'complete'
    ? `from the index and ${server.source}`
    : `from the index and ${server.source}, which may know of more`
}
