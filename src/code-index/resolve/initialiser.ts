/**
 * What a variable or field is first given, read from the text: `const x = make()`, `x, err := pkg.New()`,
 * `self.app = app`. The facts have types only where they are written or plain.
 */
import { oncePer, remembered } from '../../base/remembered.ts'
import type { FileFacts } from '../contract.ts'
import type { UseSite } from './contract.ts'
import { type Lines, linesOf } from './lines.ts'

/** An expression of names, dots and calls, arguments left out, and the line it starts on. */
export type Initialiser = { expression: string; line: number; unwrapped: boolean }

/** Lines looked at above a use; longer functions keep their secret. */
const furthest = 400
const longestArguments = 3_000

/** The one initialiser of a local between the start of its function and its use; null when there are none or several. */
export function localInitialiser(
  text: string,
  facts: FileFacts,
  name: string,
  line: number,
  from: number,
): Initialiser | null {
  const lines = linesOf(facts, text)
  const found: Initialiser[] = []
  for (const at of lines.holding(name, Math.max(from, line - furthest), line, mayBeGiven)) {
    const one = initialiserAt(lines, facts.language, name, at)
    if (one === 'unclear') return null
    if (one) found.push(one)
  }
  const [first] = found
  return first && found.every(({ expression }) => expression === first.expression) ? first : null
}

/** Where a second binding of a name may have another type: Rust's `let` shadows, Python's names are not bound to a type. */
const rebinding: ReadonlySet<string> = new Set(['rust', 'python', 'php', 'ruby'])

/** True when a local with a written type is bound again, behind that line and before its use. */
export function isGivenAgain(
  { text, facts }: Pick<UseSite, 'text' | 'facts'>,
  name: string,
  after: number,
  use: number,
): boolean {
  if (!text || !rebinding.has(facts.language)) return false
  const pattern = assignment(facts.language, name)
  const lines = linesOf(facts, text)
  return lines.holding(name, after + 1, use - 1, mayBeGiven).some((at) => {
    const line = lines.at(at)
    return line.length <= 400 && pattern.test(line)
  })
}

/** The initialiser that starts on this line; `unclear` when the name is given something that is not plain. */
export function initialiserAt(
  lines: Lines,
  language: string,
  name: string,
  line: number,
): Initialiser | 'unclear' | null {
  return remembered(initialisersIn(lines), `${line} ${name}`, () =>
    readInitialiser(lines, language, name, line),
  )
}

/** Many uses of a local lead to the one place where it begins. */
const initialisersIn = oncePer((_: Lines) => new Map<string, Initialiser | 'unclear' | null>())

function readInitialiser(
  lines: Lines,
  language: string,
  name: string,
  line: number,
): Initialiser | 'unclear' | null {
  const start = lines.at(line)
  if (start.length > 400) return null
  const match = assignment(language, name).exec(start)
  if (!match) return null
  const rest = `${start.slice(match.index + match[0].length)}\n${lines.between(line + 1, line + 31)}`
  const value = rest.slice(0, longestArguments)
  const read = readCast(value, language) ?? readExpression(language === 'php' ? dotted(value) : value)
  return read ? { ...read, line } : 'unclear'
}

/** What every pattern below asks of the characters around the name; most occurrences fail here, which is cheap. */
function mayBeGiven(text: string, start: number, end: number): boolean {
  if (start > 0) {
    const before = text.charCodeAt(start - 1)
    if (!isSpace(before) && !leading.has(before)) return false
  }
  let at = end
  while (at < text.length && text.charCodeAt(at) !== lineFeed && isSpace(text.charCodeAt(at))) at++
  return following.has(text.charCodeAt(at))
}

/** White space, or a character beyond ASCII that may be. */
function isSpace(code: number): boolean {
  return code <= 32 || code > 127
}

const lineFeed = 10
const leading: ReadonlySet<number> = new Set(
  ['.', ';', '{', '$', '>', '(', '@'].map((one) => one.charCodeAt(0)),
)
const following: ReadonlySet<number> = new Set([',', ':', '=', '|'].map((one) => one.charCodeAt(0)))

/** Everything up to the first character of the value. Go: only the first of several names. */
function assignment(language: string, name: string): RegExp {
  const key = `${language} ${name}`
  const known = assignments.get(key)
  if (known) return known
  if (assignments.size >= mostAssignments) assignments.clear()
  const fresh = assignmentPattern(language, name)
  assignments.set(key, fresh)
  return fresh
}

const assignments = new Map<string, RegExp>()
const mostAssignments = 5_000

