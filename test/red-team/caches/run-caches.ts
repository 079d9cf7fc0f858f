/**
 * Attacks on what is kept between runs: names of tenants that would share a folder, and questions that would be answered with
 * what was kept for another one. Every answer on record is found by its tenant's folder and its question's key, so two that
 * differ in anything must never have both in common.
 */
import type { JournalRequest } from '../../../src/domain/journal.ts'
import { journalKey } from '../../../src/storage/runs/recorder.ts'
import { tenantName } from '../../../src/storage/runs/registry.ts'
import { Random } from '../../helpers/random.ts'

export type CachesOutcome = { probes: number; tenants: number; mutations: number; hits: string[] }

const steps = [
  'a',
  'A',
  'acme',
  'Acme',
  '-',
  '_',
  '.',
  '..',
  '/',
  '\\',
  '\0',
  ' ',
  'é',
  'e\u0301',
  'İ',
  'ſ',
  '%2e',
  ':',
  '~',
  '🦊',
]

/** `probes`: half of them names of tenants, half of them questions. */
export function runCaches({ seed, probes }: { seed: number; probes: number }): CachesOutcome {
  const random = new Random(seed)
  const hits: string[] = []
  const folders = new Map<string, string>()
  for (let at = 0; at < probes / 2; at++) {
    const tenant = Array.from({ length: random.between(0, 12) }, () => random.pick(steps)).join('')
    const name = tenantName(tenant)
    // File systems may ignore case, and how a letter is composed.
    const place = name.toLowerCase().normalize('NFKC')
    const other = folders.get(place)
    if (other !== undefined && other !== tenant)
      hits.push(`${JSON.stringify(tenant)} and ${JSON.stringify(other)} share ${name}`)
    if (!/^t-[a-z0-9-]{0,40}-[0-9a-f]{32}$/.test(name))
      hits.push(`${JSON.stringify(tenant)} leads to ${name}`)
    folders.set(place, tenant)
  }
  const keys = new Map<string, string>()
  let mutations = 0
  for (let at = 0; at < probes / 2; at++) {
    const request = drawRequest(random)
    const question = written(request)
    const key = journalKey(request)
    const other = keys.get(key)
    if (other !== undefined && other !== question) hits.push(`${question} is answered as ${other}`)
    // So many are enough to be met again, and not too many to be held.
    if (keys.size < 100_000) keys.set(key, question)
    const changed = mutate(random, request)
    mutations++
    if (journalKey(changed) === key) hits.push(`${written(changed)} is answered as ${question}`)
  }
  return { probes, tenants: folders.size, mutations, hits }
}

const urls = [
  'https://a.example/v1/messages',
  'https://b.example/v1/messages',
  'https://a.example/v1/messages?x',
]
const bodies = [
  '{"model":"m","messages":[]}',
  '{"messages":[],"model":"m"}',
  '{"model":"m2","messages":[]}',
  '',
]

function drawRequest(random: Random): JournalRequest {
  const wire = {
    address: `reviewer/${random.between(0, 9)}`,
    method: 'POST',
    url: random.pick(urls),
    body: `${random.pick(bodies)}${random.between(0, 99)}`,
    outcome: random.pick(['answered', 'failed'] as const),
  }
  const input = { path: random.pick(['a', 'a/b', 'a\u0000b']), blob: String(random.between(0, 999)) }
  return random.pick<JournalRequest>([
    { kind: 'model', role: 'reviewer', ...wire, sample: random.between(0, 2) },
    { kind: 'embedding', role: 'embedder', ...wire },
    { kind: 'rerank', role: 'reranker', ...wire },
    { kind: 'tool', address: wire.address, tool: random.pick(['read_file', 'find_references']), input },
    { kind: 'clock', address: wire.address, clock: 'graph', input },
  ])
}

/** One thing is another: which one, in a string or a number somewhere inside. */
function mutate(random: Random, request: JournalRequest): JournalRequest {
  const places = placesIn(request).filter(
    ([first]) => first !== 'address' && first !== 'role' && first !== 'kind',
  )
  const place = random.pick(places)
  const copy = structuredClone(request)
  let holder: object = copy
  for (const step of place.slice(0, -1)) holder = Reflect.get(holder, step)
  const last = place.at(-1) ?? ''
  const value: unknown = Reflect.get(holder, last)
  if (typeof value === 'number') Reflect.set(holder, last, value + 1)
  else if (last === 'outcome') Reflect.set(holder, last, value === 'answered' ? 'failed' : 'answered')
  else {
    const text = String(value)
    const at = random.between(0, text.length)
    const inserted = random.pick(['x', ' ', '\0', '"', '\\', '\u200b'])
    Reflect.set(holder, last, text.slice(0, at) + inserted + text.slice(at))
  }
  return copy
}

function placesIn(value: object, above: readonly string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null ? placesIn(inner, [...above, key]) : [[...above, key]],
  )
}

/** What makes it another question, in another way than the product writes it down. */
function written(request: JournalRequest): string {
  return placesIn(request)
    .filter(([first]) => first !== 'address' && first !== 'role')
    .map((place) => {
      let value: unknown = request
      for (const step of place) value = Reflect.get(Object(value), step)
      return `${place.join('.')}=${JSON.stringify(value)}`
    })
    .sort()
    .join(' ')
}
