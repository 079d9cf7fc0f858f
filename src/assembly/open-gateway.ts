/** A gateway to models outside of a review: for whoever asks them about reviews. */
import type { Gateway } from '../llm/contract.ts'
import { type ModelOptions, openModels, prepareModels } from './open-models.ts'

/** Null when nobody plays the reviewer. Nothing is kept on record. Throws `settings-invalid`. */
export async function openModelGateway(options: ModelOptions): Promise<Gateway | null> {
  const models = await openModels(await prepareModels(options), null, null, () => {})
  return models?.gateway ?? null
}
