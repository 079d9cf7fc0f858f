/**
 * Which fields of an answer or a message a function reads: follows the value through names, destructuring, callbacks and
 * loops of one piece of code, in the spellings of the languages that we read. What it cannot follow it does not report.
 */
import { lowerFirst } from '../../../code-index/query/other-names.ts'
import { endOfBracket, entriesOf } from '../reading/code-text.ts'
import { memberOf } from './field.ts'

/** `response`: what holds the data, behind `.json()`, `.data` or the like; `data`: the value at this path of it. */
export type Followed = { kind: 'response' | 'data'; path: string }

export type ReadOptions = {
  /** `getEmail()` and `email()` read `email`. */
  hasGetters?: boolean
  /** Names that the data has for members of this code: `Email` → `email` (tags of Go). */
  wireNames?: ReadonlyMap<string, string>
}

/** A path with `?` at its end is read in a way that bears a missing value. */
export type ReadPath = string

const maximumNames = 60
const maximumReads = 200

const unwrapping = new Set([
  'json',
  'data',
  'body',
  'text',
  'getBody',
  'parsed_response',
  'json_body',
  'read',
  'content',
  'value',
  'Body',
  'Message',
  'Data',
])
const transparent = new Set([
  'then',
  'block',
  'toPromise',
  'pipe',
  'raise_for_status',
  'bodyToMono',
  'retrieve',
  'get',
  'toString',
  'decode',
  'to_s',
])
const overElements = new Set([
  'map',
  'forEach',
  'flatMap',
  'filter',
  'find',
  'some',
  'every',
  'each',
  'collect',
  'select',
])

export class FieldReader {
  readonly #text: string
  readonly #options: ReadOptions
  readonly #names = new Map<string, Followed>()
  readonly #found = new Set<ReadPath>()
  /** Before which nothing is read again. */
  #resume = 0

  constructor(text: string, options: ReadOptions = {}) {
    this.#text = text
    this.#options = options
  }

