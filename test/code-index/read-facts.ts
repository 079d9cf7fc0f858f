/** Reads facts through the real store and its child processes, and puts them in words that tests can compare. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { sha256 } from '../../src/base/canonical-json.ts'
import { type FileFacts, fullName, type Reference } from '../../src/code-index/contract.ts'
import { createFactStore, type FactStoreOptions } from '../../src/code-index/fact-store.ts'
import type { CodeSymbol } from '../../src/domain/code-symbol.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'

export type Reader = (path: string, text: string) => Promise<FileFacts>

/** The reader fails when there are no facts. With options it has a store for itself, closed behind the file's tests. */
export function factReader(options?: Partial<FactStoreOptions>): Reader {
  const store = options ? createFactStore({ cacheFolder: null, ...options }) : sharedFacts()
  afterAll(() => store.close())
  return async (path, text) => {
    const facts = (await store.facts([source(path, text)])).get(path)
    expect(facts, `facts of ${path}: ${JSON.stringify(store.failures)}`).toBeDefined()
    if (!facts) throw new Error('unreachable')
    return facts
  }
}

export function source(path: string, text: string): { path: string; blob: string; text: string } {
  return { path, blob: sha256(text), text }
}

export function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
}

/** `4-6 private method Store.load`: lines, visibility, kind, name. */
export function outline(facts: FileFacts): string[] {
  return facts.symbols.map(
    (symbol) =>
      `${symbol.startLine}-${symbol.endLine} ${symbol.visibility} ${symbol.kind} ${fullName(symbol)}${symbol.isTest ? ' (test)' : ''}`,
  )
}

export function symbol(facts: FileFacts, name: string): CodeSymbol {
  const found = facts.symbols.find((candidate) => fullName(candidate) === name)
  expect(found, `${name} among ${facts.symbols.map(fullName).join(', ')}`).toBeDefined()
  if (!found) throw new Error('unreachable')
  return found
}

/** `name: type`, with `?` optional, `…` variadic, `!` by name only. */
export function parameters({ signature }: CodeSymbol): string[] | null {
  return (
    signature.parameters?.map(
      ({ name, type, optional, variadic, keywordOnly }) =>
        `${variadic ? '…' : ''}${name}${optional ? '?' : ''}${keywordOnly ? '!' : ''}: ${type}`,
    ) ?? null
  )
}

/** All that was read of a file, on one page: a line for each symbol, and one for each line of code that uses names. */
export function factsPage(facts: FileFacts): string {
  const symbols = facts.symbols.map((symbol, at) => {
    const all = parameters(symbol)
    const { returnType } = symbol.signature
    return `${outline(facts)[at]}${all ? ` (${all.join(', ')})` : ''}${returnType === null ? '' : ` → ${returnType}`}${symbol.doc === null ? '' : `, "${symbol.doc}"`}`
  })
  const byPlace = Map.groupBy(facts.references, (one) => `${one.line} ${placeOf(facts, one)}`.trim())
  const parts: Record<string, readonly string[]> = {
    package: facts.packageName === null ? [] : [facts.packageName],
    'not understood': facts.errorLines.map(({ startLine, endLine }) => `${startLine}-${endLine}`),
    symbols,
    imports: imports(facts),
    exports: facts.exports.map(({ line, local, exported }) => `${line} ${local} as ${exported}`),
    supertypes: supertypes(facts),
    'typed names': typedNames(facts),
    uses: [...byPlace].map(
      ([place, all]) =>
        `${place}: ${all.map((one) => `${useOf(one)}${one.shadowed ? ' local' : ''}`).join(', ')}`,
    ),
  }
  return Object.entries(parts)
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `# ${title}\n${lines.join('\n')}\n`)
    .join('\n')
}

/** The references by this name, in order. */
export function named(facts: FileFacts, name: string): Reference[] {
  return facts.references.filter((reference) => reference.name === name)
}

/** `12 call this.store . get(2 a b *) in Cache.load local`. */
export function uses(facts: FileFacts, name: string): string[] {
  return named(facts, name).map((reference) => {
    const place = placeOf(facts, reference)
    return `${reference.line} ${useOf(reference)}${place ? ` in ${place}` : ''}${reference.shadowed ? ' local' : ''}`
  })
}

function useOf({ name, role, receiver, call }: Reference): string {
  const shape = call
    ? `(${[call.positional, ...call.keywords, ...(call.spread ? ['*'] : [])].join(' ')})`
    : ''
  return `${role} ${receiver === null ? '' : `${receiver} . `}${name}${shape}`
}

function placeOf({ symbols }: FileFacts, { enclosing }: { enclosing: number | null }): string {
  const around = enclosing === null ? undefined : symbols[enclosing]
  return around ? fullName(around) : ''
}

/** `3 { a as b } from ./x` with `type` and `again` for type-only and passed on. */
export function imports(facts: FileFacts): string[] {
  return facts.imports.map(
    ({ line, source: from, imported, local, reexport, typeOnly }) =>
      `${line} ${typeOnly ? 'type ' : ''}${imported} as ${local} from ${from}${reexport ? ' again' : ''}`,
  )
}

/** `Store.load > file: File`: where the name belongs, name, type. */
export function typedNames(facts: FileFacts): string[] {
  return facts.typedNames.map((typed) => {
    const place = placeOf(facts, typed)
    return `${place && `${place} > `}${typed.name}: ${typed.type}`
  })
}

export function supertypes(facts: FileFacts): string[] {
  return facts.supertypes.map(({ symbol: index, name }) => {
    const owner = facts.symbols[index]
    return `${owner ? fullName(owner) : '?'} < ${name}`
  })
}

/** A fixture of each language that has one of its own. */
export const samples = {
  typescript: 'sample.ts',
  python: 'sample.py',
  go: 'sample.go',
  rust: 'sample.rs',
  java: 'Sample.java',
  bash: 'sample.sh',
  c: 'sample.c',
  cpp: 'sample.cpp',
  csharp: 'Sample.cs',
  kotlin: 'sample.kt',
  php: 'sample.php',
  ruby: 'sample.rb',
  scala: 'sample.scala',
  swift: 'sample.swift',
}
