/** JavaScript: functions that look at what they were given, and take it in several orders or numbers. */
import { isScript } from '../../../code-index/language-of.ts'
import type { Definition, World } from '../../../code-index/resolve/contract.ts'
import { symbolOf } from '../../../code-index/resolve/symbols.ts'

/** `arguments.length`, `typeof options === 'function'`, and `callback = options`, in the body. */
export async function overloadsByHand(world: World, definition: Definition): Promise<boolean> {
  if (!isScript(definition.facts.language)) return false
  const { signature, nameLine, endLine } = symbolOf(definition)
  const names = (signature.parameters ?? []).map(({ name }) => name).filter((name) => /^[\w$]+$/.test(name))
  const text = await world.text(definition.path)
  const body =
    text
      ?.split('\n')
      .slice(nameLine - 1, endLine)
      .join('\n') ?? ''
  if (/\barguments\b/.test(body) || /\btypeof\s+[\w$]+\s*===?\s*['"]function['"]/.test(body)) return true
  return [...body.matchAll(/(?<![\w$.])([\w$]+)\s*=\s*([\w$]+)(?![\w$.(])/g)].some(
    ([, to = '', from = '']) => to !== from && names.includes(to) && names.includes(from),
  )
}
