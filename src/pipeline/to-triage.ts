/** What triage looks at, from what the model's part of a review is given. */
import type { Fence } from '../base/untrusted/untrusted.ts'
import type { AskInput, ModelParts } from './model-parts.ts'
import { selectFiles } from './reviewer/groups/select-files.ts'
import { renderForScout } from './reviewer/render/for-scout.ts'
import type { TriageInput } from './triage/triage-files.ts'

/** By the bundle as it is before anybody explored it: what a file is worth asking about follows from its change. */
export function toTriage(
  { gateway }: Pick<ModelParts, 'gateway'>,
  { context, candidates, config, panel, onEvent, signal }: AskInput,
  fence: Fence,
): TriageInput {
  return {
    files: selectFiles(context.change, config),
    categories: new Set(panel.planes.flatMap(({ categories }) => categories)),
    candidates,
    scout: config.triage.scout,
    change: renderForScout(context, fence),
    gateway,
    fence,
    onEvent,
    signal,
  }
}
