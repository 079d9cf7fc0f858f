/**
 * Imports of our own files are where they say, by their whole path. Vitest would report each to its main process, for a graph of modules
 * that only its watch mode reads, and Node would look for each on the disk.
 */
import { registerHooks } from 'node:module'

let isInstalled = false

export function installResolve(): void {
  if (isInstalled) return
  isInstalled = true
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context
      const isOwn = /^\.\.?\/.*\.ts$/.test(specifier) && /^file:(?!.*\/node_modules\/)/.test(parentURL)
      if (!isOwn) return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    },
  })
}
