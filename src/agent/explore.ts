/**
 * The loop: a cheap model asks for more context through read-only tools, turn by turn, inside hard limits. It judges
 * nothing and writes nothing; what it gathered is evidence for others.
 */
import { z } from 'zod'
import { linesWithin } from '../base/line-bytes.ts'
import type { AnswerShape, Gateway, Reply, Turn } from '../llm/contract.ts'
import { callKey, cutAnswer, cutOf, textOf } from './answer.ts'
import type {
  CallAccount,
  DroppedCall,
  Exploration,
  Iteration,
  LoopEnd,
  LoopLimits,
  ToolAnswer,
  Toolbox,
  ToolCall,
} from './contract.ts'
import { reachedLimit, roundWords } from './limits.ts'

export type ExploreInput = {
  gateway: Gateway
  toolbox: Toolbox
  limits: LoopLimits
  /** `explore@3`: the version of the prompt file. */
  prompt: string
  /** Our own words; the toolbox's guide is added. */
  instructions: string
  /** The change as the model shall see it, foreign text fenced. */
  change: string
  /** Run before the model sees anything, to help it find its way. Their answers are no evidence and take no room of it. */
  seed: readonly ToolCall[]
  /** Puts foreign text between delimiters of this run; `origin` names where it is from. */
  fence: (origin: string, text: string) => string
  /** Seconds since the loop began, read once per iteration: recorded, so that a replay ends where the run did. */
  elapsedSeconds: (iteration: number) => Promise<number>
  onIteration?: (iteration: Iteration) => void
  signal: AbortSignal
}

const maxOutputTokens = 2_000
/** Of the answers of the seed step together. */
const seedBytes = 16 * 1024

/** Never throws for what a model or a tool does; rejects with the signal's reason after an abort. */
export async function explore(input: ExploreInput): Promise<Exploration> {
  const { gateway, toolbox, limits, signal } = input
  const asked = new Set<string>()
  const iterations: Iteration[] = []
  const calls: Exploration['calls'][number][] = []
  let bytes = 0
  const keep = (number: number, reasoning: string, batch: Batch): void => {
    const iteration = { number, reasoning, ...batch }
    iterations.push(iteration)
    input.onIteration?.(iteration)
  }
  const finish = (end: LoopEnd, detail: string): Exploration => ({ iterations, end, detail, calls })
  const round = (number: number): string =>
    roundWords(limits, { number, calls: limits.calls - asked.size, bytes: limits.evidenceBytes - bytes })

  const opening = [input.change]
  if (input.seed.length > 0) {
    const seeded = { callsPerIteration: input.seed.length, calls: limits.calls, roomBytes: seedBytes }
    const batch = await runBatch(toolbox, input.seed, asked, seeded, signal)
    keep(0, '', batch)
    opening.push(reportResults(batch, input.fence))
  }
  opening.push(round(1))
  const exchanges: Exchange[] = []

  for (let number = 1; ; number++) {
    const seconds = await input.elapsedSeconds(number)
    const limit = reachedLimit(limits, { iterations: number - 1, calls: asked.size, seconds, bytes })
    if (limit) return finish(limit.end, limit.detail)

    const reply = await ask(input, number, turnsOf(opening.join('\n\n'), exchanges, input.fence))
    calls.push(...reply.calls)
    if (reply.outcome !== 'answered') return finish(endOf(reply.outcome), reply.reason)

    const { reasoning, tools, done } = reply.value
    const roomBytes = limits.evidenceBytes - bytes
    const batch = await runBatch(toolbox, tools.map(asCall), asked, { ...limits, roomBytes }, signal)
    for (const answer of batch.answers) bytes += Buffer.byteLength(textOf(answer))
    keep(number, reasoning, batch)
    if (done) return finish('done', reasoning)
    if (batch.dropped.some(({ fault }) => fault === 'no-room'))
      return finish('evidence', `${limits.evidenceBytes} bytes of evidence collected`)
    if (batch.answers.length === 0) return finish('nothing-new', whyNothing(batch))
    exchanges.push({ said: reply.text, batch, next: round(number + 1) })
  }

  function ask(
    { prompt, instructions }: ExploreInput,
    number: number,
    turns: readonly Turn[],
  ): Promise<Reply<LoopAnswer>> {
    return gateway.ask({
      role: 'scout',
      address: `explore/iter-${number}`,
      prompt,
      instructions: [{ text: `${instructions}\n\n${toolbox.guide}`, stable: true }],
      turns,
      answer: loopAnswer(toolbox),
      maxOutputTokens,
      effort: 'low',
      signal,
    })
  }
}

