/** What a caller passes besides the written parameters: decorators and explicit receivers. */
import type { Definition, World } from '../../../code-index/resolve/contract.ts'
import { symbolOf } from '../../../code-index/resolve/symbols.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'

const harmless =
  /^@(?:[\w.]*\.)?(?:abstractmethod|override|overload|deprecated|final|cache|lru_cache|contextmanager|asynccontextmanager|no_type_check)\b/

/** `method`: takes its receiver first. `plain`: parameters are as written. `unknown`: wrapped by something. */
export async function shapeOf(world: World, definition: Definition): Promise<'method' | 'plain' | 'unknown'> {
  const symbol = symbolOf(definition)
  const { language } = definition.facts
  if (language === 'rust')
    return /\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b/.test(symbol.signature.text) ? 'method' : 'plain'
  if (language === 'typescript' || language === 'tsx') return hasWrittenType(symbol) ? 'unknown' : 'plain'
  if (language !== 'python') return 'plain'
  const text = (await world.text(definition.path)) ?? ''
  const lines = text.split('\n', symbol.nameLine).slice(symbol.startLine - 1)
  const decorators = lines.map((line) => line.trim()).filter((line) => line.startsWith('@'))
  if (decorators.some((line) => /^@(?:staticmethod|classmethod)\b/.test(line)))
    return decorators.every((line) => /^@(?:staticmethod|classmethod)\b/.test(line) || harmless.test(line))
      ? 'plain'
      : 'unknown'
  if (!decorators.every((line) => harmless.test(line))) return 'unknown'
  return symbol.kind === 'method' ? 'method' : 'plain'
}

/** `fetch: (a?: A) => B = (a) => …`: callers see the written type, and the function behind it has its own parameters. */
function hasWrittenType({ name, signature }: CodeSymbol): boolean {
  const beforeParameters = signature.text.slice(0, Math.max(0, signature.text.indexOf('(')))
  const afterName = beforeParameters.slice(beforeParameters.indexOf(name) + name.length)
  return beforeParameters.includes(name) && /^\s*(?:[?!]\s*)?:/.test(afterName)
}
