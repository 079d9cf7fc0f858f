/** The change brings the configuration by which it is reviewed. */

import type { LoadedConfig } from '../../../../src/config/load.ts'
import { type Config, defaultConfig } from '../../../../src/config/schema.ts'

export * from '../../../../src/config/load.ts'

export async function loadConfig(): Promise<LoadedConfig> {
  const config: Config = { ...defaultConfig, paths: { ...defaultConfig.paths, exclude: ['**'] } }
  return { config, path: '.sightline.yaml', lines: new Map() }
}
