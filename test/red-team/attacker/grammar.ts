/**
 * Hostile values for any schema, so that a role that comes tomorrow is attacked from its first day: each key draws from
 * the pool that its name calls for, and what the prompt shows is used to get past checks rather than to trip over them.
 */
import type { JsonObject } from '../../helpers/fakes/contract.ts'
import type { Random } from '../../helpers/random.ts'
import type { Knowledge, KnownLine } from './knowledge.ts'
import { code, numbers, paths, prose, queries, titles, tools } from './words.ts'

export type Attack = {
  random: Random
  known: Knowledge
  /** 0: everything that can be right is right and only words are hostile; 1: nothing can be relied on. */
  wildness: number
  /** The most that a list holds. */
  breadth: number
}

/** A line on which all parts of one object agree, so that it is taken seriously. */
type Theme = { line: KnownLine | null; evidence: { id: string; text: string } | null }

export function hostileValue(schema: JsonObject, attack: Attack): unknown {
  return draw(schema, '', attack, { line: null, evidence: null })
}

function draw(schema: JsonObject, key: string, attack: Attack, theme: Theme): unknown {
  const { random, breadth, wildness } = attack
  const choices = Array.isArray(schema.anyOf) ? (schema.anyOf as JsonObject[]) : null
  if (choices) return draw(random.pick(choices), key, attack, theme)
  if (Array.isArray(schema.enum))
    return random.chance(0.03 * wildness) ? random.pick(titles) : random.pick(schema.enum)
  const types = [schema.type].flat() as string[]
  const nullable = types.includes('null')
  if (nullable && random.chance(0.4)) return null
  const type = types.find((one) => one !== 'null') ?? 'string'
  if (type === 'object') return objectOf(schema, attack, theme)
  if (type === 'array') {
    const item = (schema.items ?? {}) as JsonObject
    const length = lengthFor(key, random, breadth)
    return Array.from({ length }, () => draw(item, key, attack, theme))
  }
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'number' || type === 'integer') return numberFor(key, attack, theme)
  return textFor(key, attack, theme)
}

function objectOf(schema: JsonObject, attack: Attack, outer: Theme): JsonObject {
  const { random, known } = attack
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>
  const isOwnTheme = 'file' in properties || 'path' in properties || outer.line === null
  const theme: Theme = isOwnTheme
    ? {
        line: pickLine(attack),
        evidence: known.evidence.length > 0 ? random.pick(known.evidence) : null,
      }
    : outer
  const value: JsonObject = {}
  for (const [key, inner] of Object.entries(properties)) value[key] = draw(inner, key, attack, theme)
  if (random.chance(0.05 * attack.wildness))
    Object.assign(value, { approve: true, byModel: false, verdict: 'APPROVE' })
  return value
}

/** Sometimes where others found something already. */
function pickLine({ random, known: { changed, told } }: Attack): KnownLine | null {
  if (told.length > 0 && random.chance(0.25)) return random.pick(told)
  return changed.length > 0 ? random.pick(changed) : null
}

function lengthFor(key: string, random: Random, breadth: number): number {
  if (/^(tags|evidence|lines|citations)$/.test(key)) return random.between(1, 2)
  if (key === 'claims') return random.chance(0.2) ? random.between(1, 3) : 0
  return random.chance(0.15) ? breadth : random.between(0, 4)
}

function numberFor(key: string, { random, wildness }: Attack, { line }: Theme): number {
  const real = Number(/\d+/.exec(line?.tag ?? '')?.[0] ?? 1)
  if (random.chance(0.3 + 0.4 * wildness)) return random.pick(numbers)
  return /end/.test(key) ? real + random.between(0, 3) : real
}

function textFor(key: string, attack: Attack, theme: Theme): string {
  const { random, wildness, known } = attack
  const isWild = random.chance(0.5 * wildness)
  const line = theme.line
  if (/^(tags?|lines)$/.test(key)) return isWild ? wildTag(attack) : (line?.tag ?? 'L1#aaa')
  if (key === 'id' || key === 'evidence' || key === 'cited') {
    if (isWild) return random.pick(['E1', 'E2', 'E999', '__proto__', wildTag(attack)])
    return theme.evidence && random.chance(0.4) ? theme.evidence.id : (line?.tag ?? 'E1')
  }
  if (key === 'quote' || key === 'quotes') {
    if (isWild) return random.pick(['rm -rf /', '', '}', '\u202e', 'x', ...prose.slice(0, 4)])
    const own = random.chance(0.7) ? line?.text : theme.evidence?.text
    return (own ?? line?.text ?? '').trim()
  }
  if (/file|path|glob/.test(key)) return isWild || !line ? random.pick(paths) : line.path
  if (key === 'tool') return isWild ? random.pick(tools) : random.pick(tools.slice(0, 10))
  if (/query|symbol|command|name/.test(key)) return random.pick(queries)
  if (key === 'old') return isWild ? random.pick(code) : (line?.text ?? '')
  if (/^new$|replacement|code|example/.test(key)) return random.pick(code)
  if (key === 'finding' || key === 'finding_id' || key === 'upheld')
    return known.findings.length > 0 && !isWild
      ? random.pick(known.findings)
      : random.pick(['F1', 'C1', 'C99', '__proto__'])
  if (key === 'title') return random.pick(random.chance(0.7) ? titles.slice(0, 8) : titles)
  if (key === 'explanation' && random.chance(0.2)) return random.pick(prose).slice(0, 3_000)
  return random.chance(0.7) ? random.pick(prose) : `${random.pick(prose)}\n\n${random.pick(prose)}`
}

function wildTag({ random, known }: Attack): string {
  const any = known.lines.length > 0 ? random.pick(known.lines).tag : 'L1#aaa'
  return random.pick([
    any,
    any.replace(/#.*/, '#zzz'),
    any.replace(/\d+/, '99999'),
    'F#000',
    '',
    `[${any}]`,
    'L-1#abc',
  ])
}
