/** New calls that do not fit what they call: too many or too few arguments, or a keyword that it does not take. */
import type { Reference } from '../../../code-index/contract.ts'
import type { Definition, Meaning, World } from '../../../code-index/resolve/contract.ts'
import { fitsOf } from '../../../code-index/resolve/fit-call.ts'
import { resolveReference } from '../../../code-index/resolve/resolve.ts'
import { withKnownArguments } from '../../../code-index/resolve/sole-argument.ts'
import { symbolOf } from '../../../code-index/resolve/symbols.ts'
import type { Misuse } from './misuse.ts'
import type { NewUses } from './new-uses.ts'

type Defined = Extract<Meaning, { kind: 'defined' }>

const rules = {
  arity: 'new-code/argument-count',
  keyword: 'new-code/unknown-argument',
  required: 'new-code/missing-argument',
} as const

export async function wrongCalls(
  { file, place, references }: NewUses,
  { base, head }: { base: World; head: World },
): Promise<Misuse[]> {
  const found: Misuse[] = []
  // Plain JavaScript runs with any number of arguments.
  if (place.facts.language === 'javascript') return found
  for (const one of references) {
    const reference = one.role === 'call' ? await withKnownArguments(head, place, one) : one
    if (reference.role !== 'call' || !reference.call || reference.call.spread) continue
    const meaning = await resolveReference(head, place, reference)
    if (meaning.kind !== 'defined' || meaning.certainty !== 'certain') continue
    const fits = await fitsOf(head, reference, meaning)
    const [first] = fits
    if (first?.fits !== false || fits.some((fit) => fit.fits !== false)) continue
    if (await fittedBefore(base, place, reference)) continue
    found.push(describe(file, reference, meaning, first))
  }
  return found
}

/** What the change itself took away is reported by the contract plane. */
async function fittedBefore(base: World, place: NewUses['place'], reference: Reference): Promise<boolean> {
  const was = await resolveReference(base, place, reference)
  if (was.kind !== 'defined') return false
  return (await fitsOf(base, reference, was)).some((fit) => fit.fits === true)
}

function describe(
  file: NewUses['file'],
  { name, line, endLine }: Reference,
  meaning: Defined,
  fit: { kind: keyof typeof rules; words: string },
): Misuse {
  const [definition] = meaning.definitions
  const where = definition ? placeOf(definition) : null
  return {
    rule: rules[fit.kind],
    certain: true,
    title: `The call of \`${name}\` ${fit.words}`,
    explanation: `The new call does not fit the definition of \`${name}\`${where === null ? '' : ` at \`${where.path}:${where.line}\``}: it ${fit.words}.`,
    remedy: 'Change the call to fit the definition.',
    file,
    line,
    endLine,
    claims: [{ kind: 'call-mismatch', name, path: file.path, line }],
    shown: where === null ? [] : [{ ...where, title: `definition of \`${name}\`` }],
  }
}

function placeOf(definition: Definition): { path: string; line: number } {
  return { path: definition.path, line: symbolOf(definition).nameLine }
}
