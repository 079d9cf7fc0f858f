/** What a scenario file may hold: an account with its limits, and the steps a scripted model takes. */
import { z } from 'zod'

/** All that are given must hold. */
export const StepCondition = z.strictObject({
  contains: z.union([z.string(), z.array(z.string())]).optional(),
  lastTurnContains: z.string().optional(),
  model: z.string().optional(),
  schema: z.string().optional(),
  stream: z.boolean().optional(),
})

export const DeliveryStep = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('slow'), delayMs: z.int().min(1).max(60_000) }),
  z.strictObject({ kind: z.literal('silence') }),
  z.strictObject({ kind: z.literal('stall'), afterFrames: z.int().min(0).optional() }),
  z.strictObject({ kind: z.literal('cut'), afterFrames: z.int().min(0).optional() }),
  z.strictObject({ kind: z.literal('error-event'), afterFrames: z.int().min(0).optional() }),
  z.strictObject({ kind: z.literal('garbage'), afterFrames: z.int().min(0).optional() }),
])
export type DeliveryStep = z.infer<typeof DeliveryStep>

export const Attack = z.enum([
  'hidden-characters',
  'markdown-image',
  'fake-tags',
  'path-traversal',
  'huge-array',
  'huge-text',
  'deep-nesting',
  'prototype-keys',
  'prompt-injection',
])
export type Attack = z.infer<typeof Attack>

const everyStep = {
  when: StepCondition.optional(),
  /** How often the step is taken before the next one has its turn. */
  times: z.union([z.int().min(1), z.literal('always')]).default(1),
}
const everyAnswer = {
  ...everyStep,
  /** Any JSON, with generators in it such as `{ $tagAt: text }`. */
  value: z.unknown().optional(),
  /** Sent as it stands, in the place of a value. */
  text: z.string().optional(),
  /** What the model thought first, where the protocol shows it. */
  thinking: z.string().optional(),
  delivery: DeliveryStep.optional(),
}

export const ScenarioStep = z.discriminatedUnion('answer', [
  /** The value as JSON. It is checked with the schema of the request, where the provider would enforce that. */
  z.strictObject({ answer: z.literal('good'), ...everyAnswer }),
  /** The value unchecked: a model that does not keep to the schema. */
  z.strictObject({ answer: z.literal('unfit'), ...everyAnswer }),
  z.strictObject({
    answer: z.literal('prose'),
    before: z.string().default('Here is what I found.'),
    after: z.string().default('Let me know if you need more.'),
    ...everyAnswer,
  }),
  z.strictObject({ answer: z.literal('fenced'), ...everyAnswer }),
  z.strictObject({ answer: z.literal('trailing-comma'), ...everyAnswer }),
  z.strictObject({ answer: z.literal('think-tags'), ...everyAnswer }),
  /** The first part only, with the stop reason of the output limit. */
  z.strictObject({
    answer: z.literal('truncated'),
    part: z.number().min(0).max(1).default(0.6),
    ...everyAnswer,
  }),
  z.strictObject({ answer: z.literal('refusal'), ...everyAnswer }),
  /** A proper answer without a word in it. */
  z.strictObject({ answer: z.literal('blank'), ...everyAnswer }),
  z.strictObject({
    answer: z.literal('malicious'),
    attack: Attack,
    count: z.int().min(1).max(2_000_000).default(10_000),
    ...everyAnswer,
  }),
  z.strictObject({
    answer: z.literal('tool-call'),
    tool: z.string(),
    input: z.record(z.string(), z.unknown()),
    ...everyAnswer,
  }),
  z.strictObject({
    answer: z.literal('rate-limit'),
    retryAfterSeconds: z.number().min(0).optional(),
    ...everyStep,
  }),
  z.strictObject({ answer: z.literal('quota'), ...everyStep }),
  z.strictObject({
    answer: z.literal('overloaded'),
    retryAfterSeconds: z.number().min(0).optional(),
    ...everyStep,
  }),
  z.strictObject({ answer: z.literal('server-error'), ...everyStep }),
  z.strictObject({ answer: z.literal('reset'), ...everyStep }),
  /** Status 200 and nothing else. */
  z.strictObject({ answer: z.literal('empty-body'), ...everyStep }),
  /** A page of HTML, as a proxy sends it. */
  z.strictObject({
    answer: z.literal('web-page'),
    status: z.int().min(200).max(599).default(200),
    ...everyStep,
  }),
])
export type ScenarioStep = z.infer<typeof ScenarioStep>

/** Counted over a sliding window of `windowMs`. */
export const RateLimits = z.strictObject({
  requests: z.int().min(1),
  windowMs: z.int().min(1).default(60_000),
})
export type RateLimits = z.infer<typeof RateLimits>

export const ScenarioFile = z.strictObject({
  about: z.string(),
  limits: RateLimits.optional(),
  /** Models beside those the fake knows, or other figures for one of them. */
  models: z
    .record(
      z.string(),
      z.strictObject({
        contextWindow: z.int().min(16).default(200_000),
        maxOutputTokens: z.int().min(16).default(64_000),
        rejectsSampling: z.boolean().optional(),
        rejectsForcedTools: z.boolean().optional(),
        noStructuredOutput: z.boolean().optional(),
        toolsOrJson: z.boolean().optional(),
        isPlain: z.boolean().optional(),
        reasons: z.boolean().optional(),
        cacheFrom: z.int().min(0).optional(),
      }),
    )
    .default({}),
  steps: z.array(ScenarioStep).min(1),
})
export type ScenarioFile = z.infer<typeof ScenarioFile>
