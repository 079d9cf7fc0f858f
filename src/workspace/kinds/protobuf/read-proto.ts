/**
 * What a `.proto` file defines and refers to, with lines. Reads the words that contracts consist of and steps over the rest, so
 * that a file that no compiler takes still says what it can.
 */

export type ProtoField = {
  sort: 'field'
  number: number
  /** As written, `map<string, User>` too. */
  type: string
  label: 'optional' | 'repeated' | 'required' | ''
  inOneof: boolean
}

export type ProtoMethod = { sort: 'method'; request: string; response: string }

export type ProtoDetail =
  | { sort: 'message'; reserved: string[] }
  | { sort: 'enum' }
  | { sort: 'service' }
  | { sort: 'value'; number: number }
  | ProtoField
  | ProtoMethod

/** `scope`: the full name of what it is in; at the top the package, which may be empty. */
export type ProtoEntry = { name: string; scope: string; line: number; endLine: number; detail: ProtoDetail }

/** A type that is named, in the scope in which it is looked up. */
export type ProtoReference = { type: string; scope: string; line: number }

export type ProtoFile = {
  packageName: string
  imports: readonly { path: string; line: number }[]
  entries: readonly ProtoEntry[]
  references: readonly ProtoReference[]
  /** Of the file: `go_package`, `java_package` … */
  options: ReadonlyMap<string, string>
}

/** In full. What nests deeper, or is called so, is no contract, and names of names take more room than the file. */
const longestName = 500

type Token = { text: string; line: number }

