/**
 * Languages without rules for other files: only what a file says of itself. A bare name is the
 * member of a class around it, or a definition of the file; what comes from elsewhere stays unknown, and nothing is ever
 * called missing.
 */
import type { Language, Meaning, UseSite } from '../contract.ts'
import { nestedDefinitions } from '../scopes.ts'
import { around, defined, fullName, isType, symbolOf, symbolsIn, unknown } from '../symbols.ts'

const elsewhere = 'no resolver for other files of this language'

export const ownFile: Language = {
  ids: ['bash', 'scala', 'swift'],
  selfWords: { this: 'instance', self: 'instance', $this: 'instance', static: 'type' },
  constructorName: () => null,
  implicitConstructor: false,
  callMakes: true,
  bareMembers: true,
  inheritsOverloads: true,
  async name(_world, place, word) {
    const nested = nestedDefinitions(place.facts, place, word)
    return nested.length > 0 ? defined(nested) : nameAround(place, word)
  },
  imported: async () => unknown(elsewhere),
  moduleMember: async () => unknown(elsewhere),
  ownMembers: async (_world, type, member) =>
    symbolsIn(type.path, type.facts, fullName(symbolOf(type)), member),
  baseTypes: async () => ({ types: [], open: true }),
}

/** In PHP a bare call is never one of a method. */
const needReceivers: ReadonlySet<string> = new Set(['php'])

/** A class may inherit the name from another file, which would win over the file's own: so it is likely, not certain. */
function nameAround(place: UseSite, word: string): Meaning {
  const { path, facts } = place
  for (const index of around(place)) {
    const symbol = facts.symbols[index]
    if (!symbol || !isType(symbol) || needReceivers.has(facts.language)) continue
    const members = symbolsIn(path, facts, fullName(symbol), word)
    if (members.length > 0) return defined(members, { certainty: 'likely', bound: true })
  }
  const own = symbolsIn(path, facts, '', word)
  if (own.length > 0) return defined(own, { certainty: facts.language === 'bash' ? 'certain' : 'likely' })
  return unknown(elsewhere)
}
