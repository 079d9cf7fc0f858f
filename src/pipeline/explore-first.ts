/** Lets a cheap model gather more before anybody reviews. */
import type { Fence } from '../base/untrusted/untrusted.ts'
import { openEvidenceBook } from '../domain/evidence.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import { exploreChange } from './explore/explore-change.ts'
import type { AskInput, Explorer, ModelParts } from './model-parts.ts'
import { renderForScout } from './reviewer/render/for-scout.ts'

/** The bundle with what was gathered; it is accounted for like any other section. */
export async function exploreFirst(
  { gateway, journal }: ModelParts,
  explorer: Explorer,
  { context, frozen, config, onEvent, signal }: AskInput,
  fence: Fence,
): Promise<ReviewContext> {
  const startedAt = performance.now()
  const { evidence, account } = await exploreChange({
    context,
    change: renderForScout(context, fence),
    gateway,
    toolbox: await explorer.openToolbox(),
    fence,
    config,
    elapsedSeconds: (iteration) => explorer.elapsedSeconds(frozen.hash, iteration, startedAt),
    onEvent,
    note: (note) => journal?.note(note),
    signal,
  })
  const book = openEvidenceBook(context.evidence)
  for (const item of evidence) book.add(item)
  const around = context.around ?? { tickets: [], history: null, instructions: [], sections: [] }
  return {
    ...context,
    evidence: [...book.items],
    around: { ...around, sections: [...around.sections, account] },
  }
}
