/** The explore stage: a cheap model asks for more context through tools, and what they return becomes evidence. */
import { z } from 'zod'
import { callKey, evidenceOf, textOf, toolEvidence } from '../../agent/answer.ts'
import type {
  Exploration,
  Iteration,
  LoopEnd,
  LoopLimits,
  ToolAnswer,
  Toolbox,
  ToolCall,
} from '../../agent/contract.ts'
import { accountFor, explore } from '../../agent/explore.ts'
import { adaptLimits, defaultLimits } from '../../agent/limits.ts'
import { readPrompt } from '../../base/package-root.ts'
import { Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Config } from '../../config/schema.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import { rankFiles } from '../../domain/importance.ts'
import type { JournalNote } from '../../domain/journal.ts'
import type { EstimateOf } from '../../domain/model-report.ts'
import type { ReviewContext, SectionAccount } from '../../domain/review-context.ts'
import type { CodeSides, ModelStageInput } from '../stage-input.ts'

/** Changed files outlined before the model is first asked. */
const seededFiles = 6
const mostMissing = 10

export type ExploreStage = Omit<ModelStageInput, keyof CodeSides> & {
  /** The change as the model sees it, fenced, with the rule of the fence. */
  change: string
  toolbox: Toolbox
  /** See `ExploreInput`. */
  elapsedSeconds: (iteration: number) => Promise<number>
  note: (note: JournalNote) => void
}

export type Explored = {
  evidence: EvidenceDraft[]
  account: SectionAccount
  exploration: Exploration
}

/** Never fails because of a model or a tool: there is then less evidence, and the account says so. */
export async function exploreChange(stage: ExploreStage): Promise<Explored> {
  const { context, config, fence, onEvent, note } = stage
  const prompt = readPrompt('explore', 3)
  const exploration = await explore({
    ...stage,
    limits: limitsFor(context, config),
    prompt: prompt.id,
    instructions: prompt.text,
    seed: seedOf(context),
    fence: (origin, text) => fence.render(new Untrusted(origin, text)),
    onIteration(iteration) {
      const detail = describe(iteration)
      onEvent({ type: 'explore-iteration', ...detail })
      note({ type: 'explore-iteration', address: `explore/iter-${iteration.number}`, detail })
    },
  })
  const { end, detail, iterations } = exploration
  note({ type: 'explore-end', address: 'explore', detail: { end, detail } })
  if (isLimit(end)) onEvent({ type: 'limit-reached', detail: `the scout was stopped: ${detail}` })
  const asked = iterations.filter(({ number }) => number > 0)
  const evidence = [
    ...asked.flatMap(({ answers }) => answers.flatMap((answer) => evidenceOf(answer))),
    ...missingEvidence(asked),
  ]
  const bytes = evidence.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const trimmed = asked
    .flatMap((iteration) => accountFor(iteration))
    .filter(({ outcome }) => outcome === 'cut' || outcome === 'left-out').length
  const isWhole = end === 'done' || end === 'nothing-new'
  return {
    evidence,
    exploration,
    account: {
      name: 'explore',
      state: isWhole ? 'gathered' : end === 'unusable' || end === 'failed' ? 'failed' : 'cut',
      items: evidence.length,
      bytes,
      tokens: Math.ceil(bytes / 3),
      trimmed,
    },
  }
}

/** Larger changes get more turns and more room. */
function limitsFor({ change, symbols }: ReviewContext, config: Config): LoopLimits {
  const lines = change.files.reduce((sum, { added, removed }) => sum + added + removed, 0)
  const size = { files: change.files.length, lines, symbols: symbols.length }
  return adaptLimits({ ...defaultLimits, ...config.explore }, size)
}

function isLimit(end: LoopEnd): boolean {
  const limits: readonly LoopEnd[] = ['iterations', 'calls', 'seconds', 'evidence', 'money']
  return limits.includes(end)
}

/** What was asked for and not answered, so that the reviewer knows that it was not looked at. */
function missingEvidence(iterations: readonly Iteration[]): EvidenceDraft[] {
  const missing = iterations.flatMap((iteration) => {
    const later = iterations
      .filter(({ number }) => number > iteration.number)
      .flatMap(({ answers }) => answers.filter(({ isError }) => !isError))
    return [...unansweredIn(iteration, later), ...droppedIn(iteration, later)]
  })
  return missing.slice(0, mostMissing)
}

