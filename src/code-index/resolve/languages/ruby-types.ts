/**
 * What a class or module of Ruby holds: methods of its objects, methods of itself, and what is mixed into either. The
 * facts do not tell `def self.x` and `class << self` from other methods, so the text does.
 */

import { itemsBy } from '../../../base/grouped.ts'
import { oncePer } from '../../../base/remembered.ts'
import type { FileFacts, Reference } from '../../contract.ts'
import type { Definition, UseSite, World } from '../contract.ts'
import { type Lines, linesOf } from '../lines.ts'
import { around, isType, membersNamed } from '../symbols.ts'

/** Members of this name of any of the parts. A module's own functions are reached through the module as well. */
export async function typeMembers(
  world: World,
  parts: readonly Definition[],
  member: string,
  ofInstance: boolean,
): Promise<Definition[]> {
  const found: Definition[] = []
  for (const { path, facts, index } of parts) {
    const type = { path, facts, index }
    const named = membersNamed(type, member)
    const constructors = !ofInstance && member === 'new' ? membersNamed(type, 'initialize') : []
    if (named.length === 0 && constructors.length === 0) continue
    const text = await world.text(path)
    const isModule = facts.symbols[index]?.kind === 'module'
    for (const one of named) {
      const isOwn = text === null || isSingleton(facts, text, one.index)
      if (ofInstance ? !isOwn : isOwn || isModule) found.push(one)
    }
    if (found.length === 0) found.push(...constructors)
  }
  return found
}

/** A method of the class or module itself. */
function isSingleton(facts: FileFacts, text: string, index: number): boolean {
  const symbol = facts.symbols[index]
  if (!symbol) return false
  if (/^(?:\w+ )*def\s+(?:self|[A-Z]\w*)\./.test(symbol.signature.text)) return true
  return singletonBlocks(linesOf(facts, text)).some(
    ({ from, to }) => from < symbol.nameLine && symbol.nameLine < to,
  )
}

/** The lines of `class << self`, by their indent. */
const singletonBlocks = oncePer((lines: Lines) =>
  lines
    .holding('<<', 1, lines.count, (whole, at) => /class\s+$/.test(whole.slice(Math.max(0, at - 12), at)))
    .map((from) => {
      const indent = /^\s*/.exec(lines.at(from))?.[0] ?? ''
      let to = from + 1
      while (to <= lines.count && !lines.at(to).startsWith(`${indent}end`)) to++
      return { from, to }
    }),
)

/** Functions whose block runs on another object than the one around. */
const foreignBlock =
  /\b(?:class_eval|instance_eval|instance_exec|class_exec|module_eval|draw|included|prepended|class_methods|configure|define)\b/

/** True when a bare call is one of an object of the class around, false when of the class itself, null when not known. */
export async function instanceSide(world: World, place: UseSite): Promise<boolean | null> {
  const holders = around(place)
  const method = holders.find((index) => !isType(place.facts.symbols[index] ?? never, place.facts))
  const type = holders.find((index) => isType(place.facts.symbols[index] ?? never, place.facts))
  const text = place.text ?? (await world.text(place.path))
  if (text === null) return null
  if (method === undefined || type === undefined || method < type) return false
  const symbol = place.facts.symbols[method]
  if (!symbol || (symbol.kind !== 'method' && symbol.kind !== 'function')) return false
  const lines = linesOf(place.facts, text)
  const first = place.facts.symbols[type]?.startLine ?? 1
  if (symbol.kind === 'function' && foreignBlock.test(lastOpening(lines, symbol.startLine, first)))
    return null
  return !isSingleton(place.facts, text, method)
}

const never = { kind: 'variable' } as Parameters<typeof isType>[0]

/** The nearest line above that is less indented, from `first` on. */
function lastOpening(lines: Lines, line: number, first: number): string {
  const at = openingsOf(lines)[line] ?? 0
  return at < first ? '' : lines.at(at)
}

/** For each line, the number of the nearest one above that is less indented; 0 for none. */
const openingsOf = oncePer((lines: Lines) => {
  const found = new Int32Array(lines.count + 1)
  const above: { line: number; indent: number }[] = []
  for (let line = 1; line <= lines.count; line++) {
    const text = lines.at(line)
    const indent = text.length - text.trimStart().length
    const isBlank = text.trim() === ''
    if (!isBlank) while ((above.at(-1)?.indent ?? -1) >= indent) above.pop()
    found[line] = above.findLast((one) => one.indent < indent)?.line ?? 0
    if (!isBlank) above.push({ line, indent })
  }
  return found
})

/** The type that names a base here; undefined for any other reference. */
function extender({ role, enclosing }: Reference): number | null | undefined {
  return role === 'extends' ? enclosing : undefined
}

/** Superclass and mixins as written, last one first as Ruby asks them; `extend` gives to the class itself. */
export async function mixinsOf(
  world: World,
  { path, facts, index }: Definition,
): Promise<{ path: string; word: string }[]> {
  const written = itemsBy(facts.references, extender, index)
  if (written.length === 0) return []
  const text = await world.text(path)
  if (text === null) return []
  const lines = linesOf(facts, text)
  const found = written.map(({ name, receiver, line }) => {
    const [, word = 'class'] = /^\s*(include|extend|prepend)\b/.exec(lines.at(line)) ?? []
    return { path: receiver ? `${receiver}::${name}` : name, word }
  })
  const mixed = found.filter(({ word }) => word !== 'class').reverse()
  return [...mixed, ...found.filter(({ word }) => word === 'class')]
}
