/** The operator's settings as they are in force, key by key, and who set each. */
import { type ConfigKey, settingsKeys } from '../../../config/keys.ts'
import type { Settings } from '../../../config/settings/schema.ts'
import type { EffectiveValue } from '../contract/operation.ts'

/** `setBy`: for people, where a value that is not the default comes from. */
export function settingsInForce(
  settings: Settings,
  setBy: string,
  isShown: (key: ConfigKey) => boolean,
): EffectiveValue[] {
  return settingsKeys()
    .filter(isShown)
    .map(({ key, path, default: fallback }) => {
      const value = path.reduce<unknown>(
        (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
        settings,
      )
      // A section that is left out as a whole has no values; nobody set the keys in it.
      const isDefault = value === undefined || JSON.stringify(value) === JSON.stringify(fallback)
      return { path: key, value: value ?? null, origin: isDefault ? 'default' : setBy }
    })
}
