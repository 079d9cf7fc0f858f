/**
 * What one use of a name means for one target (an edge, something else for certain, or not known), and how far such an
 * edge can be trusted.
 */
import { itemsBy } from '../../base/grouped.ts'
import type { FileFacts, ImportFact, Reference } from '../contract.ts'
import type { Certainty, Definition, Meaning } from '../resolve/contract.ts'
import { resolverOf } from '../resolve/languages/registry.ts'
import { symbolOf } from '../resolve/symbols.ts'
import type { EdgeHow } from './contract.ts'
import { isSameThing } from './definitions.ts'
import { isTypeOf } from './target-names.ts'

export type Class =
  | { kind: 'edge'; how: EdgeHow; certainty: Certainty }
  | { kind: 'elsewhere' }
  | { kind: 'unknown'; why: string }

/** The resolver's words for what is known not to come from this repository, or to be a local. */
const foreign: ReadonlySet<string> = new Set([
  'a local of the same name',
  'another crate',
  'another library',
  'another module',
  'another package',
])

/** The resolver's words for a receiver of which nothing at all is known: it may be ours. */
const untyped: ReadonlySet<string> = new Set([
  'a local of unknown type',
  'its type is not written',
  'the receiver is an expression',
  'what it returns is not written',
])

/** `reference` is null for an import. The facts are those of the file of the use. */
export function classify(
  meaning: Meaning,
  target: Definition,
  reference: Reference | null,
  facts: FileFacts,
): Class {
  switch (meaning.kind) {
    case 'defined':
      return among(meaning, target, reference)
    case 'module':
      return symbolOf(target).kind === 'module' && reference !== null
        ? { kind: 'unknown', why: 'it names a module' }
        : { kind: 'elsewhere' }
    case 'missing':
      return { kind: 'unknown', why: `not found in ${meaning.where === '' ? 'the root' : meaning.where}` }
    case 'unknown':
      return foreign.has(meaning.why)
        ? foreignUse(meaning.why, target, reference, facts)
        : { kind: 'unknown', why: meaning.why }
  }
}

/** What another library hands back may be ours, and ours may extend what is of another library. */
function foreignUse(why: string, target: Definition, reference: Reference | null, facts: FileFacts): Class {
  const receiver = reference?.receiver ?? null
  if (receiver === null || !(isExtension(target) || isValue(receiver, facts))) return { kind: 'elsewhere' }
  return {
    kind: 'unknown',
    why: why === localName ? 'a local of unknown type' : `its receiver comes from ${why}`,
  }
}

const localName = 'a local of the same name'

/** Not a module, a package or a type, of which another library says what members it has. */
function isValue(receiver: string, facts: FileFacts): boolean {
  if (/[([]/.test(receiver)) return true
  if (/::|\\/.test(receiver)) return false
  const names = receiver.split(/[?!]?\./)
  const [first = ''] = names
  if (/^\p{Lu}/u.test(names.at(-1) ?? '') || /^\p{Lu}/u.test(first)) return false
  return itemsBy(facts.imports, firstOfLocal, first).length === 0
}

/** `import a.b` binds `a`. */
function firstOfLocal({ local }: ImportFact): string | null {
  return local?.split('.', 1)[0] ?? null
}

/** `fun String.twice()`, `Twice(this int x)`: a member of a type that is not its own. */
function isExtension(target: Definition): boolean {
  const { name, signature } = symbolOf(target)
  if (target.facts.language === 'csharp') return /\(\s*this\s/.test(signature.text)
  return target.facts.language === 'kotlin' && signature.text.includes(`.${name}`)
}

/**
 * A call through a receiver of unknown type may count for the only member of this name in the tree, if the name says
 * enough for that (two words) and the arguments fit.
 */
export function mayBeUnique(why: string, target: Definition, reference: Reference): boolean {
  const { name, scope } = symbolOf(target)
  const isTelling = name.length >= 8 && /[a-z\d][A-Z]|[^_]_[^_]/.test(name)
  return (
    untyped.has(why) && reference.role === 'call' && scope !== '' && isTelling && takes(target, reference)
  )
}

function among(
  { definitions, how, certainty }: Extract<Meaning, { kind: 'defined' }>,
  target: Definition,
  reference: Reference | null,
): Class {
  if (definitions.some((one) => isTypeOf(one, target))) {
    if (reference?.role !== 'call') return { kind: 'elsewhere' }
    const others = constructorsBeside(target)
    const isOther = others.some((one) => takes(one, reference))
    // Where no constructor takes the arguments, each may be meant: some languages leave out what is missing.
    if (!takes(target, reference) && isOther) return { kind: 'elsewhere' }
    const isOnly = others.length === 0 || (!isOther && takes(target, reference))
    return { kind: 'edge', how: isOnly ? how : 'ambiguous', certainty }
  }
  // Within a type of C++, its name is also that of its constructors.
  const named = definitions.map((one) => (isTypeOf(target, one) ? target : one))
  if (!named.some((one) => isSameThing(one, target))) return { kind: 'elsewhere' }
  const things = named.filter((one, at) => named.findIndex((other) => isSameThing(other, one)) === at)
  const overloads = resolverOf(target.facts.language)?.inheritsOverloads === true && reference?.call
  const fitting = overloads ? things.filter((one) => takes(one, reference)) : things
  if (fitting.length > 0 && !fitting.some((one) => isSameThing(one, target))) return { kind: 'elsewhere' }
  return { kind: 'edge', how: fitting.length === 1 ? how : 'ambiguous', certainty }
}

/** The other constructors of the type, and the type itself when it takes parameters as one does. */
function constructorsBeside(target: Definition): Definition[] {
  const { path, facts, index } = target
  const type = facts.parents[index] ?? null
  const { name } = symbolOf(target)
  return facts.symbols.flatMap((symbol, at) => {
    const isOther = at !== index && facts.parents[at] === type && symbol.name === name
    const isPrimary = at === type && symbol.signature.parameters !== null
    return isOther || isPrimary ? [{ path, facts, index: at }] : []
  })
}

/** Could the target be called like this, by the number of arguments? A receiver may fill its first parameter. */
function takes(target: Definition, { call }: Reference): boolean {
  const parameters = symbolOf(target).signature.parameters
  if (!call || call.spread || parameters === null) return true
  const given = call.positional + call.keywords.length
  const required = parameters.filter(({ optional, variadic }) => !optional && !variadic).length
  const most = parameters.some(({ variadic }) => variadic) ? Number.POSITIVE_INFINITY : parameters.length
  const slack = /^(?:self|cls)$/.test(parameters[0]?.name ?? '') ? 1 : 0
  return given >= required - slack && given <= most
}

// How far an edge can be trusted. The numbers are an order, not measured shares.

const byHow: Readonly<Record<EdgeHow, number>> = {
  'same file': 1,
  import: 1,
  'same package': 1,
  're-export chain': 0.95,
  'receiver type': 0.9,
  inherited: 0.85,
  'unique name': 0.5,
  ambiguous: 0.4,
  'language server': 1,
}

/** What holds by convention only counts for a tenth less. */
export function confidenceOf(how: EdgeHow, certainty: Certainty): number {
  const full = byHow[how]
  return certainty === 'certain' ? full : Math.round(full * 90) / 100
}
