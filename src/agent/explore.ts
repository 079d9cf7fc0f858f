/**
 * The loop: a cheap model asks for more context through read-only tools, turn by turn, inside hard limits. It judges
 * nothing and writes nothing; what it gathered is evidence for others.
 */
import type { Gateway, Reply, Turn } from '../llm/contract.ts'
import { type LoopAnswer, loopAnswer } from './answer-shape.ts'
import type { Exploration, Iteration, LoopEnd, LoopLimits, Toolbox, ToolCall } from './contract.ts'
import { reachedLimit } from './limits.ts'
import { type Batch, runBatch } from './run-batch.ts'
import { tellResults } from './tell-results.ts'

export type ExploreInput = {
  gateway: Gateway
  toolbox: Toolbox
  limits: LoopLimits
  /** `explore@1`: the version of the prompt file. */
  prompt: string
  /** Our own words; the toolbox's guide is added. */
  instructions: string
  /** The change as the model shall see it, foreign text fenced. */
  change: string
  /** Run before the model sees anything; they cost no tokens. */
  seed: readonly ToolCall[]
  /** Puts foreign text between delimiters of this run; `origin` names where it is from. */
  fence: (origin: string, text: string) => string
  /** Seconds since the loop began, read once per iteration: recorded, so that a replay ends where the run did. */
  elapsedSeconds: (iteration: number) => Promise<number>
  onIteration?: (iteration: Iteration) => void
  signal: AbortSignal
}

const maxOutputTokens = 2_000

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
    for (const answer of batch.answers) bytes += Buffer.byteLength(answer.text)
  }
  const finish = (end: LoopEnd, detail: string): Exploration => ({ iterations, end, detail, calls })

  const turns: Turn[] = [{ from: 'user', parts: [{ text: input.change, stable: true }] }]
  if (input.seed.length > 0) {
    const seeded = {
      callsPerIteration: input.seed.length,
      calls: limits.calls,
      roomBytes: limits.evidenceBytes,
    }
    const batch = await runBatch(toolbox, input.seed, asked, seeded, signal)
    keep(0, '', batch)
    turns[0] = {
      from: 'user',
      parts: [{ text: `${input.change}\n\n${tellResults(batch, input.fence)}`, stable: true }],
    }
  }

  for (let number = 1; ; number++) {
    const seconds = await input.elapsedSeconds(number)
    const limit = reachedLimit(limits, { iterations: number - 1, calls: asked.size, seconds, bytes })
    if (limit) return finish(limit.end, limit.detail)

    const reply = await ask(input, number, turns)
    calls.push(...reply.calls)
    if (reply.outcome !== 'answered') return finish(endOf(reply.outcome), reply.reason)

    const { reasoning, tools, done } = reply.value
    const roomBytes = limits.evidenceBytes - bytes
    const batch = await runBatch(toolbox, tools.map(asCall), asked, { ...limits, roomBytes }, signal)
    keep(number, reasoning, batch)
    if (done) return finish('done', reasoning)
    if (batch.dropped.some(({ fault }) => fault === 'no-room'))
      return finish('evidence', `${limits.evidenceBytes} bytes of evidence collected`)
    if (batch.answers.length === 0) return finish('nothing-new', whyNothing(batch))
    turns.push({ from: 'model', parts: [{ text: reply.text }] })
    // The mark moves along: everything up to here is the same in the next turn.
    turns.push({ from: 'user', parts: [{ text: tellResults(batch, input.fence), stable: true }] })
    unmarkAllButLast(turns)
  }

  function ask(
    { prompt, instructions }: ExploreInput,
    number: number,
    all: readonly Turn[],
  ): Promise<Reply<LoopAnswer>> {
    return gateway.ask({
      role: 'scout',
      address: `explore/iter-${number}`,
      prompt,
      instructions: [{ text: `${instructions}\n\n${toolbox.guide}`, stable: true }],
      turns: [...all],
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

/** Of three marks one is the instructions'; two are left for the turns: the change, and the newest results. */
function unmarkAllButLast(turns: Turn[]): void {
  for (const [at, turn] of turns.entries()) {
    const isMarked = at === 0 || at === turns.length - 1
    if (turn.from !== 'user' || isMarked) continue
    turns[at] = { ...turn, parts: turn.parts.map(({ text }) => ({ text })) }
  }
}
