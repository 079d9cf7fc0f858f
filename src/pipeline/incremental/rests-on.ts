/**
 * What a model's answer about a file rests on, as one name for each file: the file itself, what checks found in it, and
 * what it is tied to in the rest of the change. Files outside the change are the same in the base, which is part of the
 * basis; so two reviews with one basis and one name for a file would ask the same about it.
 */
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import { isConfigPath } from '../../base/file-paths.ts'
import type { FactStore, FileFacts, ImportFact } from '../../code-index/contract.ts'
import type { Config } from '../../config/schema.ts'
import type { FileChange } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import { symbolsNotCompared } from '../../domain/coverage.ts'
import type { RestsOn } from '../../domain/earlier-review.ts'
import type { Candidate } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'

/** Raised when the rules of this file change: what earlier versions kept is then not compared. */
const version = 1

export type RestsOnInput = {
  context: ReviewContext
  /** Of checks by code. */
  candidates: readonly Candidate[]
  head: RepoSnapshot
  facts: FactStore
  config: Config
  /** Who is asked, and in which words. */
  asked: unknown
}

export type Ties = RestsOn & {
  /** Changed files by those that use what they define. */
  usedBy: ReadonlyMap<string, ReadonlySet<string>>
}

/** Null where the ties between files are not known. */
export async function whatItRestsOn(input: RestsOnInput): Promise<Ties | null> {
  const { context, candidates } = input
  if (context.cuts.some((cut) => cut.startsWith(symbolsNotCompared))) return null
  const files = await openFiles(input)
  const tiesOf = indexTies(files)
  const usedBy = new Map<string, Set<string>>()
  const names = files.map((file): [string, string] => {
    const ties = tiesOf(file)
    const used = ties.flatMap(({ path, isUsed }) => (isUsed ? [path] : []))
    usedBy.set(file.change.path, new Set(used))
    return [file.change.path, nameOf([own(file.change), checked(file.change, candidates), ties])]
  })
  return { bundle: context.hash, basis: basisOf(input), files: Object.fromEntries(names), usedBy }
}

/** Where it differs, everything is asked again. What only decides how a review is shown is no part of it. */
function basisOf({ context, config, asked }: RestsOnInput): string {
  const { base, source, tickets = [] } = context.request
  const {
    failOn: _,
    minSeverity: __,
    maxInline: ___,
    requireComplete: ____,
    incremental: _____,
    ...review
  } = config.review
  return nameOf([version, base.tree, source.paths ?? null, tickets, { ...config, review }, asked])
}

type OpenFile = {
  change: FileChange
  /** Names that it uses of others, as far as the language is known; else all of its words. */
  uses: ReadonlySet<string>
  imports: readonly ImportFact[]
  /** Symbols of it that the change adds, removes or changes. */
  symbols: readonly SymbolChange[]
  /** Names of them that others can use. */
  defines: ReadonlySet<string>
  /** Lines of it that the change adds or removes, each with its words. */
  lines: readonly { text: string; words: ReadonlySet<string> }[]
}

async function openFiles({ context, head, facts }: RestsOnInput): Promise<OpenFile[]> {
  const { files } = context.change
  const wanted = files.filter(({ newBlob, hunks }) => newBlob !== null && hunks.length > 0)
  const texts = await head.readMany(wanted.map(({ path }) => path))
  const known = await facts.facts([...texts].map(([path, { blob, text }]) => ({ path, blob, text })))
  return files.map((change) => {
    const { path, oldPath } = change
    const lines = change.hunks.flatMap((hunk) =>
      hunk.lines.flatMap(({ kind, text }) =>
        kind === 'context' ? [] : [{ text: `${kind} ${text}`, words: wordsOf(text) }],
      ),
    )
    const read = known.get(path)
    const symbols = context.symbols.filter(
      ({ before, after }) => after?.path === path || before?.path === (oldPath ?? path),
    )
    return {
      change,
      lines,
      symbols,
      uses: read
        ? usedNames(read)
        : wordsOf(texts.get(path)?.text ?? lines.map(({ text }) => text).join('\n')),
      imports: read?.imports ?? [],
      defines: new Set(
        symbols.flatMap(({ before, after }) => [...offeredName(before), ...offeredName(after)]),
      ),
    }
  })
}

function usedNames({ references, imports, supertypes, typedNames }: FileFacts): Set<string> {
  return new Set([
    ...references.filter(({ shadowed }) => !shadowed).map(({ name }) => name),
    ...imports.map(({ imported }) => imported),
    ...supertypes.map(({ name }) => name),
    ...typedNames.flatMap(({ type }) => [...wordsOf(type)]),
  ])
}

