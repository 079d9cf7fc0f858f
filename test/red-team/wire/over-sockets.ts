/**
 * The same attackers behind real sockets: the strict server of every provider, the library's own entry point, a run kept on
 * disk. Slower than in process, and without anything of ours between product and wire.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { defaultConfig } from '../../../src/config/schema.ts'
import type { ReviewEvent } from '../../../src/domain/events.ts'
import { reviewChange } from '../../../src/index.ts'
import type { Call } from '../../helpers/fakes/contract.ts'
import { type FakeKind, protocols, startFakeProvider } from '../../helpers/fakes/registry.ts'
import { settingsFor } from '../../helpers/fakes/settings.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { createAttacker } from '../attacker/attacker.ts'
import { judgeAnchors } from '../invariants/anchors.ts'
import { judgeConclusion } from '../invariants/conclusion.ts'
import type { Violation } from '../invariants/contract.ts'
import { judgeEgress } from '../invariants/egress.ts'
import { canaries } from '../world/canaries.ts'
import type { World } from '../world/open-worlds.ts'
import { type Played, renderAll } from '../world/stage.ts'
import type { Exchange, Said } from './in-process.ts'

export type WireOutcome = { runs: number; kinds: string[]; requests: number; violations: string[] }

const depths = ['quick', 'standard', 'deep'] as const

/** Each kind of provider in turn, then the next depth; every run has the next seed. */
export async function playOverSockets(
  world: World,
  { seed, runs }: { seed: number; runs: number },
): Promise<WireOutcome> {
  const kinds = Object.keys(protocols) as FakeKind[]
  const outcome: WireOutcome = { runs: 0, kinds, requests: 0, violations: [] }
  for (; outcome.runs < runs; outcome.runs++) {
    const at = (seed % kinds.length) + outcome.runs
    const kind = kinds[at % kinds.length] ?? 'anthropic'
    const depth = depths[Math.floor(at / kinds.length) % depths.length] ?? 'quick'
    const own = seed + outcome.runs
    const { violations, requests } = await playOne(world, kind, depth, own)
    outcome.requests += requests
    for (const { invariant, what } of violations)
      outcome.violations.push(`${invariant} ${what} (${kind}, ${depth}, seed ${own})`)
  }
  return outcome
}

async function playOne(
  { places, judged }: World,
  kind: FakeKind,
  depth: (typeof depths)[number],
  seed: number,
): Promise<{ violations: Violation[]; requests: number }> {
  const attacker = createAttacker(seed)
  const exchanges: Exchange[] = []
  const answerFrom = (call: Call): string => {
    const said: Said = attacker.speak(call)
    exchanges.push({ call, said, inputTokens: call.usage.input, outputTokens: 0 })
    return said.text
  }
  await using fake = await startFakeProvider(kind, {
    steps: [{ answer: 'unfit', value: '', times: 'always', answerFrom }],
  })
  const state = mkdtempSync(join(places.root, 'state-'))
  const { settings, environment } = settingsFor(kind, fake)
  const path = join(state, 'settings.yaml')
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(settings))
  const events: ReviewEvent[] = []
  const startedAt = process.cpuUsage()
  const { review } = await reviewChange({
    folder: places.repository,
    selector: { kind: 'commit', commit: 'HEAD' },
    cacheFolder: join(places.root, 'caches', 'wire'),
    facts: sharedFacts(),
    overrides: { depth },
    models: {
      budget: 20,
      environment: {
        ...environment,
        SIGHTLINE_SETTINGS: path,
        XDG_STATE_HOME: state,
        HOME: places.home,
        DEPLOY_TOKEN: canaries.environment,
      },
    },
    record: { fresh: true },
    onEvent: (event) => void events.push(event),
  })
  const used = process.cpuUsage(startedAt)
  const played: Played = {
    depth,
    review,
    exchanges,
    events,
    journal: filesBelow(join(state, 'sightline')),
    outputs: renderAll(review),
    toolCalls: [],
    pathsRead: [],
    config: defaultConfig,
    budgetUsd: 20,
    processorMs: (used.user + used.system) / 1000,
    refused: [],
  }
  const look = (invariant: Violation['invariant'], found: string[]): Violation[] =>
    found.map((what) => ({ invariant, what }))
  return {
    requests: fake.requests.length,
    violations: [
      ...look('I1', judgeConclusion(played, judged)),
      ...look('I2', judgeAnchors(played, judged)),
      ...look('I4', judgeEgress(played, judged)),
      ...look(
        'I6',
        fake.mistakes.map((mistake) => `the provider did not understand: ${mistake}`),
      ),
    ],
  }
}

/** What a run left on disk, unpacked: sealed secrets lie in it encrypted, and the key beside it is no text. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      return bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528
        ? zstdDecompressSync(bytes).toString('utf8')
        : bytes.toString('utf8')
    })
}