/** Calls that failed, but for those that were made again in another way. */
function unansweredIn({ answers }: Iteration, later: readonly ToolAnswer[]): EvidenceDraft[] {
  const failed = answers.filter(({ isError }) => isError)
  const isMended = ({ call }: ToolAnswer) =>
    later.some(
      ({ call: { tool, args } }) =>
        tool === call.tool && namesOf(args).some((name) => namesOf(call.args).includes(name)),
    )
  return failed
    .filter((answer) => !isMended(answer))
    .map(({ call, remarks }) => toolEvidence(callKey(call), `(no answer: ${remarks.join('; ')})`))
}

/** The symbols, paths and words that a call is about. */
function namesOf(args: ToolCall['args']): string[] {
  return Object.values(args).flatMap((value) =>
    typeof value === 'string' && value.length > 1 ? [value] : [],
  )
}

/** What did not fit, and calls that were not well formed, unless such a call was made later. */
function droppedIn({ dropped }: Iteration, later: readonly ToolAnswer[]): EvidenceDraft[] {
  return dropped.flatMap(({ tool, fault, detail }) => {
    if (fault === 'no-room' || fault === 'over-limit')
      return [toolEvidence(detail, '(not searched: the limits of the scout were reached)')]
    const isMended = later.some(({ call }) => call.tool === tool)
    return fault === 'repeated' || isMended
      ? []
      : [toolEvidence(tool.slice(0, 40), `(not searched: ${detail.slice(0, 300)})`)]
  })
}

/** Outlines of the most important changed files, which any model would ask for first; a new file is in its diff. */
function seedOf({ change, symbols }: ReviewContext): ToolCall[] {
  return rankFiles(change.files, symbols, [])
    .filter(
      ({ role, status, newBlob, language }) =>
        role === 'source' && status !== 'added' && newBlob !== null && language !== null,
    )
    .slice(0, seededFiles)
    .map(({ path }) => ({ tool: 'outline_symbols', args: { path } }))
}

function describe(iteration: Iteration) {
  const { number, reasoning, answers, dropped } = iteration
  const accounts = accountFor(iteration)
  return {
    number,
    reasoning: reasoning.slice(0, 1_000),
    calls: answers.map((answer, at) => ({
      call: callKey(answer.call).slice(0, 300),
      bytes: Buffer.byteLength(textOf(answer)),
      cached: answer.cached,
      isError: answer.isError,
      outcome: accounts[at]?.outcome ?? 'left-out',
      detail: (accounts[at]?.detail ?? '').slice(0, 300),
    })),
    dropped: dropped.map(({ tool, fault, detail }) => ({
      call: `${tool.slice(0, 40)} ${detail.slice(0, 200)}`,
      why: fault,
    })),
  }
}

const maxOutputTokens = 2_000
/** Bytes that the guide to the tools and the text around answers add. */
const guideBytes = 8_000

type ExploreSize = Pick<ExploreStage, 'context' | 'change' | 'gateway' | 'config'>

/** The most that exploring can cost: every turn with all the evidence allowed, and a full-length answer. Sends nothing. */
export function estimateExplore({ context, change, gateway, config }: ExploreSize): EstimateOf {
  const { iterations, evidenceBytes } = limitsFor(context, config)
  const prompt = readPrompt('explore', 3)
  const { inputTokens, outputTokens, usd } = gateway.estimate({
    role: 'scout',
    address: 'explore/estimate',
    prompt: prompt.id,
    instructions: [{ text: prompt.text }],
    turns: [{ from: 'user', parts: [{ text: change + ' '.repeat(evidenceBytes + guideBytes) }] }],
    answer: { name: 'next_step', schema: z.object({ reasoning: z.string(), done: z.boolean() }) },
    maxOutputTokens,
    effort: 'low',
    signal: new AbortController().signal,
  })
  return {
    calls: iterations,
    inputTokens: iterations * inputTokens,
    outputTokens: iterations * outputTokens,
    usd: usd === null ? null : iterations * usd,
  }
}
