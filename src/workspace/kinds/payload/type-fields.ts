/** The fields of a type that code declares: classes of Pydantic, interfaces, records, structs with tags. */
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { SourceFile } from '../../contract.ts'
import { type Field, type Fields, memberOf } from './field.ts'

/** Where a type of this name is declared, as this file sees it; null for what is not in the repository. */
export type FindType = (name: string, from: SourceFile) => { file: SourceFile; symbol: number } | null

/** The type of this name that the file itself declares, as an index of its symbols. */
export function declaredType(name: string, { facts }: SourceFile): number | null {
  const at = facts?.symbols.findIndex(
    (one) => one.name === name && /^(?:class|interface|struct|type)$/.test(one.kind),
  )
  return at === undefined || at < 0 ? null : at
}

/** Who must fill in a field: who answers promises all of them, who asks leaves out what is optional. */
export type Side = 'request' | 'response'

const maximumDepth = 4
const maximumFields = 200

type Plain = { base: string; suffix: string; nullable: boolean }

/** `line`: where the type is named, the place of the value as a whole. Null for a type that says nothing of fields. */
export function typeFields(
  type: string,
  from: SourceFile,
  line: number,
  side: Side,
  find: FindType,
): Fields | null {
  const fields: Field[] = []
  const plain = plainType(type)
  if (!find(plain.base, from)) return null
  let isWhole = true
  add(type, from, { name: '', line, required: true, nullable: false, hasDefault: false }, [])
  return { fields, isWhole }

  function add(
    written: string,
    file: SourceFile,
    own: Pick<Field, 'name' | 'line' | 'required' | 'nullable' | 'hasDefault'>,
    above: readonly string[],
  ): void {
    if (fields.length >= maximumFields) isWhole = false
    if (!isWhole) return
    const { base, suffix, nullable } = plainType(written)
    const found = find(base, file)
    const place = { path: file.path, endLine: own.line, values: null }
    const inner = found ? 'object' : primitive(base)
    const type = suffix === '' ? inner : 'array'
    fields.push({ ...place, ...own, type, nullable: own.nullable || nullable })
    const name = own.name + suffix
    if (suffix !== '') fields.push({ ...place, ...own, name, type: inner, required: true, nullable: false })
    if (!found || above.includes(base) || above.length >= maximumDepth) return
    const members = membersOf(found.file, found.symbol, side)
    if (!members.isWhole) isWhole = false
    for (const { key, type: memberType, ...member } of members.list)
      add(memberType, found.file, { ...member, name: memberOf(name, key), nullable: false }, [...above, base])
  }
}

const wrappers =
  /^(?:Promise|Observable|ResponseEntity|Mono|CompletableFuture|Optional|Annotated|Awaitable|Readonly|Partial|Flow|Deferred)[<[](.{1,200})[>\]]$/s
const lists =
  /^(?:Array|List|list|Set|set|Flux|Collection|Iterable|Sequence|ReadonlyArray|Page|tuple|Tuple)[<[](.{1,200})[>\]]$/s

function plainType(written: string): Plain {
  let base = written.trim()
  let suffix = ''
  let nullable = false
  for (let hops = 0; hops < 6; hops++) {
    const choices = base.split(/[ ]{0,2}\|[ ]{0,2}/).filter((one) => !/^(?:null|None|undefined)$/.test(one))
    if (choices.length === 1 && base.includes('|')) {
      nullable ||= /\b(?:null|None)\b/.test(base)
      base = choices[0] ?? ''
    }
    const wrapper = wrappers.exec(base)
    const list = lists.exec(base)
    if (wrapper) {
      nullable ||= base.startsWith('Optional')
      base = (wrapper[1] ?? '').split(',', 1)[0]?.trim() ?? ''
    } else if (list) {
      suffix += '[]'
      base = list[1] ?? ''
    } else if (base.endsWith('[]')) {
      suffix += '[]'
      base = base.slice(0, -2)
    } else if (base.startsWith('[]')) {
      suffix += '[]'
      base = base.slice(2)
    } else if (base.startsWith('*')) base = base.slice(1)
    else if (base.endsWith('?')) {
      nullable = true
      base = base.slice(0, -1)
    } else break
  }
  return { base, suffix, nullable }
}

