/** A small change, a finding of a model on it, and a judge whose answers a test computes. */

import type { Toolbox } from '../../../src/agent/contract.ts'
import { createFence } from '../../../src/base/untrusted/untrusted.ts'
import { Config, defaultConfig } from '../../../src/config/schema.ts'
import type { ReviewEvent } from '../../../src/domain/events.ts'
import type { Citation, Finding, Verdict } from '../../../src/domain/finding.ts'
import type { ReviewContext } from '../../../src/domain/review-context.ts'
import type { Gateway, Question } from '../../../src/llm/contract.ts'
import { type RefutationResult, refuteFindings } from '../../../src/pipeline/refutation/refute-findings.ts'
import type { CodeQuestions, DefinitionPlace } from '../../../src/pipeline/refutation/sources.ts'
import { type Judged, judgedAlike } from '../../helpers/judge-answer.ts'
import { sampleFinding } from '../../helpers/sample-review.ts'
import { type Say, scriptedGateway, wordsOf } from '../../helpers/scripted-gateway.ts'
import { toolAnswer } from '../../helpers/tool-answer.ts'
import { verdictOn } from '../conclude/parts.ts'
import { contextOf, createWorld, evidenceOf, tagAt, type World } from '../validation/world.ts'

const before = [
  "import { log } from './log.ts'",
  '',
  'export function first(prices: number[]): number {',
  '  if (prices.length === 0) return 0',
  '  const price = prices[0]',
  '  log(price)',
  '  return price',
  '}',
  '',
].join('\n')
const after = before.replace('prices[0]', 'prices[1]')

export const world = createWorld({ 'src/a.ts': before }, { 'src/a.ts': after })
export const context = contextOf(world.change, {
  evidence: [
    evidenceOf('src/b.ts', 9, 'total(first(prices))'),
    evidenceOf('src/c.ts', 1, 'unseen()', { id: 'E2' }),
  ],
})
export const guardTag = tagAt(world.change, 'src/a.ts', 4)
export const importTag = tagAt(world.change, 'src/a.ts', 2)
export const ownTag = tagAt(world.change, 'src/a.ts', 5)

/** On line 5; it quotes that line and E1. */
export function finding(overrides: Partial<Finding> = {}): Finding {
  return sampleFinding({
    id: 'C1',
    plane: 'reviewer',
    rule: 'reviewer/correctness',
    category: 'correctness',
    severity: 'medium',
    confidence: 'likely',
    byModel: true,
    title: 'The second price is taken for the first',
    explanation: 'With no prices, `price` is undefined.',
    remedy: null,
    anchor: { path: 'src/a.ts', tags: [ownTag] },
    startLine: 5,
    endLine: 5,
    evidence: [{ evidence: 'E1', quote: 'first(prices)' }],
    verifiedBy: ['1 quote stands word for word in the evidence'],
    ...overrides,
  })
}

export type Answer = Judged & { quotes: { id: string; quote: string; bears: string }[] }

/** On every finding of a question alike. */
export function answer(judgement: string, quotes: Answer['quotes'] = [], more: Partial<Answer> = {}): Answer {
  return { quotes, reason: 'Because of the guard.', judgement, ...more }
}

export const guard = { id: guardTag, quote: 'if (prices.length === 0) return 0', bears: 'against' }

export type Call = { tool: string; args: Readonly<Record<string, unknown>> }

/** Tools that answer with these lines, and definitions as given; `calls` tells what was asked. */
export function codeThatSays(
  say: (call: Call) => string,
  definitions: readonly DefinitionPlace[] = [],
): CodeQuestions & { calls: Call[]; located: string[][] } {
  const calls: Call[] = []
  const located: string[][] = []
  const toolbox: Toolbox = {
    guide: '',
    names: [],
    argumentTypes: {},
    check: ({ tool, args }) => ({
      ok: true,
      call: { tool, args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)) },
    }),
    async run(call) {
      calls.push(call)
      return toolAnswer(call, say(call).split('\n'))
    },
  }
  return {
    calls,
    located,
    openToolbox: async () => toolbox,
    async definitionsOf(names) {
      located.push([...names])
      return definitions
    },
  }
}

export type Ran = RefutationResult & {
  events: ReviewEvent[]
  /** Addresses of the first questions, and of those that are asked about a finding a second time. */
  asked: string[]
  again: string[]
  questions: Question<unknown>[]
}

const second = 'refute/second/'

type Options = {
  review?: object
  verdicts?: Verdict[]
  gateway?: (scripted: Gateway) => Gateway
  world?: World
  context?: ReviewContext
  code?: CodeQuestions
  contested?: ReadonlyMap<string, readonly Citation[]>
}

export async function refute(
  say: Say,
  findings: readonly Finding[] = [finding()],
  more: Options = {},
): Promise<Ran> {
  const { base, head, facts } = more.world ?? world
  const events: ReviewEvent[] = []
  const scripted = scriptedGateway((question, number) => {
    const said = say(question, number)
    return 'judgement' in said ? judgedAlike(wordsOf(question), said as Answer) : said
  })
  const result = await refuteFindings({
    verdicts: more.verdicts ?? findings.map((one) => ({ ...verdictOn(), candidate: one, finding: one })),
    context: more.context ?? context,
    base,
    head,
    facts,
    code: more.code ?? null,
    ...(more.contested ? { contested: more.contested } : {}),
    config: Config.parse({ ...defaultConfig, review: { ...defaultConfig.review, ...more.review } }),
    gateway: more.gateway?.(scripted) ?? scripted,
    fence: createFence('0123456789abcdef'),
    onEvent: (event) => events.push(event),
    signal: new AbortController().signal,
  })
  const addresses = scripted.questions.map(({ address }) => address)
  return {
    ...result,
    events,
    asked: addresses.filter((address) => !address.startsWith(second)),
    again: addresses.filter((address) => address.startsWith(second)),
    questions: scripted.questions,
  }
}