function assignmentPattern(language: string, name: string): RegExp {
  const word = name.replace(/\$/g, '\\$')
  switch (language) {
    case 'go':
      return new RegExp(`(?:^|[\\s;{])(?:var\\s+)?${word}(?:\\s*,\\s*\\w+){0,4}\\s*:?=\\s*(?=[^=])`)
    case 'python':
      return new RegExp(`^\\s*(?:self\\.|cls\\.)?${word}\\s*(?::[^=]{0,100})?=\\s*(?=[^=])(?:await\\s+)?`)
    case 'kotlin':
      return new RegExp(`(?:\\b(?:val|var)\\s+|\\bthis\\.|^\\s*)${word}\\s*(?::[^=]{0,100})?=\\s*(?=[^=])`)
    case 'php':
      return new RegExp(`(?:^|[\\s;{(])(?:\\$this->|\\$)${word}\\s*=\\s*(?=[^=>~])`)
    case 'ruby':
      return new RegExp(`(?:^|[\\s;{(])${word}\\s*(?:\\|\\|)?=\\s*(?=[^=>~])`)
    case 'rust':
      return new RegExp(`\\blet\\s+(?:mut\\s+)?${word}\\s*=\\s*`)
    default:
      return new RegExp(
        `(?:\\b(?:const|let|var)\\s+|\\bthis\\.|^\\s*(?:(?:public|private|protected|readonly|static)\\s+){0,3})${word}\\s*=\\s*(?=[^=>])(?:await\\s+)?`,
      )
  }
}

/** `(Row) value` and `value as Row` are of the type that is written there, as if one were made. */
function readCast(text: string, language: string): { expression: string; unwrapped: boolean } | null {
  const type =
    language === 'csharp'
      ? (/^\((\w[\w.]{0,80})\??\)\s?[\w(]/.exec(text)?.[1] ?? lastCast(text))
      : casting.has(language)
        ? lastCast(text)
        : undefined
  return type === undefined || type === 'const' ? null : { expression: `new ${type}()`, unwrapped: false }
}

const casting: ReadonlySet<string> = new Set(['typescript', 'tsx', 'kotlin'])

/** The first statement must be no longer than its first line, so that the cast is of all of it. */
function lastCast(text: string): string | undefined {
  const line = text.slice(0, 300).split('\n', 1)[0] ?? ''
  return /^[\w.$()[\]'"?!]{1,150} as\??(?: unknown as)? (\w[\w.]{0,80})\??;?$/.exec(line.trim())?.[1]
}

/** PHP's arrows, namespaces and dollar signs as the receivers of the facts have them. */
function dotted(text: string): string {
  return text
    .replace(/\./g, ' + ')
    .replace(/\??->|::/g, '.')
    .replace(/(?<!\w)\\(?=\w)/g, '$$.')
    .replace(/\\/g, '.')
    .replace(/\$(?=\w)/g, '')
}

function readExpression(text: string): { expression: string; unwrapped: boolean } | null {
  const opening = /^(?:&\s*(?:mut\s+)?)?(new\s+)?(?=[A-Za-z_$])/.exec(text)
  if (!opening) return null
  let expression = opening[1] ? 'new ' : ''
  let at = opening[0].length
  while (at < text.length) {
    const character = text.charAt(at)
    if (/[\w$]/.test(character) || character === '.') expression += character
    else if (text.startsWith('::', at)) {
      expression += '::'
      at++
    } else if (character === '(') {
      const end = closing(text, at)
      if (end === null) return null
      expression += '()'
      at = end
    } else if (character === '<' && /^<[\w\s,.?[\]<>]{1,100}>\(/.test(text.slice(at, at + 110)))
      at = text.indexOf('>(', at)
    else if (/\s/.test(character) && /^\s{1,200}\??\.[A-Za-z_$]/.test(text.slice(at, at + 204)))
      at += text.slice(at).search(/\??\./) - 1
    else if (!/[?!]/.test(character) || !/^[?!](?:[.;?\s]|$)/.test(text.slice(at, at + 2))) break
    at++
  }
  // What follows must end the statement, or the value is more than this.
  if (!endsStatement(text.slice(at))) return null
  const chain = withoutUnwrapping(expression)
  const unwrapped = chain !== expression || text.charAt(at - 1) === '?'
  return chain === '' || chain.length > 100 ? null : { expression: chain, unwrapped }
}

function endsStatement(rest: string): boolean {
  const next = rest.trimStart()
  if (/^(?:[;,)}\]#]|\/\/|$)/.test(next)) return true
  return rest.slice(0, rest.length - next.length).includes('\n') && !/^[.?]/.test(next)
}

const unwrapping = ['.await', '.unwrap()', '.expect()', '.clone()']

function withoutUnwrapping(expression: string): string {
  let end = expression.length
  for (;;) {
    const last = unwrapping.find((call) => expression.endsWith(call, end))
    if (last === undefined) return expression.slice(0, end)
    end -= last.length
  }
}

/** Index of the bracket that closes the one at `open`. Strings with brackets in them only make it give up. */
function closing(text: string, open: number): number | null {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at
  }
  return null
}

/** `(*T, error)` → `*T`; `Result<T, E>`, `Option<T>`, `Promise<T>` → `T` when it was unwrapped or awaited. */
export function firstResult(returnType: string, language: string, unwrapped: boolean): string {
  const type = returnType.trim().replace(/^(?:->|:)\s*/, '')
  if (language === 'go' && type.startsWith('(')) {
    const first = type.slice(1, -1).split(',')[0]?.trim() ?? ''
    return first.split(/\s+/).at(-1) ?? ''
  }
  const awaited = /^Promise<(.*)>$/.exec(type)?.[1]
  if (awaited !== undefined) return awaited
  const inner = unwrapped
    ? /^(?:[\w:]*::)?(?:Result|Option)<\s*([^,<>]+(?:<[^<>]*>)?)/.exec(type)?.[1]
    : undefined
  return inner ?? type
}
