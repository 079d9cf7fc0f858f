/**
 * References against a language server: each edge of the index is looked for among the server's, and what is not there
 * is put to the server by itself; each use of the server is looked for among the edges, and a miss gets its reason.
 */
import type { FileFacts } from '../../src/code-index/contract.ts'
import type { LanguageServers } from '../../src/code-index/language-servers/contract.ts'
import {
  isSamePlace,
  judgeEdge,
  key,
  namePlace,
  ownLines,
} from '../../src/code-index/language-servers/served/judge-edge.ts'
import { isDeclaration } from '../../src/code-index/language-servers/served/serve.ts'
import { callerKey } from '../../src/code-index/query/callers.ts'
import type { CodeTree } from '../../src/code-index/query/contract.ts'
import { siteAt } from '../../src/code-index/query/definitions.ts'
import { findReferences } from '../../src/code-index/query/references.ts'
import { usedAs } from '../../src/code-index/query/target-names.ts'
import type { Definition } from '../../src/code-index/resolve/contract.ts'
import { symbolOf } from '../../src/code-index/resolve/symbols.ts'

export type HowCounts = { edges: number; right: number; wrong: number; unjudged: number }

export type ReferenceCounts = {
  definitions: number
  /** No complete answer of the server, by what it said. */
  notAsked: Record<string, number>
  /** Uses by the server that it leads to this very definition, and how many of them are edges of the index. */
  uses: number
  found: number
  /** Uses that the server lists and leads elsewhere: calls through an interface, say. Not part of the above. */
  indirect: number
  /** Places that the server lists and that are declarations: of base types, of overloads. Not part of the above. */
  declarations: number
  byHow: Record<string, HowCounts>
  /** Definitions around uses: those of the index that hold a right edge, and those of the server that it has. */
  callers: { right: number; judged: number; found: number; all: number }
  /** Uses that are no edge, by what the index did with them. */
  missedBy: Record<string, number>
  misses: string[]
  wrongs: string[]
}

const kinds: ReadonlySet<string> = new Set([
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'struct',
  'constant',
  'variable',
  'field',
  'macro',
])

/** Definitions that can be used by name from elsewhere, in order of path and line. */
export function candidates(facts: ReadonlyMap<string, FileFacts>): Definition[] {
  return [...facts].flatMap(([path, one]) =>
    one.symbols.flatMap(({ kind, isTest, name }, index) =>
      !isTest && kinds.has(kind) && /^[\p{L}_$][\p{L}\p{N}_$]+$/u.test(name)
        ? [{ path, facts: one, index }]
        : [],
    ),
  )
}

export async function compareReferences(
  servers: LanguageServers,
  tree: CodeTree,
  targets: readonly Definition[],
): Promise<ReferenceCounts> {
  const counts: ReferenceCounts = {
    definitions: 0,
    notAsked: {},
    uses: 0,
    found: 0,
    indirect: 0,
    declarations: 0,
    byHow: {},
    callers: { right: 0, judged: 0, found: 0, all: 0 },
    missedBy: {},
    misses: [],
    wrongs: [],
  }
  for (const target of targets) {
    counts.definitions++
    await compareOne(servers, tree, target, counts)
  }
  return counts
}

async function compareOne(
  servers: LanguageServers,
  tree: CodeTree,
  target: Definition,
  counts: ReferenceCounts,
): Promise<void> {
  const text = await tree.world.text(target.path)
  const place = text === null ? null : namePlace(target, text)
  const answer = place && (await servers.references(place))
  if (!place || answer?.state !== 'complete') {
    const why =
      answer?.why?.split('\n')[0]?.replace(/ file:.*|: golang.*/, '') ?? 'its name does not stand on its line'
    counts.notAsked[why] = (counts.notAsked[why] ?? 0) + 1
    return
  }
  const own = await ownLines(servers, target, place)
  const { references, unresolved } = await findReferences(tree, target)
  const label = `${symbolOf(target).scope}.${symbolOf(target).name} (${target.path}:${place.line})`
  const callers = new Map<string, boolean>()
  const serverCallers = new Map<string, boolean>()
  const isCall = (role: string) => role !== 'import' && role !== 'export'
  for (const edge of references) {
    counts.byHow[edge.how] ??= { edges: 0, right: 0, wrong: 0, unjudged: 0 }
    const how = counts.byHow[edge.how]
    if (!how) continue
    how.edges++
    const names = [usedAs(target), symbolOf(target).name, 'default']
    const says = answer.found.some((location) => isSamePlace(edge, location))
      ? { kind: 'same' as const }
      : await judgeEdge(servers, tree, edge, names, own)
    if (says.kind !== 'unknown' && edge.within && isCall(edge.role))
      note(callers, callerKey(edge.path, edge.within), says.kind === 'same')
    if (says.kind === 'same') how.right++
    else if (says.kind === 'unknown') how.unjudged++
    else {
      how.wrong++
      counts.wrongs.push(
        `${edge.how} ${edge.role} ${label} at ${edge.path}:${edge.line} is ${says.path}:${says.line} | ${edge.text}`,
      )
    }
  }
  const uses = answer.found.filter((location) => !own.has(key(location.path, location.line)))
  for (const use of uses) {
    const known = references.find((edge) => isSamePlace(edge, use))
    if (known) {
      if (known.within && isCall(known.role)) note(serverCallers, callerKey(use.path, known.within), true)
      counts.uses++
      counts.found++
      continue
    }
    const file = await tree.world.facts(use.path)
    const told = await tree.world.text(use.path)
    const isUse = file?.references.some(({ line, column }) => line === use.line && column === use.column)
    if (file && !isUse && isDeclaration(file, told, use.line, use.column)) {
      counts.declarations++
      continue
    }
    const says = await judgeEdge(servers, tree, use, [], own)
    if (says.kind === 'other') {
      counts.indirect++
      continue
    }
    counts.uses++
    const enclosing =
      file?.symbols.findLastIndex(
        ({ kind, startLine, endLine }) => kind !== 'impl' && startLine < use.line && use.line <= endLine,
      ) ?? -1
    const within = file && enclosing >= 0 ? siteAt(use.path, file, enclosing) : null
    if (within) note(serverCallers, callerKey(use.path, within), false)
    const isUnresolved = unresolved.find(({ path, line }) => path === use.path && line === use.line)
    const seen = file?.references.find(({ line, column }) => line === use.line && column === use.column)
    const onImport = file?.imports.some(({ line }) => line === use.line)
    const reason = isUnresolved
      ? `left open: ${isUnresolved.why.replace(/the type \S+ is/, 'the type … is').replace(/not found in .*/, 'not found in …')}`
      : !file
        ? 'file not indexed'
        : seen
          ? 'taken for something else'
          : onImport
            ? 'on the line of an import'
            : 'no use seen there'
    counts.missedBy[reason] = (counts.missedBy[reason] ?? 0) + 1
    const line = told?.split('\n')[use.line - 1]?.trim().slice(0, 120)
    counts.misses.push(`${reason} · ${label} at ${use.path}:${use.line}:${use.column} | ${line}`)
  }
  counts.callers.judged += callers.size
  counts.callers.right += [...callers.values()].filter(Boolean).length
  counts.callers.all += serverCallers.size
  counts.callers.found += [...serverCallers.values()].filter(Boolean).length
}

function note(callers: Map<string, boolean>, key: string, isRight: boolean): void {
  callers.set(key, isRight || callers.get(key) === true)
}
