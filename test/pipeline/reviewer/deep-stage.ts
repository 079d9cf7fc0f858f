/** A small world in which planes are asked about two files, by a gateway that the test writes answers for. */
import { createFence } from '../../../src/base/untrusted/untrusted.ts'
import { Config, defaultConfig } from '../../../src/config/schema.ts'
import type { Triage } from '../../../src/domain/coverage.ts'
import type { Gateway } from '../../../src/llm/contract.ts'
import { askReviewers } from '../../../src/pipeline/reviewer/ask-reviewers.ts'
import type { KnownBefore, ReviewerInput } from '../../../src/pipeline/reviewer/contract.ts'
import type { ModelPlane } from '../../../src/pipeline/reviewer/panel/model-planes.ts'
import { listModelPlanes } from '../../../src/pipeline/reviewer/panel/model-planes.ts'
import { deepPanel } from '../../../src/pipeline/reviewer/panel/panels.ts'
import { contextOf, createWorld, evidenceOf } from '../validation/world.ts'

export const byDefault = listModelPlanes().filter((plane) => plane.byDefault)

export const before = {
  'src/a.ts': 'export function one(): number {\n  return 1\n}\n',
  'src/b.ts': 'export function two(): number {\n  return 2\n}\n',
}
export const after = {
  'src/a.ts': 'export function one(): number {\n  return 10\n}\n',
  'src/b.ts': 'export function two(): number {\n  return 20\n}\n',
}

export type DeepRun = {
  planes?: readonly ModelPlane[]
  triage?: Triage | null
  known?: KnownBefore | null
  config?: object
  /** The files as the change leaves them. */
  head?: Record<string, string>
  mayAsk?: ReviewerInput['mayAsk']
}

export async function runDeep(gateway: Gateway, run: DeepRun = {}) {
  const { planes = byDefault, triage = null, known = null, config, mayAsk = async () => true } = run
  const world = createWorld(before, run.head ?? after)
  const { request } = contextOf(world.change)
  return askReviewers({
    panel: deepPanel(planes),
    triage,
    context: contextOf(world.change, {
      request: { ...request, title: 'Ten times as much', body: 'Nothing else changes.' },
      evidence: [evidenceOf('src/z.ts', 5, 'call(5)')],
    }),
    candidates: [],
    known,
    head: world.head,
    facts: world.facts,
    config: Config.parse({ ...defaultConfig, ...config }),
    gateway,
    fence: createFence('0123456789abcdef'),
    mayAsk,
    onEvent: () => {},
    note: () => {},
    signal: new AbortController().signal,
  })
}
