/** Definitions against a language server: per kind, how many of its symbols the index has, and the other way round. */
import type { FileFacts } from '../../src/code-index/contract.ts'
import type { LanguageServers, ServerSymbol } from '../../src/code-index/language-servers/contract.ts'
import { isNamed } from '../../src/code-index/language-servers/served/serve.ts'
import type { CodeSymbol } from '../../src/domain/code-symbol.ts'
import type { Tag } from './accuracy-text.ts'

export type DefinitionCounts = {
  files: number
  /** Files for which the server gave no answer. */
  silent: number
  /** Of the server's symbols, by group: how many the index has. */
  recall: Record<string, { found: number; all: number }>
  /** Of the index's symbols, by kind: how many the server lists anywhere in the file. */
  precision: Record<string, { found: number; all: number }>
  misses: string[]
  extras: string[]
}

/** The protocol's numbers, as far as the index means to have what they stand for. */
const groups: Readonly<Record<number, string>> = {
  5: 'types',
  6: 'functions and methods',
  7: 'fields and members',
  8: 'fields and members',
  9: 'functions and methods',
  10: 'types',
  11: 'types',
  12: 'functions and methods',
  13: 'variables and constants',
  14: 'variables and constants',
  22: 'fields and members',
  23: 'types',
}
const callable: ReadonlySet<number> = new Set([6, 9, 12])
/** Test cases are named by their titles, impl blocks by their types; macros and packages are in no server's outline. */
const incomparable: ReadonlySet<CodeSymbol['kind']> = new Set(['impl', 'package', 'module', 'macro'])

export async function compareDefinitions(
  servers: LanguageServers,
  files: readonly (readonly [string, FileFacts])[],
): Promise<DefinitionCounts> {
  const counts: DefinitionCounts = {
    files: 0,
    silent: 0,
    recall: {},
    precision: {},
    misses: [],
    extras: [],
  }
  for (const [path, file] of files) {
    const { state, found } = await servers.symbols(path)
    counts.files++
    if (state === 'silent') {
      counts.silent++
      continue
    }
    for (const symbol of found.filter((one) => isComparable(one, found, file))) {
      const isThere = file.symbols.some((own) => isSame(own, symbol))
      tally(counts.recall, groups[symbol.kind] ?? '?', isThere)
      if (!isThere)
        counts.misses.push(`${groups[symbol.kind]} ${symbol.scope}.${symbol.name} ${path}:${symbol.line}`)
    }
    for (const own of file.symbols) {
      if (own.isTest || incomparable.has(own.kind)) continue
      const isThere = found.some((symbol) => isSame(own, symbol))
      tally(counts.precision, own.kind, isThere)
      if (!isThere) counts.extras.push(`${own.kind} ${own.scope}.${own.name} ${path}:${own.nameLine}`)
    }
  }
  return counts
}

/** Without locals, members of values, imports and callbacks: nothing that another place could name. */
function isComparable(symbol: ServerSymbol, all: readonly ServerSymbol[], facts: FileFacts): boolean {
  // No anonymous ones, call signatures, callbacks and `using` directives.
  if (groups[symbol.kind] === undefined || !/^(?:\([\w*]+\)\.)?[\w$#~][\w$#~:<>]*$/.test(symbol.name))
    return false
  // What gtest's macros make.
  if (/_Test(?:::|\.|$)/.test(`${symbol.scope}.${symbol.name}`)) return false
  // A key of a literal that is given to a call.
  if (groups[symbol.kind] === 'fields and members' && symbol.scope === '') return false
  if (facts.imports.some(({ line, local }) => line === symbol.line && local === symbol.name)) return false
  if (facts.imports.some(({ local }) => local === symbol.name)) return false
  const isInside = (other: ServerSymbol) =>
    other !== symbol && other.startLine <= symbol.startLine && symbol.endLine <= other.endLine
  return !all.some(
    (other) =>
      (callable.has(other.kind) || groups[other.kind] === 'variables and constants') &&
      isInside(other) &&
      symbol.scope.startsWith(other.scope) &&
      symbol.scope.length > other.scope.length,
  )
}

function isSame(own: CodeSymbol, symbol: ServerSymbol): boolean {
  if (Math.abs(own.nameLine - symbol.line) > 1) return false
  return isNamed(symbol, own.name) || symbol.name === own.name
}

function tally(counts: Record<string, { found: number; all: number }>, key: string, isThere: boolean): void {
  counts[key] ??= { found: 0, all: 0 }
  counts[key].all++
  if (isThere) counts[key].found++
}

/** What ctags calls definitions, as far as the index means to have them: no locals, imports and parameters. */
const tagGroups: Readonly<Record<string, string>> = {
  function: 'functions and methods',
  func: 'functions and methods',
  method: 'functions and methods',
  singletonMethod: 'functions and methods',
  subroutine: 'functions and methods',
  generator: 'functions and methods',
  class: 'types',
  interface: 'types',
  struct: 'types',
  enum: 'types',
  union: 'types',
  trait: 'types',
  typedef: 'types',
  alias: 'types',
  module: 'types',
  macro: 'macros',
}

/** Tags that the index has too; ctags may give the line of a definition's first word where we give that of its name. */
export function compareTags(
  tags: readonly Tag[],
  facts: ReadonlyMap<string, FileFacts>,
): { recall: Record<string, { found: number; all: number }>; misses: string[] } {
  const recall: Record<string, { found: number; all: number }> = {}
  const misses: string[] = []
  const known = new Map<string, Set<string>>()
  for (const { name, path, line, kind } of tags) {
    const file = facts.get(path)
    const group = tagGroups[kind]
    if (!file || !group || !/^[~$\w]+[?!=]?$/.test(name)) continue
    if (file.imports.some((fact) => fact.local === name)) continue
    const own = known.get(path) ?? new Set(file.symbols.map((one) => `${one.nameLine} ${one.name}`))
    known.set(path, own)
    const isThere = [0, 1, -1].some((by) => own.has(`${line + by} ${name}`))
    tally(recall, group, isThere)
    if (!isThere) misses.push(`${kind} ${name} ${path}:${line}`)
  }
  return { recall, misses }
}