/** Nulls stand for arguments that were left out. */
function asCall({ tool, args }: LoopAnswer['tools'][number]): ToolCall {
  return { tool, args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)) }
}

function whyNothing({ dropped }: Batch): string {
  if (dropped.length === 0) return 'it requested nothing'
  return `every call was dropped: ${dropped.map(({ tool, fault }) => `${tool} ${fault}`).join(', ')}`
}

function endOf(outcome: Exclude<Reply<unknown>['outcome'], 'answered'>): LoopEnd {
  if (outcome === 'over-budget') return 'money'
  return outcome === 'failed' ? 'failed' : 'unusable'
}

/** What a model asked for, what came of it, and the words about the round that follows. */
type Exchange = { said: string; batch: Batch; next: string }

/**
 * The conversation so far. The newest answers are whole; long ones of earlier rounds are shortened to what they hold, since
 * all of them would be sent again with every round. Each answer is new to the provider once in either case, and what is
 * before it is shorter. Of three marks of a prefix that stays one is the instructions'; here are the other two.
 */
function turnsOf(opening: string, exchanges: readonly Exchange[], fence: ExploreInput['fence']): Turn[] {
  const further = exchanges.flatMap(({ said, batch, next }, at): Turn[] => {
    const isNewest = at === exchanges.length - 1
    const text = `${reportResults(batch, fence, isNewest ? textOf : inBrief)}\n\n${next}`
    const isLastOfPrefix = at === exchanges.length - 2
    return [
      { from: 'model', parts: [{ text: said }] },
      { from: 'user', parts: [isLastOfPrefix ? { text, stable: true } : { text }] },
    ]
  })
  return [{ from: 'user', parts: [{ text: opening, stable: true }] }, ...further]
}

/** A longer answer is shortened once newer ones are there, to so many bytes of its lines, and none of its code. */
const longestBrief = 1_200
const briefBytes = 600

function inBrief(answer: ToolAnswer): string {
  const whole = textOf(answer)
  if (Buffer.byteLength(whole) <= longestBrief) return whole
  const places = answer.ranges.map(({ path, side, startLine, lines }) => {
    const old = side === 'old' ? ' before the change' : ''
    return `${path}:${startLine}-${startLine + lines.length - 1}${old}`
  })
  const listed = places.length > 0 ? places : linesWithin(answer.lines, briefBytes)
  const cut = '(shortened here: you saw it whole, and the reviewer gets it whole)'
  const remarks = answer.remarks.map((remark) => `(${remark})`)
  return [...listed, cut, ...remarks].join('\n')
}

const argument = {
  text: z.string().nullable().default(null),
  number: z.number().nullable().default(null),
  flag: z.boolean().nullable().default(null),
} as const

export type LoopAnswer = {
  reasoning: string
  tools: { tool: string; args: Record<string, string | number | boolean | null> }[]
  done: boolean
}

/**
 * Arguments of all tools in one flat object, each nullable: the only shape that every provider takes as it is. The wire
 * names the tools; another name is read all the same, so that one made-up call does not cost the others.
 */
function loopAnswer(toolbox: Toolbox): AnswerShape<LoopAnswer> {
  const args = Object.fromEntries(
    Object.entries(toolbox.argumentTypes).map(([name, type]) => [name, argument[type]]),
  )
  const tool = z.string().meta({ enum: [...toolbox.names] })
  const schema = z.object({
    reasoning: z.string(),
    tools: z.array(z.object({ tool, args: z.object(args) })),
    done: z.boolean(),
  })
  return { name: 'next_step', schema: schema as unknown as z.ZodType<LoopAnswer> }
}

const reasons: Readonly<Record<DroppedCall['fault'], string>> = {
  'unknown-tool': 'there is no such tool',
  'bad-arguments': 'invalid arguments',
  repeated: 'it was answered before',
  'over-limit': 'too many calls; ask again if it still matters',
  'no-room': 'its answer does not fit into the remaining evidence limit',
}

