/** Where another repository uses what is provided: its own `.proto` files, and code that imports what was generated. */
import { firstBy } from '../../../base/grouped.ts'
import { oncePer, remembered } from '../../../base/remembered.ts'
import type { FileFacts, Reference } from '../../../code-index/contract.ts'
import type { Confidence } from '../../../domain/severity.ts'
import type { Break, SourceFile, Use } from '../../contract.ts'
import { placeAt } from '../../places.ts'
import { keyOf, moduleKey, type ProtoBreak, type ProtoHome } from './breaks.ts'
import { candidates, joinName, readProto } from './read-proto.ts'

export type ProtoUse =
  /** A type that a file names, by the full names that it may have. */
  | { sort: 'proto'; names: readonly string[] }
  /** A name in code, or a module that it imports; `type` is that of the receiver where the file says it. */
  | {
      sort: 'code'
      word: string
      receiver: string | null
      type: string | null
      role: Reference['role'] | 'module'
    }

export function isProtoPath(path: string): boolean {
  return path.endsWith('.proto')
}

export function usesOf(file: SourceFile): Use<ProtoUse>[] {
  return isProtoPath(file.path) ? protoUses(file) : codeUses(file)
}

function protoUses({ path, text }: SourceFile): Use<ProtoUse>[] {
  const { entries, references } = readProto(text)
  const own = new Set(entries.map(({ scope, name }) => joinName(scope, name)))
  return references.flatMap(({ type, scope, line }): Use<ProtoUse>[] => {
    const names = candidates(type, scope)
    if (names.some((name) => own.has(name))) return []
    const use = { ...placeAt(path, line), key: keyOf(lastOf(type)), name: type }
    return [{ ...use, how: 'named in a `.proto` file', shape: { sort: 'proto', names } }]
  })
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

// Code. A name counts in a file that imports something generated; whether that is of the provider is judged later.

const generatedImport = /pb|proto|grpc|_connect|[./:]v\d/i

function codeUses(file: SourceFile): Use<ProtoUse>[] {
  const { facts, path } = file
  if (!facts || !sourcesOf(file).some((source) => generatedImport.test(source))) return []
  const modules = facts.imports
    .filter(({ source }) => generatedImport.test(source))
    .map(({ source, line }): Use<ProtoUse> => {
      const shape: ProtoUse = { sort: 'code', word: source, receiver: null, type: null, role: 'module' }
      return { ...placeAt(path, line), key: moduleKey, name: source, how: 'imported', shape }
    })
  const typeOf = typesIn(facts)
  const literalTypes = literalTypesIn(facts)
  const keywords = new Set(
    facts.references.flatMap(({ line, call }) => (call?.keywords ?? []).map((word) => `${line} ${word}`)),
  )
  const references = facts.references.filter(
    ({ line, name, receiver }) => receiver !== null || !keywords.has(`${line} ${name}`),
  )
  return [
    ...firstBy(modules, ({ line, name }) => `${line} ${name}`),
    ...references.flatMap((reference) =>
      namesOf(path, reference, literalTypes.get(reference) ?? typeOf(reference.receiver)),
    ),
  ]
}

function namesOf(path: string, reference: Reference, type: string | null): Use<ProtoUse>[] {
  const { name, line, endLine, receiver, role, call, shadowed } = reference
  if (shadowed && receiver === null) return []
  const use = (key: string, shape: CodeUse): Use<ProtoUse> => ({
    path,
    line,
    endLine: Math.min(endLine, line + 2),
    key,
    name:
      shape.receiver === null || shape.receiver.length > 40 ? shape.word : `${shape.receiver}.${shape.word}`,
    how: 'in a file that imports generated code',
    shape,
  })
  const keys = new Set([keyOf(name), keyOf(memberOf(name))])
  const keywords = (call?.keywords ?? []).map((word) =>
    use(keyOf(word), { sort: 'code', word, receiver: name, type: name, role: 'write' }),
  )
  return [
    ...[...keys].map((key) => use(key, { sort: 'code', word: name, receiver, type, role })),
    ...keywords,
  ]
}

/** `getEmail`, `set_email`, `HasEmail` and `mutable_email` are of the field `email`. */
function memberOf(name: string): string {
  return name.replace(
    /^(?:get|set|has|clear|add|mutable|with)(?=[A-Z_])|^(?:Get|Set|Has|Clear|Add|With)(?=[A-Z])/,
    '',
  )
}

function typesIn(facts: FileFacts): (receiver: string | null) => string | null {
  const types = new Map(facts.typedNames.map(({ name, type }) => [name, type]))
  return (receiver) => (receiver !== null && types.get(receiver)) || null
}

/** Lines between the type of a literal and its members. */
const longestLiteral = 12

/** `pb.User{Email: x}`, `const user: User = { email }`: the type before a member that has no receiver. */
function literalTypesIn({ references }: FileFacts): ReadonlyMap<Reference, string> {
  const found = new Map<Reference, string>()
  let last: Reference | null = null
  for (const reference of references) {
    if (reference.role === 'type') last = reference
    const isMember =
      reference.receiver === null && (reference.role === 'property' || reference.role === 'write')
    if (isMember && last?.enclosing === reference.enclosing && reference.line - last.line <= longestLiteral)
      found.set(reference, last.name)
  }
  return found
}

/** What a file imports, with the `.proto` files that it loads by name. */
function sourcesOf({ facts, text }: SourceFile): string[] {
  const sources = (facts?.imports ?? []).map(({ source, imported }) =>
    /^(?:default|\*)$/.test(imported) ? source : `${source}/${imported}`,
  )
  for (
    let at = text.indexOf('.proto');
    at >= 0 && sources.length < 1_000;
    at = text.indexOf('.proto', at + 6)
  ) {
    const word = text
      .slice(Math.max(0, at - 100), at)
      .split(/[^\w./-]/)
      .at(-1)
    if (word && /^["'`]/.test(text.slice(at + 6, at + 7))) sources.push(`${word}.proto`)
  }
  return sources
}

export function judgeUse(
  { shape }: Break<ProtoBreak>,
  use: Use<ProtoUse>,
  file: SourceFile,
): Confidence | null {
  if (use.shape.sort === 'code') return judgeCode(shape, use.shape, file)
  return namesBroken(shape, use.shape.names) ? 'certain' : null
}

function namesBroken({ sort, name }: ProtoBreak, names: readonly string[]): boolean {
  if (sort !== 'package') return names.includes(name)
  return names.some((one) => one.slice(0, one.lastIndexOf('.')) === name)
}

/** A name of code is looked at only where the file imports what was generated for the provider. */
function judgeCode(broken: ProtoBreak, use: CodeUse, file: SourceFile): Confidence | null {
  const outline = outlineOf(file)
  const home = remembered(outline.homes, broken.home, () => homeIn(outline, broken.home))
  if (home === null || !isMeant(broken, use, outline)) return null
  return home === 'named' && !broken.isMild ? 'likely' : 'possible'
}

type CodeUse = ProtoUse & { sort: 'code' }

/** `sources`: `.acme.user.v1.user.` for `acme/user/v1/User`. `names`: whatever the file names, in the form of keys. */
type Outline = {
  sources: readonly string[]
  names: ReadonlySet<string>
  /** Names that are the file's own, or of something that was not generated. */
  foreign: ReadonlySet<string>
  /** What was found out about it. */
  homes: Map<ProtoHome, Home>
  mentions: Map<string, boolean>
}

type Home = 'named' | 'general' | null

const outlineOf = oncePer((file: SourceFile): Outline => {
  const { references = [], symbols = [], imports = [] } = file.facts ?? {}
  const names = [...references, ...symbols].flatMap(({ name }) => [keyOf(name), keyOf(memberOf(name))])
  const others = imports
    .filter(({ source }) => !generatedImport.test(source))
    .flatMap(({ local }) => local ?? [])
  return {
    sources: sourcesOf(file).map(dotted),
    names: new Set([
      ...names,
      ...imports.flatMap(({ local, imported }) => [keyOf(local ?? ''), keyOf(imported)]),
    ]),
    foreign: new Set([...others, ...symbols.map(({ name }) => name)]),
    homes: new Map(),
    mentions: new Map(),
  }
})

function dotted(source: string): string {
  return `.${keyOf(source).replace(/[^a-z\d]+/g, '.')}.`.replaceAll('..', '.')
}

/** `named`: an import names the file or its package. `general`: generated code of some package whose name says nothing. */
function homeIn({ sources }: Pick<Outline, 'sources'>, home: ProtoHome): Home {
  const marks = marksOf(home)
  if (sources.some((source) => marks.some((mark) => source.includes(mark)))) return 'named'
  const single = `.${keyOf(home.packageName)}.`
  const isGeneral = (source: string) =>
    generalSource.test(source) || (single !== '..' && source.includes(single))
  return sources.some((source) => !librarySource.test(source) && isGeneral(source)) ? 'general' : null
}

const generalSource = /\.(?:gen|go)?(?:pb|protos?|grpc)\.|[a-z]pb2?(?:grpc)?\./
const librarySource = /^\.(?:grpc|google|io\.grpc|github\.com\.(?:golang|grpc|gogo))\./

/** What generators name files by, after the name of the `.proto` file. */
const endings = [
  ...['pb2', 'pb2grpc', 'pb', 'grpcpb', 'connect', 'servicespb', 'outerclass', 'proto', 'grpc'],
  ...['.pb', '.grpc.pb', '.proto'],
]

const marksOf = oncePer(({ path, packageName, options }: ProtoHome): string[] => {
  const stem = dotted(path.slice(path.lastIndexOf('/') + 1, -'.proto'.length)).slice(1, -1)
  const { go_package = '', java_package = '', csharp_namespace = '', php_namespace = '' } = options
  const go = go_package.split(';')[0] ?? ''
  const names = [packageName, lastTwo(packageName), go, java_package, csharp_namespace, php_namespace]
  return [
    ...endings.map((ending) => `.${stem}${ending}.`),
    ...names.map(dotted).filter((name) => /[a-z\d]\.[a-z\d]/.test(name)),
  ]
})

/** `user.v1` of `acme.user.v1`, as folders of generated code are named. */
function lastTwo(packageName: string): string {
  return packageName.split('.').slice(-2).join('.')
}

function isMeant(broken: ProtoBreak, use: CodeUse, outline: Outline): boolean {
  const { receiver, role, word } = use
  const owner = keyOf(lastOf(broken.owner))
  switch (broken.sort) {
    case 'package':
      return role === 'module' && homeIn({ sources: [dotted(word)] }, broken.home) === 'named'
    case 'field':
      return isMember(use) && reaches(broken, use, outline)
    case 'method':
      return role === 'call' && receiver !== null && mentions(outline, owner)
    case 'value':
      return role !== 'call' && (keyOf(word).startsWith(owner) || partsOf(receiver).includes(owner))
    case 'service':
      return /^[A-Z]/.test(word)
    default:
      return /^[A-Z]/.test(word) && keyOf(word) === owner && (receiver !== null || !outline.foreign.has(word))
  }
}

/** `UserServiceClient` mentions the service. */
function mentions({ names, mentions }: Outline, owner: string): boolean {
  return remembered(mentions, owner, () => [...names].some((name) => name.includes(owner)))
}

/** A bare name that is read is a variable. */
function isMember({ role, receiver }: CodeUse): boolean {
  return (
    role === 'property' || role === 'write' || (receiver !== null && role !== 'import' && role !== 'type')
  )
}

/** The receiver is of the message, or the file speaks of it and of no other that has such a field. */
function reaches({ owner, ways, otherWays }: ProtoBreak, use: CodeUse, { names }: Outline): boolean {
  const type = use.type && keyOf(lastOf(use.type.replace(/[^\w.]/g, '')))
  if (type === keyOf(lastOf(owner))) return true
  if (type && otherWays.includes(type)) return false
  const way = partsOf(use.receiver).findLast((part) => ways.includes(part) || otherWays.includes(part))
  if (way !== undefined) return ways.includes(way)
  return ways.some((one) => names.has(one)) && !otherWays.some((one) => names.has(one))
}

function partsOf(receiver: string | null): string[] {
  return (receiver?.slice(-200).match(/\w+/g) ?? []).map((part) => keyOf(memberOf(part)))
}
