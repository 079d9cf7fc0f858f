/** What of messages, enums and services no longer holds, on the wire or in generated code. */
import { firstBy, itemsBy } from '../../../base/grouped.ts'
import { remembered } from '../../../base/remembered.ts'
import { placeOf, type SharedBreak } from '../../../domain/shared-contract.ts'
import type { Break, Provided } from '../../contract.ts'
import { placeAt } from '../../places.ts'
import type { ProtoDetail, ProtoField } from './read-proto.ts'

/** By which a file that uses generated code may name the file that it is generated from. */
export type ProtoHome = { path: string; packageName: string; options: Readonly<Record<string, string>> }

export type ProtoShape = { scope: string; word: string; detail: ProtoDetail; home: ProtoHome }

export type ProtoBreak = {
  sort: ProtoDetail['sort'] | 'package'
  /** In full, as the base has it. */
  name: string
  home: ProtoHome
  /** The message, enum or service that it is in; itself where it is one. */
  owner: string
  /** Names in generated code from which one gets to the owner: its own, fields of its type, calls that give it. */
  ways: readonly string[]
  /** Names from which one gets to others that have a member of this name. */
  otherWays: readonly string[]
  /** It is still there in another form, which generated code may not notice. */
  isMild: boolean
}

type Entry = Provided<ProtoShape>

export function breaksOf(before: readonly Entry[], after: readonly Entry[]): Break<ProtoBreak>[] {
  return new Comparison(before, after).breaks()
}

type Told = Pick<SharedBreak, 'how' | 'renamedTo' | 'what'> & { isMild?: boolean }

/** A name that more have is everywhere, and tells nothing of where a use leads. */
const most = { others: 20, ways: 100, newcomers: 100 }

/** Each side is asked by keys: a stranger's file may define as much as it has room for, all of it alike. */
class Comparison {
  private readonly before: readonly Entry[]
  private readonly after: readonly Entry[]
  private readonly waysOf = new Map<string, string[]>()
  private readonly newIn = new Map<string, readonly Entry[]>()
  private readonly forms = new Map<Entry, string>()

  /** What is defined twice is taken once. */
  constructor(before: readonly Entry[], after: readonly Entry[]) {
    this.before = firstBy(before, fullNameOf)
    this.after = firstBy(after, fullNameOf)
  }

  breaks(): Break<ProtoBreak>[] {
    const packages = this.renamedPackages()
    const isMoved = ({ shape }: Entry) => packages.some(({ from }) => from === shape.home.packageName)
    return [
      ...packages.map(({ from, to, entry, now }) => this.packageBreak(from, to, entry, now)),
      ...this.before.filter((entry) => !isMoved(entry)).flatMap((entry) => this.broken(entry)),
    ]
  }

  private now(name: string): Entry | undefined {
    return itemsBy(this.after, fullNameOf, name)[0]
  }

  /** All of a package has the same name in another one. */
  private renamedPackages(): { from: string; to: string; entry: Entry; now: Entry }[] {
    const homes = Map.groupBy(this.before, ({ shape }) => shape.home.packageName)
    return [...homes].flatMap(([from, entries]) => {
      const [entry] = entries
      if (!entry || from === '' || entries.some(({ name }) => this.now(name))) return []
      const path = entry.shape.home.path
      const now = this.after.find(
        ({ shape, name }) =>
          shape.home.path === path && tailOf(name, shape.home) === tailOf(entry.name, entry.shape.home),
      )
      const to = now?.shape.home.packageName
      return now && to !== undefined && to !== '' ? [{ from, to, entry, now }] : []
    })
  }

  private packageBreak(from: string, to: string, entry: Entry, now: Entry): Break<ProtoBreak> {
    const members = this.before.filter(({ shape }) => shape.home.packageName === from && shape.scope === from)
    return {
      kind: 'protobuf',
      name: from,
      how: 'renamed',
      renamedTo: to,
      what: `the package is now named \`${to}\``,
      before: placeAt(entry.shape.home.path, entry.line),
      after: placeAt(now.shape.home.path, now.line),
      keys: [moduleKey, ...new Set(members.map(({ shape }) => keyOf(shape.word)))],
      shape: {
        ...{ sort: 'package', name: from, home: entry.shape.home, owner: from },
        ...{ ways: [], otherWays: [], isMild: false },
      },
    }
  }

