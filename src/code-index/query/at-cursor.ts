/** Questions of an editor about one place: what the name at the cursor means, and what a definition calls. */
import { itemsBy } from '../../base/grouped.ts'
import type { ImportFact, Reference } from '../contract.ts'
import type { Definition } from '../resolve/contract.ts'
import { linesOf } from '../resolve/lines.ts'
import { resolveImport } from '../resolve/resolve.ts'
import { symbolOf } from '../resolve/symbols.ts'
import type { CodeTree } from './contract.ts'
import { isSameThing } from './definitions.ts'
import { resolvedUses } from './references.ts'

/** `line` from 1, `column` from 0 in UTF-16 units. */
export type CursorPlace = { path: string; line: number; column: number }

/** Null where no name is at the place, or its meaning is not known for certain. */
export async function definitionAtCursor(tree: CodeTree, place: CursorPlace): Promise<Definition | null> {
  const { path, line, column } = place
  const [facts, text] = [await tree.world.facts(path), await tree.world.text(path)]
  const word = facts && text !== null ? wordAt(linesOf(facts, text).at(line), column) : null
  if (!facts || !word) return null
  const { name, from } = word
  const own = facts.symbols.findIndex(
    (symbol) => symbol.nameLine === line && symbol.name === name && symbol.kind !== 'impl',
  )
  if (own >= 0) return { path, facts, index: own }
  const site = { path, facts, enclosing: null, text }
  const uses = await resolvedUses(tree.world, site, name)
  const use = uses.find(({ reference }) => reference.line === line && reference.column === from)
  const imported = itemsBy(facts.imports, importLine, line).find(
    (fact) => fact.local === name || fact.imported === name,
  )
  const meaning = use?.meaning ?? (imported && (await resolveImport(tree.world, site, imported)))
  if (meaning?.kind !== 'defined') return null
  const [first, ...others] = meaning.definitions
  return first && others.every((one) => isSameThing(one, first)) ? first : null
}

/** What it calls, each with the places of the calls, in the order of the first; calls whose meaning is not known are left out. */
export async function findCallees(
  tree: CodeTree,
  caller: Definition,
): Promise<{ called: Definition; calls: Reference[] }[]> {
  const { path, facts } = caller
  const { startLine, endLine } = symbolOf(caller)
  const site = { path, facts, enclosing: null, text: await tree.world.text(path) }
  const inside = facts.references.filter(
    ({ role, line }) => role === 'call' && startLine <= line && line <= endLine,
  )
  const found: { called: Definition; calls: Reference[] }[] = []
  for (const reference of inside) {
    const uses = await resolvedUses(tree.world, site, reference.name)
    const meaning = uses.find((use) => use.reference === reference)?.meaning
    if (meaning?.kind !== 'defined') continue
    const [called] = meaning.definitions
    if (!called) continue
    const known = found.find((one) => isSameThing(one.called, called))
    if (known) known.calls.push(reference)
    else found.push({ called, calls: [reference] })
  }
  return found
}

type Word = { name: string; from: number }

/** The identifier that a column is in, or right behind. */
export function wordAt(line: string, column: number): Word | null {
  return wordsOf(line).find(({ name, from }) => from <= column && column <= from + name.length) ?? null
}

/** Where the line has the name first; 0 where it has not. */
export function columnOf(line: string, name: string): number {
  return wordsOf(line).find((word) => word.name === name)?.from ?? Math.max(line.indexOf(name), 0)
}

function wordsOf(line: string): Word[] {
  return [...line.matchAll(/[\p{L}\p{N}_$]+[?!]?/gu)].map(({ 0: name, index: from }) => ({ name, from }))
}

function importLine({ line }: ImportFact): number {
  return line
}
