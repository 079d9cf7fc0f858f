/** The explore stage: a cheap model asks for more through tools, and what they answered becomes evidence. */
import { callKey } from '../../agent/call-key.ts'
import type { Exploration, Iteration, LoopEnd, Toolbox, ToolCall } from '../../agent/contract.ts'
import { explore } from '../../agent/explore.ts'
import { adaptLimits, usualLimits } from '../../agent/limits.ts'
import { readPrompt } from '../../base/package-root.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Config } from '../../config/schema.ts'
import type { EventListener } from '../../domain/events.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import type { JournalNote } from '../../domain/journal.ts'
import type { ReviewContext, SectionAccount } from '../../domain/review-context.ts'
import type { Gateway } from '../../llm/contract.ts'

/** Changed files that are outlined before the model sees anything. */
const seededFiles = 6

export type ExploreStage = {
  context: ReviewContext
  /** The change as the model shall see it, fenced. */
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

/** Never fails for what a model or a tool does: there is then less evidence, and the account says so. */
export async function exploreChange(stage: ExploreStage): Promise<Explored> {
  const { context, config, fence, onEvent, note } = stage
  const prompt = readPrompt('explore', 1)
  const size = {
    files: context.change.files.length,
    lines: context.change.files.reduce((sum, { added, removed }) => sum + added + removed, 0),
    symbols: context.symbols.length,
  }
  const exploration = await explore({
    ...stage,
    limits: adaptLimits({ ...usualLimits, ...config.explore }, size),
    prompt: prompt.id,
    instructions: prompt.text,
    change: `${fence.rule}\n\n${stage.change}`,
    seed: seedOf(context),
    fence: (origin, text) => fence.render(new Untrusted(origin, text)),
    onIteration(iteration) {
      const told = describe(iteration)
      onEvent({ type: 'explore-iteration', ...told })
      note({ type: 'explore-iteration', address: `explore/iter-${iteration.number}`, detail: told })
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

function isLimit(end: LoopEnd): boolean {
  const limits: readonly LoopEnd[] = ['iterations', 'calls', 'seconds', 'evidence', 'money']
  return limits.includes(end)
}

/** Outlines of changed files: what any model would ask first. */
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