const primitives: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['string', 'str', 'String', 'UUID', 'EmailStr'].map((one) => [one, 'string'])),
  ...Object.fromEntries(
    ['int', 'Integer', 'long', 'Long', 'Int', 'int32', 'int64', 'uint', 'short'].map((one) => [
      one,
      'integer',
    ]),
  ),
  ...Object.fromEntries(
    ['number', 'float', 'double', 'Float', 'Double', 'float64', 'float32', 'BigDecimal', 'Decimal'].map(
      (one) => [one, 'number'],
    ),
  ),
  ...Object.fromEntries(['bool', 'boolean', 'Boolean'].map((one) => [one, 'boolean'])),
}

function primitive(base: string): string {
  return Object.hasOwn(primitives, base) ? (primitives[base] ?? '') : ''
}

type Members = {
  list: { key: string; type: string; line: number; required: boolean; hasDefault: boolean }[]
  isWhole: boolean
}

function membersOf(file: SourceFile, owner: number, side: Side): Members {
  const facts = file.facts
  const symbol = facts?.symbols[owner]
  if (!facts || !symbol) return { list: [], isWhole: false }
  const lines = file.text.split('\n')
  const list = facts.symbols.flatMap((one, at) => {
    if (
      facts.parents[at] !== owner ||
      one.kind !== 'field' ||
      !/^\w+$/.test(one.name) ||
      isHidden(one, facts.language)
    )
      return []
    const text = lines[one.nameLine - 1] ?? ''
    // Marks stand on the lines before a field of Java and TypeScript.
    const marks = lines.slice(Math.max(one.startLine - 1, one.nameLine - 6), one.nameLine).join('\n')
    const own = marks.includes('@') ? marks : text
    const hasDefault = hasDefaultValue(text, one.name, facts.language)
    const required = isRequired(own, text, one, { language: facts.language, side, hasDefault })
    return [
      {
        key: wireName(own, one.name),
        type: one.signature.returnType ?? '',
        line: one.nameLine,
        required,
        hasDefault,
      },
    ]
  })
  const hasBase = facts.supertypes.some(
    ({ symbol: of, name }) => of === owner && !/^(?:BaseModel|object|Schema|Enum)$/.test(name),
  )
  return { list, isWhole: !hasBase }
}

function isHidden({ name, visibility, signature }: CodeSymbol, language: string): boolean {
  if (signature.returnType === null) return true
  return language === 'python' ? name.startsWith('_') : language === 'typescript' && visibility === 'private'
}

function wireName(text: string, name: string): string {
  const tag = new RegExp(
    `@JsonProperty\\("([^"\\n]{1,80})"\\)[^@\\n]{0,80}\\b${name}\\b|\\b${name}\\b[^\`\\n]{0,80}\`[^\`\\n]{0,80}json:"([^",\\n]{1,80})|\\b${name}\\b[^\\n]{0,80}\\balias="([^"\\n]{1,80})"`,
  ).exec(text)
  return tag?.[1] ?? tag?.[2] ?? tag?.[3] ?? name
}

function hasDefaultValue(text: string, name: string, language: string): boolean {
  if (language !== 'python')
    return new RegExp(`\\b${name}\\b[^;\\n]{0,120}=(?!>)`).test(text) && language !== 'go'
  const value = new RegExp(`\\b${name}[ ]{0,3}:[^=\\n]{1,120}=[ ]{0,3}(.{1,120})`).exec(text)?.[1]
  return value !== undefined && !/^(?:\.\.\.|Field\((?:\.\.\.|[a-z_]{3,20}=)(?!.{0,100}default))/.test(value)
}

function isRequired(
  marks: string,
  text: string,
  { name }: CodeSymbol,
  { language, side, hasDefault }: { language: string; side: Side; hasDefault: boolean },
): boolean {
  const isOptional = new RegExp(`\\b${name}\\?[ ]{0,2}:`).test(text) || /@IsOptional\b/.test(marks)
  if (side === 'response') return !isOptional && !/omitempty/.test(text)
  if (language === 'java' || language === 'kotlin') return /@(?:NotNull|NotBlank|NotEmpty)\b/.test(marks)
  if (language === 'go') return /(?:binding|validate):"[^"\n]{0,80}\brequired\b/.test(text)
  return !isOptional && !hasDefault
}