/** An iteration as the model reads it: each answer under its call, foreign text fenced, dropped calls in a line each. */
export function reportResults(
  { answers, dropped }: Batch,
  fence: (origin: string, text: string) => string,
  say: (answer: ToolAnswer) => string = textOf,
): string {
  const told = answers.map((answer) => fence(`answer of ${callKey(answer.call)}`, say(answer)))
  const lines = dropped.map(({ tool, fault, detail }) => {
    const more = fault === 'bad-arguments' ? ` (${detail})` : ''
    return `- not run: ${nameOf(tool)}: ${reasons[fault]}${more}`
  })
  return [...told, ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n')
}

/** What a model makes up for a name may be words of whoever wrote the code; outside of the fence only names may stand. */
function nameOf(tool: string): string {
  return /^[a-z][a-z_]{0,39}$/.test(tool) ? `a call of "${tool}"` : 'a call with an invalid tool name'
}

/** One iteration's calls: checked, freed of repeats, capped, and run side by side. */
export type Batch = { answers: ToolAnswer[]; dropped: DroppedCall[] }

/** `asked` holds the keys of all calls so far and gets those of this batch. Answers come in the order of the calls. */
export async function runBatch(
  toolbox: Toolbox,
  wanted: readonly ToolCall[],
  asked: Set<string>,
  limits: Pick<LoopLimits, 'callsPerIteration' | 'calls'> & { roomBytes: number },
  signal: AbortSignal,
): Promise<Batch> {
  const accepted: ToolCall[] = []
  const dropped: DroppedCall[] = []
  for (const call of wanted) {
    const checked = toolbox.check(call)
    if (!checked.ok) {
      dropped.push({ tool: call.tool, fault: checked.fault, detail: checked.detail })
      continue
    }
    const key = callKey(checked.call)
    if (asked.has(key)) dropped.push({ tool: call.tool, fault: 'repeated', detail: key })
    else if (accepted.length >= limits.callsPerIteration || asked.size >= limits.calls)
      dropped.push({ tool: call.tool, fault: 'over-limit', detail: key })
    else {
      asked.add(key)
      accepted.push(checked.call)
    }
  }
  const ran = await Promise.all(accepted.map((call) => toolbox.run(call, signal)))
  const answers: ToolAnswer[] = []
  for (const { answer, fitted } of shareRoom(ran, limits.roomBytes))
    if (fitted) answers.push(fitted)
    else dropped.push({ tool: answer.call.tool, fault: 'no-room', detail: callKey(answer.call) })
  return { answers, dropped }
}

type Fitted = { answer: ToolAnswer; fitted: ToolAnswer | null }

/** In the order of the answers. Small ones are whole; those beyond an equal share of the room are cut to it, and say so. */
function shareRoom(answers: readonly ToolAnswer[], roomBytes: number): Fitted[] {
  const sizeOf = (answer: ToolAnswer) => Buffer.byteLength(textOf(answer))
  const bySize = answers.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  const fitted = new Map<ToolAnswer, ToolAnswer | null>()
  let room = roomBytes
  for (const [at, answer] of bySize.entries()) {
    const fit = cutAnswer(answer, Math.floor(room / (bySize.length - at)))
    fitted.set(answer, fit)
    if (fit) room -= sizeOf(fit)
  }
  return answers.map((answer) => ({ answer, fitted: fitted.get(answer) ?? null }))
}

/** What became of every call of an iteration: each is in the list once. */
export function accountFor({ number, answers, dropped }: Iteration): CallAccount[] {
  const ran = answers.map((answer): CallAccount => {
    const call = callKey(answer.call)
    const remarks = answer.remarks.join('; ')
    if (answer.isError) return { call, outcome: 'left-out', detail: `no answer: ${remarks}` }
    if (number === 0) return { call, outcome: 'left-out', detail: 'an outline for the scout' }
    if (answer.lines.length === 0)
      return { call, outcome: answer.isConclusive ? 'empty' : 'left-out', detail: remarks }
    const parts = [...(answer.isPartial ? answer.remarks : []), cutOf(answer) ?? '']
    const cut = parts.filter((part) => part !== '').join('; ')
    return { call, outcome: cut === '' ? 'whole' : 'cut', detail: cut }
  })
  const left = dropped.map(({ tool, fault, detail }): CallAccount => {
    const ownWords = fault === 'bad-arguments' || fault === 'unknown-tool'
    const why = fault === 'bad-arguments' ? `${reasons[fault]}: ${detail}` : reasons[fault]
    return { call: ownWords ? tool : detail, outcome: 'left-out', detail: why }
  })
  return [...ran, ...left]
}