  private broken(entry: Entry): Break<ProtoBreak>[] {
    const { shape, name } = entry
    const now = this.now(name)
    const told = now ? changed(shape.detail, now.shape.detail) : this.gone(entry)
    if (!told) return []
    const { isMild = false, ...words } = told
    const to = words.renamedTo === undefined ? now : this.now(words.renamedTo)
    const owner = isType(shape.detail) ? name : shape.scope
    const others = itemsBy(this.before, wordOf, shape.word)
      .slice(0, most.others)
      .filter((one) => one.shape.detail.sort === shape.detail.sort && one.shape.scope !== shape.scope)
    return [
      {
        kind: 'protobuf',
        name,
        ...words,
        before: placeOf(entry),
        after: to ? placeOf(to) : null,
        keys: keysOf(shape),
        shape: {
          sort: shape.detail.sort,
          name,
          home: shape.home,
          owner,
          ways: this.waysTo(owner),
          otherWays: [...new Set(others.flatMap((one) => this.waysTo(one.shape.scope)))],
          isMild,
        },
      },
    ]
  }

  /** Null for what is in something that went as a whole, and for what was never used. */
  private gone(entry: Entry): Told | null {
    const { shape } = entry
    const { detail, scope } = shape
    if (!this.now(scope) && this.wasThere(scope)) return null
    const same = remembered(this.newIn, scope, () => this.newcomers(scope))
    const renamed = this.renamed(entry, same)
    const what = words[detail.sort]
    if (renamed)
      return {
        how: 'renamed',
        renamedTo: renamed.name,
        what: `${what} is now named \`${renamed.shape.word}\``,
      }
    return { how: 'removed', what: `${what} was removed${this.freed(shape)}` }
  }

  private newcomers(scope: string): Entry[] {
    const all = itemsBy(this.after, scopeOf, scope).filter(({ name }) => !this.wasThere(name))
    return all.slice(0, most.newcomers)
  }

  private wasThere(name: string): boolean {
    return itemsBy(this.before, fullNameOf, name).length > 0
  }

  /** A number that may be given again is read as something else by who has the old file. */
  private freed({ detail, scope, word }: ProtoShape): string {
    if (detail.sort !== 'field') return ''
    const owner = this.now(scope)?.shape.detail
    const reserved = owner?.sort === 'message' ? owner.reserved : []
    const [again] = itemsBy(this.after, numberOf, `${scope} ${detail.number}`)
    if (again) return `, and its number ${detail.number} is now \`${again.shape.word}\``
    return reserved.includes(String(detail.number)) || reserved.includes(word)
      ? ''
      : ' without reserving its number'
  }

  private renamed(entry: Entry, same: readonly Entry[]): Entry | undefined {
    const { detail } = entry.shape
    if (detail.sort === 'field' || detail.sort === 'value')
      return same.find(
        ({ shape: { detail: now } }) =>
          now.sort === detail.sort &&
          now.number === detail.number &&
          (now.sort !== 'field' || detail.sort !== 'field' || isSameType(detail.type, now.type)),
      )
    const form = this.formOf(this.before, entry)
    const alike = same.filter((one) => this.formOf(this.after, one) === form)
    return alike.length === 1 && form !== '' ? alike[0] : undefined
  }

  private formOf(side: readonly Entry[], entry: Entry): string {
    return remembered(this.forms, entry, ({ name, shape: { detail } }) => {
      if (detail.sort === 'method') return `rpc ${lastWord(detail.request)} ${lastWord(detail.response)}`
      const members = itemsBy(side, scopeOf, name)
      return members.length === 0
        ? ''
        : [detail.sort, ...members.map(({ shape }) => memberForm(shape))].join('\n')
    })
  }

  private waysTo(owner: string): string[] {
    return remembered(this.waysOf, lastWord(owner), (word) => {
      const given = [fieldType, requestType, responseType].flatMap((typeOf) =>
        itemsBy(this.before, typeOf, word).slice(0, most.ways),
      )
      return [...new Set([word, ...given.map(({ shape }) => shape.word)].map(keyOf))]
    })
  }
}

function memberForm({ word, detail }: ProtoShape): string {
  if (detail.sort === 'field') return `${detail.label} ${detail.type} ${word} = ${detail.number}`
  if (detail.sort === 'value') return `${detail.number}`
  return detail.sort === 'method' ? `${word} ${detail.request} ${detail.response}` : word
}

const words: Record<ProtoDetail['sort'], string> = {
  message: 'the message',
  enum: 'the enum',
  service: 'the service',
  value: 'the value',
  field: 'the field',
  method: 'the method',
}