/** Comments are left out; a string is one word with its quotes. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  for (const [word] of text.matchAll(token)) {
    if (!/^(?:\s|\/[/*])/.test(word)) tokens.push({ text: word, line })
    for (let at = word.indexOf('\n'); at >= 0; at = word.indexOf('\n', at + 1)) line += 1
  }
  return tokens
}

const token = /\s+|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"[^"\n]*"?|'[^'\n]*'?|\.?[\w.]+|[^\s\w.]|\./g

type Scope = {
  name: string
  sort: 'file' | 'message' | 'enum' | 'service' | 'oneof' | 'other'
  entry?: ProtoEntry
}

export function readProto(text: string): ProtoFile {
  return new Reader(tokensOf(text)).run()
}

class Reader {
  private at = 0
  private packageName = ''
  private readonly imports: { path: string; line: number }[] = []
  private readonly entries: ProtoEntry[] = []
  private readonly references: ProtoReference[] = []
  private readonly options = new Map<string, string>()
  private readonly scopes: Scope[] = [{ name: '', sort: 'file' }]
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  run(): ProtoFile {
    while (this.at < this.tokens.length) this.statement()
    const { packageName, imports, entries, references, options } = this
    return { packageName, imports, entries, references, options }
  }

  private peek(ahead = 0): string {
    return this.tokens[this.at + ahead]?.text ?? ''
  }

  private get scope(): Scope {
    return this.scopes.at(-1) ?? { name: '', sort: 'file' }
  }

  private statement(): void {
    const word = this.peek()
    const { sort } = this.scope
    if (word === '}') this.close()
    else if (word === ';') this.at += 1
    else if (/^(?:message|enum|service|oneof|extend)$/.test(word) && this.peek(2) === '{') this.open(word)
    else if (sort === 'file') this.fileStatement(word)
    else if (word === 'option' || word === 'extensions') this.skip()
    else if (word === 'reserved') this.reserved()
    else if (word === 'rpc' && sort === 'service') this.method()
    else if (sort === 'enum') this.value()
    else if (sort === 'message' || sort === 'oneof') this.field()
    else this.skip()
  }

  private open(word: string): void {
    const name = this.peek(1)
    const { line } = this.tokens[this.at] ?? { line: 1 }
    const around = this.scope.name
    if (joinName(around, name).length > longestName) {
      this.at += 2
      this.skip()
      return
    }
    this.at += 3
    if (word === 'oneof' || word === 'extend') {
      if (word === 'extend') this.references.push({ type: name, scope: around, line })
      this.scopes.push({ name: around, sort: word === 'oneof' ? 'oneof' : 'other' })
      return
    }
    const sort = word === 'enum' || word === 'service' ? word : 'message'
    const detail: ProtoDetail = sort === 'message' ? { sort, reserved: [] } : { sort }
    const entry = this.add(name, around, line, line, detail)
    this.scopes.push({ name: joinName(around, name), sort, entry })
  }

  private add(name: string, scope: string, line: number, endLine: number, detail: ProtoDetail): ProtoEntry {
    const entry = { name, scope, line, endLine, detail }
    this.entries.push(entry)
    return entry
  }

  private close(): void {
    const { entry } = this.scope
    if (entry) entry.endLine = this.tokens[this.at]?.line ?? entry.line
    if (this.scopes.length > 1) this.scopes.pop()
    this.at += 1
  }

  private fileStatement(word: string): void {
    const { line } = this.tokens[this.at] ?? { line: 1 }
    if (word === 'package') {
      this.packageName = this.peek(1).length > longestName ? '' : this.peek(1)
      this.scopes[0] = { name: this.packageName, sort: 'file' }
    } else if (word === 'import') {
      const ahead = /^(?:public|weak|option)$/.test(this.peek(1)) ? 2 : 1
      this.imports.push({ path: unquoted(this.peek(ahead)), line })
    } else if (word === 'option' && this.peek(2) === '=')
      this.options.set(this.peek(1), unquoted(this.peek(3)))
    this.skip()
  }

  /** To the end of a statement, over what it has in braces. */
  private skip(): void {
    for (let depth = 0; this.at < this.tokens.length; this.at++) {
      const word = this.peek()
      if (word === '{') depth += 1
      else if (word === '}' && depth === 0) return
      else if (word === '}') depth -= 1
      if ((word === ';' || word === '}') && depth === 0) {
        this.at += 1
        return
      }
    }
  }

  private reserved(): void {
    const from = this.at + 1
    this.skip()
    const words = this.tokens.slice(from, this.at).map(({ text }) => unquoted(text))
    const detail = this.scope.entry?.detail
    if (detail?.sort === 'message') for (const word of words) detail.reserved.push(word)
  }

  /** `rpc Get (stream Request) returns (Response)` and its options. */
  private method(): void {
    const { line } = this.tokens[this.at] ?? { line: 1 }
    const name = this.peek(1)
    this.at += 2
    const request = this.parenthesised()
    if (this.peek() === 'returns') this.at += 1
    const response = this.parenthesised()
    const scope = this.scope.name
    for (const type of [request, response])
      this.references.push({ type: type.replace('stream ', ''), scope, line })
    this.skip()
    this.add(name, scope, line, this.tokens[this.at - 1]?.line ?? line, { sort: 'method', request, response })
  }

  private parenthesised(): string {
    const words: string[] = []
    if (this.peek() !== '(') return ''
    for (this.at += 1; /^[\w.]+$/.test(this.peek()); this.at++) words.push(this.peek())
    if (this.peek() === ')') this.at += 1
    return words.join(' ')
  }

  private value(): void {
    const { line } = this.tokens[this.at] ?? { line: 1 }
    const [name, sign] = [this.peek(), this.peek(2)]
    const number = sign === '-' ? -Number(this.peek(3)) : Number(sign)
    const isValue = /^\w+$/.test(name) && this.peek(1) === '=' && Number.isInteger(number)
    if (isValue) this.add(name, this.scope.name, line, line, { sort: 'value', number })
    this.skip()
  }

  private field(): void {
    const { line } = this.tokens[this.at] ?? { line: 1 }
    const label = /^(?:optional|repeated|required)$/.exec(this.peek())?.[0] as ProtoField['label'] | undefined
    if (label) this.at += 1
    const type = this.type()
    const name = this.peek()
    const number = Number(this.peek(2))
    const isField = type !== '' && /^\w+$/.test(name) && this.peek(1) === '=' && Number.isInteger(number)
    const isGroup = type === 'group'
    const scope = this.scope.name
    const inOneof = this.scope.sort === 'oneof'
    if (isField && !isGroup) {
      for (const one of type.match(/[\w.]+/g) ?? [])
        if (!scalars.has(one) && one !== 'map') this.references.push({ type: one, scope, line })
      this.add(name, scope, line, line, { sort: 'field', number, type, label: label ?? '', inOneof })
    }
    this.skip()
  }

  private type(): string {
    const first = this.peek()
    if (!/^\.?\w[\w.]*$/.test(first)) return ''
    this.at += 1
    if (first !== 'map' || this.peek() !== '<') return first
    const [key, value] = [this.peek(1), this.peek(3)]
    this.at += 5
    return `map<${key}, ${value}>`
  }
}

export const scalars: ReadonlySet<string> = new Set([
  ...['double', 'float', 'int32', 'int64', 'uint32', 'uint64', 'sint32', 'sint64'],
  ...['fixed32', 'fixed64', 'sfixed32', 'sfixed64', 'bool', 'string', 'bytes'],
])

export function joinName(scope: string, name: string): string {
  return scope === '' ? name : `${scope}.${name}`
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, '')
}

/** Scopes in which a name is looked up. */
const deepest = 40

/** The full names that a type may have where it is named, innermost scope first. */
export function candidates(type: string, scope: string): string[] {
  if (type.startsWith('.')) return [type.slice(1)]
  const names: string[] = []
  for (
    let at = scope;
    at !== '' && names.length < deepest;
    at = at.slice(0, Math.max(0, at.lastIndexOf('.')))
  )
    names.push(`${at}.${type}`)
  return [...names, type]
}