function offeredName(side: SymbolChange['after']): string[] {
  return side && side.symbol.visibility !== 'private' ? [side.symbol.name] : []
}

/** One thing in another file of the change, and what it is like. `isUsed`: a symbol that the file itself uses. */
type Tie = { path: string; what: unknown; isUsed: boolean }

/**
 * What an answer about a file rests on elsewhere in the change: symbols that it uses, lines that name its own symbols or,
 * in a module that it imports, what it imports (which may be passed on there), and configuration above it.
 */
function indexTies(files: readonly OpenFile[]): (file: OpenFile) => Tie[] {
  const ties: Tie[] = []
  const index = { symbols: new Map<string, number[]>(), lines: new Map<string, number[]>() }
  const add = (kind: keyof typeof index, names: Iterable<string>, tie: Tie): void => {
    const at = ties.push(tie) - 1
    for (const name of names) {
      const known = index[kind].get(name)
      if (known) known.push(at)
      else index[kind].set(name, [at])
    }
  }
  for (const { change, symbols, lines } of files) {
    const { path } = change
    for (const symbol of symbols)
      add('symbols', namesAround(symbol), { path, what: stateOf(symbol), isUsed: true })
    for (const { text, words } of lines) add('lines', words, { path, what: text, isUsed: false })
  }
  const configs = files.filter(({ change }) => change.role === 'config' || isConfigPath(change.path))
  return ({ change, uses, imports, defines }) => {
    const found = new Set([
      ...[...uses].flatMap((name) => index.symbols.get(name) ?? []),
      ...[...defines].flatMap((name) => index.lines.get(name) ?? []),
      ...imports.flatMap(({ source, imported }) =>
        (index.lines.get(imported) ?? []).filter((at) => mayBe(source, ties[at]?.path ?? '')),
      ),
    ])
    const byName = [...found].sort((a, b) => a - b).flatMap((at) => ties[at] ?? [])
    const above = configs.filter((config) => isAbove(config.change.path, change.path))
    const rules = above.map((config) => ({
      path: config.change.path,
      what: config.change.newBlob,
      isUsed: false,
    }))
    return [...byName, ...rules].filter(({ path }) => path !== change.path)
  }
}

/** A member counts with the types around it: who extends a type does not name its members. */
function namesAround({ before, after }: SymbolChange): Set<string> {
  return new Set(
    [before, after].flatMap((side) => (side ? [side.symbol.name, ...side.symbol.scope.split('.')] : [])),
  )
}

/** Whether an import may mean this file: they end with the same name, or the file is the index of a folder of that name. */
function mayBe(source: string, path: string): boolean {
  const last = source.split(/[/\\.:]+/).findLast((part) => part !== '' && !extensions.has(part)) ?? ''
  const [file = '', folder = ''] = path.split('/').toReversed()
  return last !== '' && (file.split('.')[0] === last || (entries.test(file) && folder === last))
}

const extensions: ReadonlySet<string> = new Set([
  'ts',
  'tsx',
  'mts',
  'cts',
  'js',
  'jsx',
  'mjs',
  'cjs',
  'vue',
  'svelte',
])
const entries = /^(?:index|mod|lib|__init__)\./

/** In the same folder, or in one above it. */
function isAbove(config: string, path: string): boolean {
  return path.startsWith(config.slice(0, config.lastIndexOf('/') + 1))
}

function stateOf({ kind, before, after }: SymbolChange): unknown[] {
  return [kind, ...[before, after].map((side) => side && [side.path, hashesOf(side.symbol)])]
}

function hashesOf({ scope, name, signatureHash, bodyHash }: NonNullable<SymbolChange['after']>['symbol']) {
  return [scope, name, signatureHash, bodyHash]
}

const word = /[\p{L}\p{N}_$]+/gu
/** Shorter names are everywhere. */
const shortest = 3

function wordsOf(text: string): Set<string> {
  return new Set((text.match(word) ?? []).filter((one) => one.length >= shortest))
}

function own({ path: _, hunks: __, ...rest }: FileChange): unknown {
  return rest
}

/** Their titles and places: a model is shown them. */
function checked({ path }: FileChange, candidates: readonly Candidate[]): unknown[] {
  return candidates
    .filter(({ anchor }) => anchor.path === path)
    .map(({ rule, title, anchor }) => [rule, title, anchor.tags])
}

function nameOf(content: unknown): string {
  return sha256(canonicalJson(content)).slice(0, 32)
}
