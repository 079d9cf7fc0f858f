/** What files of a change use of each other: definitions, lines that name them, and configuration above them. */
import { folderWithSlash, isConfigPath } from '../../base/file-paths.ts'
import type { FileFacts, ImportFact } from '../../code-index/contract.ts'
import type { ChangedDefinition, FileChange } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { StageInput } from '../stage-input.ts'

export type OpenFile = {
  change: FileChange
  /** Names in the part of it that a model is shown: its hunks and the definitions around them. */
  uses: ReadonlySet<string>
  imports: readonly ImportFact[]
  /** Symbols of it that the change adds, removes or changes. */
  symbols: readonly SymbolChange[]
  /** Names of them that others can use. */
  defines: ReadonlySet<string>
  /** What its shown text seems to define, by name; only where its language is not read, so that `symbols` lacks it. */
  unread: ReadonlyMap<string, ChangedDefinition>
  /** Lines of it that the change adds or removes, each with its words. */
  lines: readonly { text: string; words: ReadonlySet<string> }[]
}

export async function openFiles({
  context,
  head,
  facts,
}: Pick<StageInput, 'context' | 'head' | 'facts'>): Promise<OpenFile[]> {
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
    const text = texts.get(path)?.text ?? null
    const symbols = context.symbols.filter(
      ({ before, after }) => after?.path === path || before?.path === (oldPath ?? path),
    )
    return {
      change,
      lines,
      symbols,
      uses: read ? usedNames(read, shownLines(change, read)) : wordsOf(text ?? shownText(change)),
      unread: read || !isCode(change) ? new Map() : definedIn(change),
      imports: read?.imports ?? [],
      defines: new Set(
        symbols.flatMap(({ before, after }) => [...offeredName(before), ...offeredName(after)]),
      ),
    }
  })
}

const isCode = ({ role }: FileChange): boolean => role === 'source' || role === 'test'

/** Words of many languages that the name of a definition follows. */
const introduction =
  /(?<![\p{L}\p{N}_$])(?:function|func|fun|fn|def|sub|proc|procedure|class|contract|library|interface|trait|protocol|struct|enum|record|type|module|modifier|event|error|macro)\s{1,8}(?<name>[\p{L}\p{N}_$]{1,100})/gu

function definedIn({ path, hunks }: FileChange): Map<string, ChangedDefinition> {
  const lines = hunks.flatMap(({ lines }) => lines)
  return new Map(
    lines.flatMap(({ text, new: line }) =>
      line === null
        ? []
        : [...text.matchAll(introduction)].map(({ groups }): [string, ChangedDefinition] => [
            groups?.name ?? '',
            { path, startLine: line, endLine: line },
          ]),
    ),
  )
}

type Shown = (line: number) => boolean

/** Lines of the head in a hunk, or in the innermost definition around what is changed there. */
function shownLines({ hunks }: FileChange, { symbols }: FileFacts): Shown {
  const ranges = hunks.flatMap(({ newStart, newLines, lines }) => {
    const changed = lines.flatMap((line) => (line.kind === 'added' && line.new !== null ? [line.new] : []))
    const [first = newStart, last = newStart + newLines - 1] = [changed[0], changed.at(-1)]
    const around = symbols.filter(({ startLine, endLine }) => startLine <= first && last <= endLine)
    const [inner] = around.toSorted((x, y) => x.endLine - x.startLine - (y.endLine - y.startLine))
    const hunk = { from: newStart, to: newStart + newLines - 1 }
    return inner ? [hunk, { from: inner.startLine, to: inner.endLine }] : [hunk]
  })
  return (line) => ranges.some(({ from, to }) => from <= line && line <= to)
}

function shownText({ hunks }: FileChange): string {
  return hunks.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n')
}

function usedNames({ references, imports, supertypes, typedNames }: FileFacts, isShown: Shown): Set<string> {
  return new Set([
    ...references.filter(({ shadowed, line }) => !shadowed && isShown(line)).map(({ name }) => name),
    ...imports.filter(({ line }) => isShown(line)).map(({ imported }) => imported),
    ...supertypes.filter(({ line }) => isShown(line)).map(({ name }) => name),
    ...typedNames.filter(({ line }) => isShown(line)).flatMap(({ type }) => [...wordsOf(type)]),
  ])
}

function offeredName(side: SymbolChange['after']): string[] {
  return side && side.symbol.visibility !== 'private' ? [side.symbol.name] : []
}

/** One thing in another file of the change, and what it is like. `used`: the definition that the file itself uses. */
type Tie = { path: string; what: unknown; used: ChangedDefinition | null }

/**
 * What an answer about a file rests on elsewhere in the change: symbols that it uses, lines that name its own symbols or,
 * in a module that it imports, what it imports (which may be passed on there), and configuration above it.
 */
export function indexTies(files: readonly OpenFile[]): (file: OpenFile) => Tie[] {
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
  for (const { change, symbols, lines, unread } of files) {
    const { path } = change
    // Where such a definition ends is not known, so it is like the whole file.
    for (const [name, used] of unread) add('symbols', [name], { path, what: change.newBlob, used })
    for (const symbol of symbols) {
      const { after } = symbol
      const used = after && { path: after.path, ...rangeOf(after.symbol) }
      add('symbols', namesAround(symbol), { path, what: stateOf(symbol), used })
    }
    for (const { text, words } of lines) add('lines', words, { path, what: text, used: null })
  }
  const configs = files.filter(
    ({ change: { role, path } }) => (role === 'config' || isConfigPath(path)) && !styles.test(path),
  )
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
    const rules = above.flatMap((config): Tie[] => {
      const { path, newBlob } = config.change
      const what = manifests.test(path) ? manifestLines(config, imports) : newBlob
      return what === null || what.length === 0 ? [] : [{ path, what, used: null }]
    })
    return [...byName, ...rules].filter(({ path }) => path !== change.path)
  }
}

const rangeOf = ({ startLine, endLine }: { startLine: number; endLine: number }) => ({ startLine, endLine })

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

/** How code is to be written, and what machines do with it: no code means anything else for it. */
const styles =
  /(?:^|\/)(?:\.github|\.circleci|\.gitlab)\/|(?:^|\/)\.?(?:eslint|prettier|editorconfig|stylelint|biome|rustfmt|clippy|rubocop|pre-commit|gitignore|gitattributes|dockerignore|codecov)[^/]*$/i
const manifests =
  /(?:^|\/)(?:package\.json|composer\.json|pyproject\.toml|requirements[^/]*\.txt|Cargo\.toml|go\.mod|pom\.xml|Gemfile|build\.gradle(?:\.kts)?)$/
/** Keys of manifests that say how all code is read. */
const reading = /"?(?:type|exports|imports|engines|edition|requires-python|go)"?\s*[:= ]/

/** Lines of a manifest that the change touches and that are about what a file imports, or about all files. */
function manifestLines({ lines }: OpenFile, imports: readonly ImportFact[]): string[] {
  const names = new Set(imports.flatMap(({ source }) => [...wordsOf(source)]))
  return lines
    .filter(({ text, words }) => [...words].some((word) => names.has(word)) || reading.test(text))
    .map(({ text }) => text)
}

/** In the same folder, or in one above it. */
function isAbove(config: string, path: string): boolean {
  return path.startsWith(folderWithSlash(config))
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