  get reads(): ReadPath[] {
    return [...this.#found].sort()
  }

  name(name: string, value: Followed): void {
    if (this.#names.size < maximumNames) this.#names.set(name, value)
  }

  /** A pattern that takes the value apart: `{ id, user: { email } }`, or a plain name. */
  bind(pattern: string, value: Followed): void {
    this.#bind(pattern.trim(), value, 0)
  }

  /** Follows an expression that stands at these offsets, and then everything behind it. */
  followFrom(start: number, end: number, value: Followed): void {
    this.#expression(start, end, value)
    this.follow(end)
  }

  follow(from = 0): void {
    const word = /[A-Za-z_$][\w$]*/g
    word.lastIndex = from
    for (let match = word.exec(this.#text); match; match = word.exec(this.#text)) {
      if (this.#found.size >= maximumReads) return
      const [name] = match
      const value = this.#names.get(name)
      if (!value || '.\'"`'.includes(this.#text[match.index - 1] || ' ') || this.#isMember(match.index))
        continue
      const end = match.index + name.length
      if (this.#isKey(end)) continue
      if (this.#isAssigned(end)) this.#names.delete(name)
      else this.#expression(match.index, end, value)
    }
  }

  #isMember(at: number): boolean {
    return this.#text[at - 1] === '.' && this.#text.slice(at - 3, at) !== '...'
  }

  /** `data: …` in a literal names something else. */
  #isKey(end: number): boolean {
    return /^[ \t]{0,4}:[^:]/.test(this.#text.slice(end, end + 6)) && !this.#text.slice(0, end).endsWith('?')
  }

  #isAssigned(end: number): boolean {
    return /^[ \t]{0,4}:?=[^=>]/.test(this.#text.slice(end, end + 8)) && end > this.#resume
  }

  #expression(start: number, end: number, value: Followed): void {
    const before = wrappersBefore(this.#text, start)
    const inner =
      before.isParsed && value.kind === 'response' && /^[ ]{0,2}\)/.test(this.#text.slice(end, end + 4))
    const { now, at, isTolerant } = this.#chain(
      end,
      inner ? { kind: 'data', path: '' } : value,
      before.brackets,
    )
    if (!now) return
    this.#record(now, isTolerant || /^[ \t]{0,9}(?:\?\?|\|\||or\b)/.test(this.#text.slice(at, at + 16)))
    this.#bindBefore(before.at, now)
  }

  #record({ kind, path }: Followed, isTolerant: boolean): void {
    if (kind === 'data' && path !== '') this.#found.add(isTolerant ? `${path}?` : path)
  }

  /** Reads `.a`, `["a"]`, `[0]`, `.json()`, `.then(…)` as long as they follow. */
  #chain(
    from: number,
    start: Followed,
    brackets: number,
  ): { now: Followed | null; at: number; isTolerant: boolean } {
    let now: Followed = start
    let at = from
    let open = brackets
    let isTolerant = false
    for (let steps = 0; steps < 40; steps++) {
      const rest = this.#text.slice(at, at + 160)
      const cast = /^ as (?:unknown as )?[\w.<>[\]| ]{1,80}(?=\))/.exec(rest)
      if (cast) at += cast[0].length
      else if (open > 0 && /^[ \t\n]{0,9}\)/.test(rest)) {
        at = this.#text.indexOf(')', at) + 1
        open--
      } else {
        const step = this.#step(rest, at, now)
        if (!step) break
        if (step.now === null) return { now: null, at, isTolerant }
        isTolerant = step.isTolerant
        now = step.now
        at = step.at
      }
    }
    return { now, at, isTolerant }
  }

  #step(
    rest: string,
    at: number,
    now: Followed,
  ): { now: Followed | null; at: number; isTolerant: boolean } | null {
    const index = /^\??\.?\[(?:(["'])([^"'\n]{1,80})\1|:(\w{1,80})|[^\]\n"']{1,60})\]/.exec(rest)
    if (index) {
      const key = index[2] ?? index[3]
      const next = key === undefined ? element(now) : this.#member(now, key)
      return { now: next, at: at + index[0].length, isTolerant: false }
    }
    const member = /^[ \t\r\n]{0,40}!?(\?|&)?\.([A-Za-z_$][\w$]{0,80})/.exec(rest)
    if (!member) return null
    const name = member[2] ?? ''
    const end = at + member[0].length
    const generic = /^<[\w.<>[\], ]{1,60}>(?=\()/.exec(this.#text.slice(end, end + 70))
    const open = end + (generic?.[0].length ?? 0)
    if (this.#text[open] !== '(') return { now: this.#member(now, name), at: end, isTolerant: false }
    return this.#call(name, open, now)
  }

  #member(now: Followed, name: string): Followed | null {
    if (now.kind === 'data')
      return { kind: 'data', path: memberOf(now.path, this.#options.wireNames?.get(name) ?? name) }
    return unwrapping.has(name) ? { kind: 'data', path: '' } : null
  }

  #call(
    name: string,
    open: number,
    now: Followed,
  ): { now: Followed | null; at: number; isTolerant: boolean } | null {
    const close = endOfBracket(this.#text, open)
    const inside = this.#text.slice(open, close)
    const done = (next: Followed | null, isTolerant = false) => ({ now: next, at: close, isTolerant })
    const key = /^\([ ]{0,2}(?:["']([^"'\n]{1,80})["']|:(\w{1,80}))/.exec(inside)
    const keyName = key?.[1] ?? key?.[2]
    if (
      now.kind === 'data' &&
      keyName !== undefined &&
      /^(?:get|fetch|dig|path|at|getString|optString)$/.test(name)
    )
      return done(this.#member(now, keyName), name === 'get')
    if (now.kind === 'response' && unwrapping.has(name)) return done({ kind: 'data', path: '' })
    if (name === 'then' || name === 'subscribe' || name === 'tap')
      return done(this.#callback(open, inside, now))
    if (now.kind === 'data' && overElements.has(name)) {
      this.#callback(open, inside, element(now))
      return done(name === 'filter' || name === 'select' ? now : name === 'find' ? element(now) : null)
    }
    const getter = this.#options.hasGetters
      ? /^(?:get|is)?([A-Z]\w{0,80})$|^([a-z]\w{0,80})$/.exec(name)
      : null
    const field = getter && inside === '()' ? lowerFirst(getter[1] ?? getter[2] ?? '') : null
    if (now.kind === 'data' && field !== null && !transparent.has(name)) return done(this.#member(now, field))
    return transparent.has(name) ? done(now) : null
  }

  /** The parameter of the function is the value; answers with what the function returns, as far as that is plain. */
  #callback(open: number, inside: string, value: Followed): Followed | null {
    const arrow =
      /^\([ \t\r\n]{0,40}(?:async[ ]{1,3})?(?:\(?[ \t\r\n]{0,20}((?:\{[^{}]{0,200}\}|\w{1,60}))(?:[ ]{0,2}:[^)=]{0,80})?[ \t\r\n]{0,20}\)?)[ ]{0,3}(?:=>|->)[ \t\r\n]{0,40}/.exec(
        inside,
      )
    if (!arrow) return null
    const pattern = arrow[1] ?? ''
    const body = inside.slice(arrow[0].length)
    const held = new Map(this.#names)
    this.bind(pattern, value)
    const returned = this.#returned(open + arrow[0].length, body, pattern)
    const inner = new FieldReader(body, this.#options)
    for (const [name, one] of this.#names) inner.name(name, one)
    inner.follow()
    for (const read of inner.reads) this.#found.add(read)
    this.#names.clear()
    for (const [name, one] of held) this.#names.set(name, one)
    return returned
  }

  /** Of `r => r.json()` and `({ data }) => data`. */
  #returned(offset: number, body: string, pattern: string): Followed | null {
    const name = /^(?:await )?(\w{1,60})/.exec(body)
    const value = name && this.#names.get(name[1] ?? '')
    if (!name || !value || pattern === '') return null
    return this.#chain(offset + name[0].length, value, 0).now
  }

  /** What the value is assigned to, or which loop runs over it. */
  #bindBefore(start: number, value: Followed): void {
    const before = this.#text.slice(Math.max(0, start - 300), start)
    const loop =
      /\bfor[ ]{1,3}\(?[ ]{0,2}(?:const |let |var |final )?(?:[\w<>[\]]{1,40} )?(?:_, ?|\w{1,20}, ?)?(\{[^{}]{0,200}\}|\w{1,60})[ ]{1,3}(?:of|in|:=[ ]{0,2}range|:)[ ]{1,3}$/.exec(
        before,
      )
    if (loop) {
      this.bind(loop[1] ?? '', element(value))
      this.#comprehension(start - (before.length - loop.index))
      return
    }
    const pattern = assignedPattern(before)
    if (pattern === null) return
    this.#resume = start
    this.bind(pattern, value)
  }

  /** `[u["email"] for u in users]`: the element is read before its name is made. */
  #comprehension(loop: number): void {
    const line = this.#text.slice(Math.max(0, loop - 300), loop)
    const open = Math.max(
      line.lastIndexOf('['),
      line.lastIndexOf('('),
      line.lastIndexOf('{'),
      line.lastIndexOf('\n'),
    )
    const first = line.search(/[[({][^\n]{0,299}$/)
    const piece = line.slice(first >= 0 ? first : Math.max(0, open))
    const inner = new FieldReader(piece, this.#options)
    for (const [name, one] of this.#names) inner.name(name, one)
    inner.follow()
    for (const read of inner.reads) this.#found.add(read)
  }

  #bind(pattern: string, value: Followed, depth: number): void {
    if (depth > 5) return
    if (/^\w+$/.test(pattern)) {
      this.name(pattern, value)
      return
    }
    if (!pattern.startsWith('{')) return
    for (const { name, text } of entriesOf(pattern)) {
      const key = name ?? text
      const next = /^\w+$/.test(key) ? this.#member(value, key) : null
      if (!next) continue
      const isNested = text.startsWith('{')
      const hasDefault = name !== null && new RegExp(`\\b${key}[ ]{0,2}=`).test(pattern)
      this.#record(next, hasDefault || (!isNested && text.includes('=')))
      const target = isNested ? text : (text.split('=', 1)[0] ?? '').trim()
      this.#bind(name === null || hasDefault ? key : target, next, depth + 1)
    }
  }
}

/** The target of the `=` at the end of this text: a name, the first of several, or a pattern in braces. */
function assignedPattern(before: string): string | null {
  const sign = /(?:[ ]{0,2}:[ ]{0,2}[A-Z][\w.<>[\]| ]{0,60})?[ ]{0,3}:?=[ \t\r\n]{0,20}$/.exec(before)
  if (!sign) return null
  const target = before.slice(0, sign.index)
  if (target.endsWith('}')) {
    let depth = 0
    for (let at = target.length - 1; at >= 0; at--) {
      if (target[at] === '}') depth++
      else if (target[at] === '{' && --depth === 0) return target.slice(at)
    }
    return null
  }
  return (
    /(?:(\w{1,60}), ?)?(\w{1,60})$/
      .exec(target)
      ?.slice(1)
      .find((name) => name !== undefined) ?? null
  )
}

function element({ kind, path }: Followed): Followed {
  return { kind, path: kind === 'data' ? `${path}[]` : path }
}

/** `(await `, `JSON.parse(` and the like before an expression; how many brackets they open. */
function wrappersBefore(text: string, start: number): { at: number; brackets: number; isParsed: boolean } {
  let at = start
  let brackets = 0
  let isParsed = false
  for (let hops = 0; hops < 6; hops++) {
    const before = text.slice(Math.max(0, at - 40), at)
    const wrapper =
      /(?:JSON\.parse|json\.loads?|JSON\.load|await|return|yield)?([ ]?)(\(?)[ \t\r\n]{0,9}$/.exec(before)
    if (!wrapper || wrapper[0].trim() === '' || /\w$/.test(before.slice(0, wrapper.index))) break
    at -= wrapper[0].length
    if (wrapper[2] === '(') brackets++
    isParsed ||= /JSON|json/.test(wrapper[0])
  }
  return { at, brackets, isParsed }
}
