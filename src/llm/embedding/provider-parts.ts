/** Small parts that all adapters share. */
import type { z } from 'zod'
import type { EmbeddingSettings } from '../../config/settings/embedding.ts'
import type { EmbedderId } from './contract.ts'
import { RemoteError } from './remote-error.ts'

export type EmbedderSettings = NonNullable<EmbeddingSettings>

export function idOf(provider: string, { model, dimensions, prefixes }: EmbedderSettings): EmbedderId {
  return {
    provider,
    model,
    dimensions: dimensions ?? null,
    dtype: 'float32',
    prefixes: { document: prefixes?.document ?? '', query: prefixes?.query ?? '' },
  }
}

/** The most that an honest answer to so many texts can have: 4,096 numbers each, written out. */
export function answerBytes(texts: number): number {
  return 64 * 1024 + texts * 4_096 * 24
}

/** Throws `RemoteError` with `bad-answer`. */
export function parseAnswer<Shape>(name: string, shape: z.ZodType<Shape>, answer: unknown): Shape {
  const parsed = shape.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new RemoteError('bad-answer', `${name} sent an answer that does not follow its API`)
}
