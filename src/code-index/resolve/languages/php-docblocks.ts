/** Types that PHP code documents instead of declaring: `@var`, `@param` and `@return` in the comment before a definition. */
import type { Definition, UseSite, World } from '../contract.ts'
import { type Lines, linesOf } from '../lines.ts'
import { around, isType, symbolOf } from '../symbols.ts'

const longestComment = 80

/** What a property holds or a function returns. */
export async function documentedType(world: World, definition: Definition): Promise<string | null> {
  const text = await world.text(definition.path)
  if (text === null) return null
  const { kind, startLine } = symbolOf(definition)
  const comment = commentAbove(linesOf(definition.facts, text), startLine)
  const tag = kind === 'method' || kind === 'function' ? 'return' : 'var'
  const [, written] = new RegExp(`@${tag}\\s+(\\S+)`).exec(comment) ?? []
  return written === undefined ? null : typePath(written)
}

/** What a parameter or local is, unless it is given something else before the line. */
export function documentedLocal(place: UseSite, name: string, line: number): string | null {
  const { facts, text } = place
  if (text === null || !/^\w+$/.test(name)) return null
  const lines = linesOf(facts, text)
  const holder = around(place)
    .map((index) => facts.symbols[index])
    .find((symbol) => symbol !== undefined && !isType(symbol))
  const from = holder?.startLine ?? 1
  const mentioned = lines.holding(name, from, line, (whole, at) => whole.charAt(at - 1) === '$')
  const inline = new RegExp(`@var\\s+(\\S+)\\s+\\$${name}\\b`)
  const given = new RegExp(`\\$${name}\\s*(?:\\?\\?)?=(?![=>])|\\bas\\s+[^)]{0,40}\\$${name}\\b`)
  const documented = mentioned.findLast((at) => inline.test(lines.at(at)))
  const assigned = mentioned.findLast((at) => at < line && given.test(lines.at(at)))
  if (documented !== undefined) {
    // The comment comes right before what it describes.
    if (assigned !== undefined && assigned > documented + 2) return null
    return typePath(inline.exec(lines.at(documented))?.[1] ?? '')
  }
  if (assigned !== undefined || !holder) return null
  const [, written] =
    new RegExp(`@param\\s+(\\S+)\\s+(?:\\.\\.\\.)?&?\\$${name}\\b`).exec(
      commentAbove(lines, holder.startLine),
    ) ?? []
  return written === undefined ? null : typePath(written)
}

/** The documentation comment that ends above a line; attributes may come between. */
function commentAbove(lines: Lines, line: number): string {
  let at = line - 1
  while (at > 0 && /^\s*#\[/.test(lines.at(at))) at--
  if (!/\*\/\s*$/.test(lines.at(at))) return ''
  const end = at
  while (at > 0 && end - at < longestComment && !/\/\*\*/.test(lines.at(at))) at--
  return lines.between(at, end + 1)
}

const builtIn =
  /^(?:array|bool|boolean|callable|class-string|false|float|int|integer|iterable|list|mixed|never|null|numeric|object|resource|scalar|string|true|void)$/i

/** `A<B>|null` → `A|null`; what is nested is a list of something. */
function withoutArguments(written: string): string {
  const [start, end] = [written.indexOf('<'), written.lastIndexOf('>')]
  return start < 0 || end < start ? written : written.slice(0, start) + written.slice(end + 1)
}

/** `?\A\B<C>`, `\A\B|null` → `$.A.B`; `$this` → `static`. Null for lists, real unions and built-in types. */
export function typePath(written: string): string | null {
  const parts = withoutArguments(written.replace(/^\?/, ''))
    .split('|')
    .filter((part) => !/^null$/i.test(part))
  const names = new Set(parts.map((part) => (/^(?:\$this|static)$/.test(part) ? 'static' : part)))
  const [only] = names
  if (names.size !== 1 || only === undefined || builtIn.test(only) || !/^\\?\w+(?:\\\w+)*$/.test(only))
    return null
  return only.replace(/^\\/, '$.').replaceAll('\\', '.')
}
