/** What a string of code says as far as the text tells: its literal parts and the names that are put between them. */
import { endOfString } from './code-text.ts'

/** A hole is what is only known when the program runs; `name` is as written: `process.env.USERS_URL`. */
export type Part = string | { hole: string }

const prefix = /^[A-Za-z]{0,2}$/
const holeOf = (text: string): Part => ({ hole: text.trim().slice(0, 80) })

/** Null where the expression does not plainly make a string. `constants`: strings by the names that stand for them. */
export function stringParts(
  expression: string,
  constants: ReadonlyMap<string, string> = new Map(),
): Part[] | null {
  const pieces = summands(expression)
  if (pieces.length === 0) return null
  const parts = pieces.flatMap((piece) => partsOf(piece, constants))
  if (!parts.some((part) => typeof part === 'string')) return null
  return joined(parts)
}

/** The text of a literal without holes; else null. */
export function literalText(
  expression: string,
  constants: ReadonlyMap<string, string> = new Map(),
): string | null {
  const parts = stringParts(expression, constants)
  const [first = ''] = parts ?? []
  return parts && parts.length < 2 && typeof first === 'string' ? first : null
}

/** The parts between `+`, and strings that stand side by side. */
function summands(expression: string): string[] {
  const found: string[] = []
  let from = 0
  let depth = 0
  const add = (to: number): void => {
    const piece = expression.slice(from, to).trim()
    if (piece !== '') found.push(piece)
  }
  for (let at = 0; at < expression.length; ) {
    const character = expression.charAt(at)
    if ('"\'`'.includes(character)) {
      const end = endOfString(expression, at)
      if (depth === 0) {
        const lead = expression.slice(from, at).trim()
        if (lead !== '' && !prefix.test(lead)) {
          add(at)
          from = at
        }
        if (!/^[ \t]{0,9}[.%[]/.test(expression.slice(end, end + 10))) {
          add(end)
          from = end
        }
      }
      at = end
      continue
    }
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (character === '+' && depth === 0) {
      add(at)
      from = at + 1
    }
    at++
  }
  add(expression.length)
  return found
}

function partsOf(piece: string, constants: ReadonlyMap<string, string>): Part[] {
  const known = constants.get(piece) ?? constants.get(ownName(piece))
  if (known !== undefined) return [known]
  const literal = /^([A-Za-z]{0,2})(["'`])/.exec(piece)
  if (literal) return literalParts(piece, literal[1] ?? '', constants)
  const formatted = /^(?:fmt\.Sprintf|String\.format|URI|URI\.parse|URI\.create|new URL|url\.Parse)\(/.exec(
    piece,
  )
  if (formatted && piece.endsWith(')')) return formattedParts(piece.slice(formatted[0].length, -1), constants)
  return [holeOf(piece)]
}

/** `self.TOPIC`, `Orders.TOPIC` → `TOPIC`. */
function ownName(piece: string): string {
  return (
    /^(?:(?:self|this|cls)\.|(?:[A-Z]\w{0,60}\.){1,3}(?=[A-Z0-9_]{2,60}$))(\w{1,80})$/.exec(piece)?.[1] ?? ''
  )
}

function literalParts(piece: string, mark: string, constants: ReadonlyMap<string, string>): Part[] {
  const start = mark.length
  const quote = piece.charAt(start)
  const end = endOfString(piece, start)
  const width = piece.startsWith(quote.repeat(3), start) && end - start >= 6 ? 3 : 1
  const body = piece.slice(start + width, Math.max(start + width, end - width))
  const rest = piece.slice(end).trim()
  if (quote === '`' && piece.includes('${')) return withHoles(body, '${', constants)
  if (/f/i.test(mark)) return withHoles(body, '{', constants)
  if (quote === '"' && body.includes('#{')) return withHoles(body, '#{', constants)
  if (rest.startsWith('.format(')) return withHoles(body, '{', constants)
  if (rest.startsWith('%')) return printfParts(body, [], constants)
  return [body]
}

/** Of `format, a, b`: the names are put where the marks are. */
function formattedParts(inside: string, constants: ReadonlyMap<string, string>): Part[] {
  const start = /["'`]/.exec(inside)?.index
  if (start === undefined) return [holeOf(inside)]
  const end = endOfString(inside, start)
  const names = inside
    .slice(end)
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  if (inside.slice(0, start).trim() !== '' || !inside.slice(start, end).includes('%'))
    return stringParts(inside, constants) ?? [holeOf(inside)]
  return printfParts(inside.slice(start + 1, end - 1), names, constants)
}

function printfParts(
  format: string,
  names: readonly string[],
  constants: ReadonlyMap<string, string>,
): Part[] {
  let next = 0
  return format.split(/(%[sdvqn])/).flatMap((one): Part[] => {
    if (!/^%[sdvqn]$/.test(one)) return one === '' ? [] : [one]
    const name = names[next++] ?? 'value'
    return [constants.get(name) ?? holeOf(name)]
  })
}

function withHoles(body: string, open: string, constants: ReadonlyMap<string, string>): Part[] {
  const parts: Part[] = []
  let from = 0
  for (let at = body.indexOf(open); at >= 0; at = body.indexOf(open, from)) {
    parts.push(body.slice(from, at))
    const close = closingBrace(body, at + open.length)
    const name = body.slice(at + open.length, close).trim()
    parts.push(constants.get(name) ?? holeOf(name))
    from = close + 1
  }
  parts.push(body.slice(from))
  return parts.filter((part) => part !== '')
}

function closingBrace(body: string, from: number): number {
  let depth = 1
  for (let at = from; at < body.length; at++) {
    if (body[at] === '{') depth++
    else if (body[at] === '}' && --depth === 0) return at
  }
  return body.length
}

function joined(parts: readonly Part[]): Part[] {
  const found: Part[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (typeof part === 'string' && typeof last === 'string') found[found.length - 1] = last + part
    else if (part !== '') found.push(part)
  }
  return found
}

const constant =
  /(?:^|[\s;({])([A-Za-z_]\w{0,80})(?:[ \t]{0,4}:[ \t]{0,4}[Ss]tr(?:ing)?)?[ \t]{0,9}:?=[ \t]{0,9}(["'`])([^"'`\n$]{1,300})\2(?=[ \t]{0,4}(?:[;,)\r\n#]|\/\/|$))/g

/** Strings that one name of the file stands for; names that stand for several are left out. */
export function stringConstants(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const twice = new Set<string>()
  for (const [, name = '', , value = ''] of text.matchAll(constant)) {
    if (found.has(name) && found.get(name) !== value) twice.add(name)
    found.set(name, value)
  }
  for (const name of twice) found.delete(name)
  return found
}
