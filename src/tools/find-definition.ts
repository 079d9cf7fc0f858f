/** `find_definition`: where a name is defined, with the code of the definition. */

import { z } from 'zod'
import type { CitedRange } from '../agent/contract.ts'
import { count } from '../base/count.ts'
import { serveDefinitions } from '../code-index/language-servers/served/serve.ts'
import type { CodeTree, SymbolSite } from '../code-index/query/contract.ts'
import { findDefinitions } from '../code-index/query/definitions.ts'
import { fileArgument, symbolArgument } from './arguments.ts'
import { defineTool, type ToolOutput, type ToolScope } from './contract.ts'
import { kindAndSignature, sourcesIn } from './uses.ts'

/** With more definitions than this, only places and signatures are shown. */
const mostWithCode = 4
/** But overloads in one file call one another: they are shown with their code if all of them together are as short as this. */
const shortTogether = 100
const mostDefinitions = 20
const mostOthers = 20
/** A longer definition is shown in part. */
const longestWhole = 120
const partShown = { first: 20, deciding: 24, last: 3 }

/** Lines that decide what a function does for its callers. */
const deciding = /\b(?:return|throw|raise|yield|panic|reject)\b/

export const findDefinition = defineTool({
  name: 'find_definition',
  cost: 'cheap',
  about: `Where a name (load) or a qualified name (Store.load) is defined, with its signature. With up to ${mostWithCode} definitions, or short ones of one file, also their code: whole up to ${longestWhole} lines, of longer ones the beginning, what returns or throws, the members and the end. path picks one of several of the same name, where it has one.`,
  args: z.object({ symbol: symbolArgument, path: fileArgument.optional() }),
  limits: { lines: 240, lineLength: 400, bytes: 12 * 1024 },
  narrow: 'pass the path of one',
  version: 6,
  keeps: true,
  async run({ symbol, path }, scope, signal): Promise<ToolOutput> {
    const tree = await scope.tree()
    const served = await scope.servers?.ask((asked) => serveDefinitions(tree, symbol, asked), signal)
    const answer = served ?? (await findDefinitions(tree, symbol))
    const isElsewhere =
      path !== undefined &&
      ![...answer.definitions, ...(served?.others ?? [])].some((one) => one.path === path)
    const isWanted = (one: { path: string }) => path === undefined || isElsewhere || one.path === path
    const others = (served?.others ?? []).filter(isWanted)
    const all = answer.definitions.filter(isWanted)
    const found = all.slice(0, mostDefinitions)
    const printed = await print(found, tree, scope)
    const elsewhere = answer.definitions.length - all.length
    const left = all.length - found.length
    return {
      ...printed,
      lines: [
        ...printed.lines,
        ...others.slice(0, mostOthers).map(({ path, line, scope: around, name }) => {
          return `${path}:${line} ${around === '' ? name : `${around}.${name}`} (language server)`
        }),
      ],
      remarks: [
        `${count(all.length + others.length, 'definition')}, ${sourcesIn(served?.server)}`,
        ...(elsewhere > 0 ? [`${elsewhere} in other files`] : []),
        ...(isElsewhere && all.length + others.length > 0 ? [`none of them in ${path}`] : []),
        ...(left > 0 ? [`${left} more are left out; pass the path of one`] : []),
        ...(answer.textOnly.length > 0
          ? [
              `${count(answer.textOnly.length, 'file that mentions it is', 'files that mention it are')} text only to the index`,
            ]
          : []),
        ...printed.remarks,
      ],
      isPartial: left > 0 || printed.remarks.length > 0,
      emptiness: answer.emptiness,
    }
  },
})

type Printed = { lines: string[]; ranges: CitedRange[]; remarks: string[] }

/** Each with a line that names it; the code of one or two follows. */
async function print(
  found: readonly SymbolSite[],
  tree: CodeTree,
  { head }: Pick<ToolScope, 'head'>,
): Promise<Printed> {
  const printed: Printed = { lines: [], ranges: [], remarks: [] }
  const lines = found.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0)
  const isOneFile = new Set(found.map(({ path }) => path)).size === 1
  const withCode = found.length <= mostWithCode || (isOneFile && lines <= shortTogether)
  const texts = await head.readMany(withCode ? found.map(({ path }) => path) : [])
  for (const site of found) {
    const { path, line, startLine, endLine, name } = site
    const heading = printed.lines.push(`${path}:${line} ${kindAndSignature(site)}`) - 1
    const file = texts.get(path)
    if (!file) continue
    const code = file.text.split('\n').slice(startLine - 1, endLine)
    const isWhole = code.length <= longestWhole
    const title = isWhole ? `definition of ${name}` : `parts of ${name} (lines ${startLine} to ${endLine})`
    let open: { range: CitedRange; lines: string[] } | null = null
    for (const offset of isWhole ? code.keys() : await decidingLines(site, code, tree)) {
      const number = startLine + offset
      const text = code[offset] ?? ''
      if (!open || open.range.startLine + open.lines.length !== number) {
        if (open) printed.lines.push('  …')
        const lines: string[] = []
        const at = printed.lines.length
        const range = { title, at, heading, path, blob: file.blob, side: 'new', lines } as const
        open = { range: { ...range, startLine: number }, lines }
        printed.ranges.push(open.range)
      }
      open.lines.push(text)
      printed.lines.push(`  ${number}: ${text}`)
    }
    if (!isWhole)
      printed.remarks.push(
        `${name} has ${code.length} lines and is shown in part; the rest: read_file, path ${path}, line_start ${startLine + partShown.first}, line_end ${endLine}`,
      )
  }
  return printed
}

/** Of a long definition: its beginning, its members or what returns and throws, and its end; ascending, from 0. */
async function decidingLines(
  { path, startLine, endLine }: SymbolSite,
  code: readonly string[],
  tree: CodeTree,
): Promise<number[]> {
  const symbols = (await tree.world.facts(path))?.symbols ?? []
  const members = symbols
    .filter((one) => one.nameLine > startLine && one.endLine <= endLine && one.kind !== 'variable')
    .map(({ nameLine }) => nameLine - startLine)
  const decisive = [...code.keys()].filter((at) => deciding.test(code[at] ?? ''))
  const middle = [...members, ...decisive].slice(0, partShown.deciding)
  const ends = [...code.keys()].filter((at) => at < partShown.first || at >= code.length - partShown.last)
  return [...new Set([...ends, ...middle])].sort((a, b) => a - b)
}
