/** A small world in which two readers are asked about two files, by a gateway that the test writes answers for. */
import { createFence } from '../../../src/base/untrusted/untrusted.ts'
import { Config, defaultConfig } from '../../../src/config/schema.ts'
import type { Gateway, Question } from '../../../src/llm/contract.ts'
import type { ReviewAnswer } from '../../../src/pipeline/reviewer/answer/schema.ts'
import { askReviewers } from '../../../src/pipeline/reviewer/ask-reviewers.ts'
import type { KnownBefore, ReviewerInput } from '../../../src/pipeline/reviewer/contract.ts'
import { panelOf } from '../../../src/pipeline/reviewer/panel.ts'
import { type Failed, scriptedGateway } from '../../helpers/scripted-gateway.ts'
import { contextOf, createWorld, evidenceOf } from '../validation/world.ts'
import { wireAnswer } from './wire.ts'

const before = {
  'src/a.ts': 'export function one(): number {\n  return 1\n}\n',
  'src/b.ts': 'export function two(): number {\n  return 2\n}\n',
}
export const after = {
  'src/a.ts': 'export function one(): number {\n  return 10\n}\n',
  'src/b.ts': 'export function two(): number {\n  return 20\n}\n',
}

export type DeepRun = {
  depth?: 'standard' | 'deep'
  known?: KnownBefore | null
  config?: object
  /** The files as the change leaves them. */
  head?: Record<string, string>
  mayAsk?: ReviewerInput['mayAsk']
}

export async function runDeep(gateway: Gateway, run: DeepRun = {}) {
  const { depth = 'deep', known = null, config, mayAsk = async () => true } = run
  const world = createWorld(before, run.head ?? after)
  const { request } = contextOf(world.change)
  return askReviewers({
    panel: panelOf(depth),
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

export const isSecond = ({ address }: Question<unknown>) => address.includes('/second/')

export type Says = (question: Question<unknown>) => Partial<ReviewAnswer> | Failed

/** What the first reader and what the second one answers. */
export async function readTwice(first: Says, second: Says, run: DeepRun = {}) {
  const gateway = scriptedGateway((question) => {
    const said = isSecond(question) ? second(question) : first(question)
    return 'outcome' in said ? said : wireAnswer(said)
  })
  return { ...(await runDeep(gateway, run)), asked: gateway.questions }
}
