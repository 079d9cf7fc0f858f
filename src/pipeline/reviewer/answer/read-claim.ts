/** From the flat claim on the wire to a claim that code can check, or why it is none. */
import { Claim } from '../../../domain/claim.ts'
import type { WireClaim } from './schema.ts'

export function readClaim(wire: WireClaim): Claim | { unfit: string } {
  const parsed = Claim.safeParse(shapeOf(wire))
  if (!parsed.success) {
    const key = parsed.error.issues[0]?.path.join('.') ?? 'it'
    return { unfit: `\`${key}\` is missing or not as it should be` }
  }
  const empty = emptyWord(parsed.data)
  return empty === null ? parsed.data : { unfit: `\`${empty}\` is empty` }
}

function shapeOf(wire: WireClaim): unknown {
  const { kind, path, line, name } = wire
  const at = { kind, path, line }
  switch (kind) {
    case 'caller-not-updated':
      return { ...at, symbol: name, definedIn: wire.other_path }
    case 'undefined':
    case 'unused':
      return { ...at, name }
    case 'not-exported':
      return { ...at, name, from: wire.other_path }
    case 'missing-path':
      return { ...at, target: wire.other_path }
    case 'duplicate-of':
      return {
        ...at,
        endLine: wire.end_line,
        otherPath: wire.other_path,
        otherLine: wire.other_line,
        otherEndLine: wire.other_end_line,
      }
    case 'no-test-calls':
      return { ...at, symbol: name }
    case 'type-mismatch':
      return { ...at, checker: name, message: wire.text }
    case 'line-contains':
      return { ...at, side: wire.side, text: wire.text }
    case 'rule-matches':
      return { ...at, rule: name }
    case 'changes-together':
      return { kind, path, partner: wire.other_path, together: wire.together, total: wire.total }
  }
}

/** Words that the wire fills with nothing where a kind has no use for them; a claim cannot do without its own. */
function emptyWord(claim: Claim): string | null {
  const empty = Object.entries(claim).find(([, value]) => value === '')
  return empty ? empty[0] : null
}