function changed(old: ProtoDetail, now: ProtoDetail): Told | null {
  if (old.sort !== now.sort)
    return { how: 'changed', what: `${words[old.sort]} is now ${words[now.sort].slice(4)}` }
  if (old.sort === 'field' && now.sort === 'field') return changedField(old, now)
  if (old.sort === 'value' && now.sort === 'value' && old.number !== now.number)
    return { how: 'changed', what: `its number changed from ${old.number} to ${now.number}`, isMild: true }
  if (old.sort !== 'method' || now.sort !== 'method') return null
  if (!isSameType(old.request, now.request))
    return { how: 'changed', what: `the request changed from \`${old.request}\` to \`${now.request}\`` }
  if (isSameType(old.response, now.response)) return null
  return { how: 'changed', what: `the response changed from \`${old.response}\` to \`${now.response}\`` }
}

function changedField(old: ProtoField, now: ProtoField): Told | null {
  if (old.number !== now.number)
    return { how: 'changed', what: `its number changed from ${old.number} to ${now.number}`, isMild: true }
  if (!isSameType(old.type, now.type)) {
    const isMild = wireGroup(old.type) === wireGroup(now.type)
    return { how: 'changed', what: `the type changed from \`${old.type}\` to \`${now.type}\``, isMild }
  }
  const [many, manyNow] = [old.label === 'repeated', now.label === 'repeated']
  if (many !== manyNow)
    return { how: 'changed', what: `the field is ${manyNow ? 'now' : 'no longer'} repeated` }
  if (now.label === 'required' && old.label !== 'required')
    return { how: 'required', what: 'the field is now required' }
  if (old.inOneof !== now.inOneof)
    return {
      how: 'changed',
      what: `the field is ${now.inOneof ? 'now' : 'no longer'} in a oneof`,
      isMild: true,
    }
  return null
}

/** Types that have the same form on the wire; anything else is of its own. */
function wireGroup(type: string): string {
  const groups = [
    'int32 int64 uint32 uint64 bool',
    'sint32 sint64',
    'fixed32 sfixed32',
    'fixed64 sfixed64',
    'string bytes',
  ]
  return groups.find((group) => group.split(' ').includes(type)) ?? type
}

/** A name may be written in full or from where it stands. */
function isSameType(old: string, now: string): boolean {
  const [a, b] = [old, now].map((type) => type.replace(/(^|[ <])\./g, '$1')) as [string, string]
  return a === b || endsWithName(a, b) || endsWithName(b, a)
}

function endsWithName(name: string, end: string): boolean {
  return !/[ <]/.test(name + end) && name.endsWith(`.${end}`)
}

function lastWord(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(' ')) + 1)
}

function isType({ sort }: ProtoDetail): boolean {
  return sort === 'message' || sort === 'enum' || sort === 'service'
}

/** Of whatever imports generated code; names of modules follow from too much for a key of their own. */
export const moduleKey = 'import'

/** Generated names differ in their case: `user_id`, `userId`, `UserId`. */
export function keyOf(word: string): string {
  return word.replaceAll('_', '').toLowerCase()
}

/** Languages put the name of an enum before its values, or take it away. */
function keysOf({ word, scope, detail }: ProtoShape): string[] {
  const own = keyOf(word)
  if (detail.sort === 'service') return [own, ...serviceNames.map((name) => keyOf(name.replace('*', word)))]
  if (detail.sort !== 'value') return [own]
  const owner = keyOf(lastWord(scope))
  const short = own.startsWith(owner) && own.length > owner.length ? [own.slice(owner.length)] : []
  return [own, owner + own, ...short]
}

/** What generators make of a service. */
const serviceNames = [
  ...['*Client', '*Stub', 'New*Client', '*BlockingStub', '*Grpc'],
  ...['*Servicer', '*Server', '*Base', 'Register*Server'],
]

function tailOf(name: string, { packageName }: ProtoHome): string {
  return packageName === '' ? name : name.slice(packageName.length + 1)
}

const fullNameOf = ({ name }: Entry): string => name
const scopeOf = ({ shape }: Entry): string => shape.scope
const wordOf = ({ shape }: Entry): string => shape.word
const fieldType = ({ shape: { detail } }: Entry): string | null =>
  detail.sort === 'field' ? lastWord(detail.type.replace('>', '')) : null
const requestType = ({ shape: { detail } }: Entry): string | null =>
  detail.sort === 'method' ? lastWord(detail.request) : null
const responseType = ({ shape: { detail } }: Entry): string | null =>
  detail.sort === 'method' ? lastWord(detail.response) : null
/** Of the fields of a message. */
const numberOf = ({ shape: { detail, scope } }: Entry): string | null =>
  detail.sort === 'field' ? `${scope} ${detail.number}` : null
