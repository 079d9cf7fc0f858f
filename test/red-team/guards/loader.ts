/**
 * Takes one guard away, without a switch in the product: all modules of the repository are loaded once more under
 * `?off=NAME`, and in that world the guard's module is another file. That file may import the real one.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..', '..')
const rootUrl = `${pathToFileURL(root).href}/`

/** Modules under the returned suffix have the replacement in the place of the module. Both paths from the root. */
export function takeAway(
  name: string,
  module: string,
  replacement: string,
): { suffix: string; restore: () => void } {
  const suffix = `?off=${encodeURIComponent(name)}`
  const guarded = `${rootUrl}${module}`
  const standIn = `${rootUrl}${replacement}`
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const parent = context.parentURL ?? ''
      if (
        !parent.endsWith(suffix) ||
        !resolved.url.startsWith(rootUrl) ||
        resolved.url.includes('/node_modules/')
      )
        return resolved
      const [bare = ''] = resolved.url.split('?')
      const isGuarded = bare === guarded && !parent.startsWith(standIn)
      return { ...resolved, url: `${isGuarded ? standIn : bare}${suffix}`, shortCircuit: true }
    },
  })
  return { suffix, restore: () => hooks.deregister() }
}
