/** What tools for symbols share: which definition is meant, and how a symbol and its uses are told. */
import { count } from '../base/count.ts'
import type { ServerPart } from '../code-index/language-servers/served/serve.ts'
import type { CodeTree } from '../code-index/query/contract.ts'
import { findTargets } from '../code-index/query/definitions.ts'
import type { Definition } from '../code-index/resolve/contract.ts'
import { symbolOf } from '../code-index/resolve/symbols.ts'
import { ToolError } from './contract.ts'

export const mostUses = 40

/** A signature that begins with its kind, as `function load()`, does not need it twice. */
export function kindAndSignature({ kind, signature }: { kind: string; signature: string }): string {
  return signature.startsWith(`${kind} `) ? signature : `${kind} ${signature}`
}

/** The one definition, or a `ToolError` that says how to ask for one of several. */
export async function targetOf(
  tree: CodeTree,
  symbol: string,
  path: string | undefined,
): Promise<Definition> {
  const all = await findTargets(tree, symbol)
  const found = path === undefined ? all : all.filter((one) => one.path === path)
  const [first, ...others] = found
  if (!first)
    throw new ToolError(
      all.length > 0
        ? `it is defined in ${places(all)}`
        : `no definition of ${symbol} is in the index; grep finds text`,
    )
  if (others.length > 0) throw new ToolError(`there are several; pass the path of one: ${places(found)}`)
  return first
}

function places(definitions: readonly Definition[]): string {
  const told = definitions.slice(0, 10).map((one) => `${one.path}:${symbolOf(one).nameLine}`)
  return told.join(', ') + (definitions.length > 10 ? ` and ${definitions.length - 10} more` : '')
}

/** Of uses that could not be resolved: they may or may not be uses. */
export function doubtsIn(
  unresolved: readonly unknown[],
  textOnly: readonly string[],
  limits: readonly string[],
): string[] {
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
