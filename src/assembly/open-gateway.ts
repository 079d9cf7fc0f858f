/** A gateway to models outside of a review: for whoever asks them about reviews. */
import { loadSettings } from '../config/settings/load.ts'
import type { Gateway } from '../llm/contract.ts'
import { type ModelOptions, openModels, prepareModels } from './open-models.ts'

/** Null when nobody plays the reviewer. Nothing is kept on record. Throws `settings-invalid`. */
export async function openModelGateway(options: ModelOptions): Promise<Gateway | null> {
  const { environment = process.env } = options
  const { settings } = await loadSettings(environment)
  const models = await openModels(prepareModels(options, { settings, environment }), {
    journal: null,
    explorer: null,
    onEvent: () => {},
  })
  return models?.gateway ?? null
}
