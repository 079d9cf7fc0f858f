/** What exploring would take at most: every turn with all evidence it may gather, and its answer at full length. */
import { z } from 'zod'
import { adaptLimits, usualLimits } from '../../agent/limits.ts'
import { readPrompt } from '../../base/package-root.ts'
import type { Config } from '../../config/schema.ts'
import type { EstimateOf } from '../../domain/model-report.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { Gateway } from '../../llm/contract.ts'

const maxOutputTokens = 2_000
/** What the guide of the tools and the words around answers add, in bytes. */
const guideBytes = 8_000

export type ExploreSize = { context: ReviewContext; change: string; gateway: Gateway; config: Config }

/** Sends nothing. */
export function estimateExplore({ context, change, gateway, config }: ExploreSize): EstimateOf {
  const { iterations, evidenceBytes } = adaptLimits(
    { ...usualLimits, ...config.explore },
    {
      files: context.change.files.length,
      lines: context.change.files.reduce((sum, { added, removed }) => sum + added + removed, 0),
      symbols: context.symbols.length,
    },
  )
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
