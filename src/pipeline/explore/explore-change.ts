/** The explore stage: a cheap model asks for more context through tools, and what they return becomes evidence. */
import { z } from 'zod'
import { callKey } from '../../agent/call-key.ts'
import type { Exploration, Iteration, LoopEnd, LoopLimits, Toolbox, ToolCall } from '../../agent/contract.ts'
import { explore } from '../../agent/explore.ts'
import { adaptLimits, usualLimits } from '../../agent/limits.ts'
import { readPrompt } from '../../base/package-root.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Config } from '../../config/schema.ts'
import type { EventListener } from '../../domain/events.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import type { JournalNote } from '../../domain/journal.ts'
import type { EstimateOf } from '../../domain/model-report.ts'
import type { ReviewContext, SectionAccount } from '../../domain/review-context.ts'
import type { Gateway } from '../../llm/contract.ts'

/** Changed files outlined before the model is first asked. */
const seededFiles = 6

export type ExploreStage = {
  context: ReviewContext
  /** The change as the model sees it, fenced. */
  change: string
  gateway: Gateway
  toolbox: Toolbox
  fence: Fence
  config: Config
  /** See `ExploreInput`. */
  elapsedSeconds: (iteration: number) => Promise<number>
  onEvent: EventListener
  note: (note: JournalNote) => void
  signal: AbortSignal
}

export type Explored = {
  evidence: EvidenceDraft[]
  account: SectionAccount
  exploration: Exploration
}

/** Never fails because of a model or a tool: there is then less evidence, and the account says so. */
export async function exploreChange(stage: ExploreStage): Promise<Explored> {
  const { context, config, fence, onEvent, note } = stage
  const prompt = readPrompt('explore', 1)
  const exploration = await explore({
    ...stage,
    limits: limitsFor(context, config),
    prompt: prompt.id,
    instructions: prompt.text,
    change: `${fence.rule}\n\n${stage.change}`,
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
  const evidence = iterations.flatMap(({ answers }) => answers.flatMap((answer) => answer.evidence))
  const bytes = evidence.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const dropped = iterations.reduce((sum, one) => sum + one.dropped.length, 0)
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
      trimmed: dropped,
    },
  }
}

/** Larger changes get more turns and more room. */
function limitsFor({ change, symbols }: ReviewContext, config: Config): LoopLimits {
  const lines = change.files.reduce((sum, { added, removed }) => sum + added + removed, 0)
  const size = { files: change.files.length, lines, symbols: symbols.length }
  return adaptLimits({ ...usualLimits, ...config.explore }, size)
}

function isLimit(end: LoopEnd): boolean {
  const limits: readonly LoopEnd[] = ['iterations', 'calls', 'seconds', 'evidence', 'money']
  return limits.includes(end)
}

/** Outlines of changed files, which any model would ask for first. */
function seedOf({ change }: ReviewContext): ToolCall[] {
  return change.files
    .filter(({ role, newBlob, language }) => role === 'source' && newBlob !== null && language !== null)
    .slice(0, seededFiles)
    .map(({ path }) => ({ tool: 'outline_symbols', args: { path } }))
}

function describe({ number, reasoning, answers, dropped }: Iteration) {
  return {
    number,
    reasoning: reasoning.slice(0, 1_000),
    calls: answers.map(({ call, text, cached, isError }) => ({
      call: callKey(call).slice(0, 300),
      bytes: Buffer.byteLength(text),
      cached,
      isError,
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
  const prompt = readPrompt('explore', 1)
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
