/** What a run adds to the histograms of the GenAI conventions: tokens, durations and costs of the calls that it made itself. */

import { type Attributes, clean, modelParts, providerNames } from './spans.ts'
import type { RunTimeline } from './timeline.ts'

export type MeasureName =
  | 'gen_ai.client.token.usage'
  | 'gen_ai.client.operation.duration'
  | 'sightline.call.cost'
  | 'sightline.run.duration'

export type Measure = { name: MeasureName; value: number; attributes: Attributes }

/** Units, and the bounds of buckets: for tokens and durations those that the conventions ask for. */
export const measures: Readonly<
  Record<MeasureName, { unit: string; description: string; bounds: readonly number[] }>
> = {
  'gen_ai.client.token.usage': {
    unit: '{token}',
    description: 'Tokens of one call of a model.',
    bounds: Array.from({ length: 14 }, (_, power) => 4 ** power),
  },
  'gen_ai.client.operation.duration': {
    unit: 's',
    description: 'Duration of one call of a model.',
    bounds: Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power),
  },
  'sightline.call.cost': {
    unit: '{USD}',
    description: 'Cost of one call of a model.',
    bounds: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  },
  'sightline.run.duration': {
    unit: 's',
    description: 'Duration of a whole run.',
    bounds: [1, 2, 5, 10, 20, 30, 60, 120, 240, 480, 960],
  },
}

/** Nothing for what was answered from the record: it was counted when it was first asked. */
export function measuresOf({ spans, durationMs }: RunTimeline): Measure[] {
  const found: Measure[] = [{ name: 'sightline.run.duration', value: durationMs / 1000, attributes: {} }]
  for (const { model, usage, usd, served, durationMs: length, outcome } of spans) {
    if (model === null || usage === null || served !== 'live') continue
    const { provider, request } = modelParts(model)
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': clean(providerNames[provider] ?? provider),
      'gen_ai.request.model': clean(request),
    }
    const failed: Attributes = outcome === 'failed' ? { 'error.type': 'failed' } : {}
    found.push({
      name: 'gen_ai.client.operation.duration',
      value: length / 1000,
      attributes: { ...attributes, ...failed },
    })
    for (const [type, value] of [
      ['input', usage.input],
      ['output', usage.output],
    ] as const)
      found.push({
        name: 'gen_ai.client.token.usage',
        value,
        attributes: { ...attributes, 'gen_ai.token.type': type },
      })
    if (usd !== null) found.push({ name: 'sightline.call.cost', value: usd, attributes })
  }
  return found
}
