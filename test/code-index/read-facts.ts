/** Reads facts through the real store and its child processes, and puts them in words that tests can compare. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { sha256 } from '../../src/base/canonical-json.ts'
import type { FileFacts, Reference } from '../../src/code-index/contract.ts'
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

export function fullName({ scope, name }: CodeSymbol): string {
  return scope === '' ? name : `${scope}.${name}`
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
export function parameters(facts: FileFacts, name: string): string[] | null {
  const list = symbol(facts, name).signature.parameters
  return (
    list?.map(
      (parameter) =>
        `${parameter.variadic ? '…' : ''}${parameter.name}${parameter.optional ? '?' : ''}${parameter.keywordOnly ? '!' : ''}: ${parameter.type}`,
    ) ?? null
  )
}

/** The references by this name, in order. */
export function named(facts: FileFacts, name: string): Reference[] {
  return facts.references.filter((reference) => reference.name === name)
}

/** `12 call this.store.get(2 a b *) in Cache.load local`. */
export function uses(facts: FileFacts, name: string): string[] {
  return named(facts, name).map((reference) => {
    const { line, role, receiver, call, shadowed, enclosing } = reference
    const around = enclosing === null ? undefined : facts.symbols[enclosing]
    const shape = call
      ? `(${[call.positional, ...call.keywords, ...(call.spread ? ['*'] : [])].join(' ')})`
      : ''
    const place = around ? ` in ${fullName(around)}` : ''
    const before = receiver === null ? '' : `${receiver} . `
    return `${line} ${role} ${before}${name}${shape}${place}${shadowed ? ' local' : ''}`
  })
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
  return facts.typedNames.map(({ name, type, enclosing }) => {
    const around = enclosing === null ? undefined : facts.symbols[enclosing]
    return `${around ? `${fullName(around)} > ` : ''}${name}: ${type}`
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
