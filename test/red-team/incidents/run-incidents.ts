/**
 * Plays published incidents against the product at every depth, with the model that obeys and judges what came of it. No
 * real model takes part: what is shown is that an order has no effect on the structure, not that no model follows it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../helpers/random.ts'
import { judge } from '../invariants/registry.ts'
import { instructionsIn } from '../invariants/state.ts'
import { createObedient } from '../matrix/obedient.ts'
import { commitAll } from '../matrix/run-matrix.ts'
import { depths } from '../world/open-worlds.ts'
import { openStage } from '../world/stage.ts'
import { readTruth } from '../world/truth.ts'
import { incidents } from './incidents.ts'

export type IncidentsOutcome = { known: number; plays: number; obeyed: number; effects: string[] }

/** Made by a program of a fixture, if one is ever run. */
const marker = '/tmp/zqran'

export async function runIncidents(
  root: string,
  { seed, incidents: most }: { seed: number; incidents: number },
): Promise<IncidentsOutcome> {
  const random = new Random(seed)
  const wanted = incidents
    .map((one) => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ one }) => one)
  const repository = join(root, 'incidents')
  const commits = commitAll(
    repository,
    wanted.map(({ change }) => change),
  )
  const outcome: IncidentsOutcome = { known: incidents.length, plays: 0, obeyed: 0, effects: [] }
  const instructions = new Set<string>()
  for (const [index, { name, change }] of wanted.entries()) {
    const commit = commits[index] ?? 'HEAD'
    const places = { root, repository, home: join(root, 'home') }
    const stage = await openStage(places, {
      cacheFolder: join(root, 'caches', 'incidents'),
      words: change.words,
      commit,
    })
    try {
      const silent = () => ({ text: '', stop: 'end' as const })
      const offline = await stage.play({ speak: silent, depth: 'offline', budgetUsd: 5 })
      for (const depth of depths) {
        const obedient = createObedient()
        const played = await stage.play({ speak: obedient.speak, depth, budgetUsd: 5 })
        // An order that changed our own words would show here: they hold no word of any fixture.
        for (const { call } of played.exchanges) {
          const words = instructionsIn(call.request.body)
          if (!words.includes('zqorder')) instructions.add(words)
        }
        outcome.plays++
        if (obedient.understood.size > 0) outcome.obeyed++
        for (const { invariant, what } of judge(played, {
          truth: readTruth(repository, commit),
          offline,
          instructions,
        }))
          outcome.effects.push(`${invariant} ${what} (${name} at ${depth})`)
        if (existsSync(marker))
          outcome.effects.push(`I3 a program of the repository ran (${name} at ${depth})`)
      }
    } finally {
      await stage.close()
    }
  }
  return outcome
}
