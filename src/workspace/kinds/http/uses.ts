/** Calls of HTTP clients in one file, with what they send and which fields of the answer they read. */
import { saysGenerated } from '../../../base/generated-mark.ts'
import type { Reference } from '../../../code-index/contract.ts'
import type { SourceFile, Use } from '../../contract.ts'
import { placeAt } from '../../places.ts'
import { FieldReader } from '../payload/fields-read.ts'
import { jsonTags } from '../payload/json-tags.ts'
import { stringParts } from '../reading/string-value.ts'
import type { ClientCall, FileClients, ReadCall } from './calls/client-call.ts'
import { fileClients } from './calls/file-clients.ts'
import { readGoCall } from './calls/go.ts'
import { readJavaCall } from './calls/java.ts'
import { readJavaScriptCall } from './calls/javascript.ts'
import { readPythonCall } from './calls/python.ts'
import { readRubyCall } from './calls/ruby.ts'
import { type HttpUse, nothingSent, type Sent, unknownSent } from './operation.ts'
import { type CalledUrl, calledUrl, keyOf, operationKey, operationName } from './url-path.ts'

const readers: Readonly<Record<string, ReadCall>> = {
  javascript: readJavaScriptCall,
  typescript: readJavaScriptCall,
  tsx: readJavaScriptCall,
  python: readPythonCall,
  go: readGoCall,
  java: readJavaCall,
  kotlin: readJavaCall,
  ruby: readRubyCall,
}

export function httpUses(file: SourceFile): Use<HttpUse>[] {
  const { facts } = file
  const read = readers[facts?.language ?? '']
  if (!facts || !read) return []
  if (isGeneratedClient(file.text)) return generatedMethods(file)
  const clients = fileClients(file)
  // The type arguments of `api.get<User>(…)` make a member of it for some grammars.
  const calls = facts.references.filter(
    ({ role }) => role === 'call' || role === 'decorator' || role === 'property',
  )
  return calls.flatMap((reference) => {
    const call = read(reference, clients)
    const use = call && useOf(reference, call, clients)
    return use ? [use] : clientMethod(reference, clients)
  })
}

function useOf(reference: Reference, call: ClientCall, clients: FileClients): Use<HttpUse> | null {
  const url = urlOf(reference, call, clients)
  const key = url && keyOf(url.segments)
  if (!url || key === null) return null
  const around = surroundings(reference, clients)
  const query = call.query ?? nothingSent
  return {
    ...clients.code.placeOf(reference),
    key,
    name: operationName(call.method, url.segments),
    how: `called with \`${call.by}\``,
    shape: {
      kind: 'call',
      method: call.method,
      segments: url.segments,
      hasBase: url.hasBase,
      host: url.host,
      base: url.base === null ? null : withDefinition(url.base, clients),
      query: { values: { ...url.query, ...query.values }, isOpen: url.isQueryOpen || query.isOpen },
      body: call.body ?? nothingSent,
      headers: call.headers,
      reads: readsOf(reference, call.yields, clients, around),
      statuses: statusesIn(around.text),
    },
  }
}

function urlOf(
  reference: Reference,
  call: ClientCall,
  { resolve, constants }: FileClients,
): CalledUrl | null {
  const parts = stringParts(resolve(call.url, reference), constants)
  if (!parts) return null
  const base = call.client?.base
  const isWhole = typeof parts[0] === 'string' && /^https?:\/\//.test(parts[0])
  if (!base || base.length === 0 || isWhole) return calledUrl(parts, call.client !== null && base === null)
  // A path that the client joins to its base.
  const [first] = parts
  const isJoined = typeof first === 'string' && first.startsWith('/')
  const last = base.at(-1)
  const trimmed =
    typeof last === 'string' && last.endsWith('/') ? [...base.slice(0, -1), last.slice(0, -1)] : base
  return calledUrl([...trimmed, ...(isJoined ? [] : ['/']), ...parts])
}

/** `BASE = process.env.USERS_URL`: what the file gives to the name says more than the name. */
function withDefinition(base: string, { code }: FileClients): string {
  if (!/^[A-Za-z_]\w{0,80}$/.test(base)) return base
  const definition = new RegExp(
    `\\b${base}(?:[ ]{0,2}:[ ]{0,2}\\w{1,20})?[ ]{0,3}:?=[ ]{0,3}([^\\n]{1,160})`,
  ).exec(code.text)
  return definition ? `${base} ${definition[1]}` : base
}

/** The function around the call, from the call on; without one, the lines behind it. */
type Surroundings = { text: string; offset: number }

const maximumText = 8_000

function surroundings(reference: Reference, { code }: FileClients): Surroundings {
  const symbol = reference.enclosing === null ? null : code.file.facts?.symbols[reference.enclosing]
  const isFunction = symbol && symbol.endLine > symbol.startLine
  const start = code.offsetOf({ line: Math.max(symbol?.startLine ?? 1, reference.line - 3), column: 0 })
  const lastLine = isFunction ? symbol.endLine : reference.line + 40
  const end = code.offsetOf({ line: lastLine + 1, column: 0 })
  return { text: code.text.slice(start, Math.min(end, start + maximumText)), offset: start }
}

function readsOf(
  reference: Reference,
  kind: 'response' | 'data',
  { code }: FileClients,
  { text, offset }: Surroundings,
): string[] {
  const language = code.file.facts?.language ?? ''
  const reader = new FieldReader(text, {
    hasGetters: language === 'java' || language === 'kotlin',
    ...(language === 'go' && { wireNames: jsonTags(code.text) }),
  })
  const name = code.offsetOf(reference) - offset
  const start = name - (reference.receiver === null ? 0 : reference.receiver.length + 1)
  const end = code.endOf(reference) - offset
  if (language === 'go') return goReads(reader, text, end)
  reader.followFrom(Math.max(0, start), end, { kind, path: '' })
  return reader.reads
}

/** What is decoded behind the call. */
function goReads(reader: FieldReader, text: string, from: number): string[] {
  const decoded = /\b(?:Decode\(|Unmarshal\(\w{1,60}, ?)&(\w{1,60})\)/.exec(text.slice(from))
  if (!decoded) return []
  reader.name(decoded[1] ?? '', { kind: 'data', path: '' })
  reader.follow(from + decoded.index + decoded[0].length)
  return reader.reads
}

const statusNames: Readonly<Record<string, string>> = {
  ok: '200',
  created: '201',
  accepted: '202',
  nocontent: '204',
}

function statusesIn(text: string): string[] {
  const compared = text.matchAll(
    /\b(?:status|status_code|statusCode|StatusCode|code)(?:\(\)|\b)[ ]{0,2}(?:===?|!==?)[ ]{0,2}(?:(\d{3})\b|(?:http\.Status|HTTPStatus\.|HttpStatus\.|codes\.|status\.HTTP_\d{3}_)([A-Za-z_]{2,12}))/g,
  )
  const found = [...compared].map(
    ([, digits, name = '']) => digits ?? statusNames[name.toLowerCase().replaceAll('_', '')] ?? '',
  )
  return [...new Set(found)].filter((one) => one !== '').sort()
}

function isGeneratedClient(text: string): boolean {
  const beginning = text.slice(0, 2_000)
  return (
    /openapi|swagger/i.test(beginning) &&
    (saysGenerated(text) || /generated (?:by|with|from)|generator/i.test(beginning))
  )
}

/** Methods of a generated client are named after operations of the document. */
function generatedMethods(file: SourceFile): Use<HttpUse>[] {
  return (file.facts?.symbols ?? [])
    .filter(({ kind, visibility }) => (kind === 'method' || kind === 'function') && visibility !== 'private')
    .map(({ name, nameLine, endLine }) => ({
      ...{ ...placeAt(file.path, nameLine, endLine), key: operationKey(name), name },
      how: 'a method of a client that is generated from the document',
      shape: { kind: 'operation', id: name, sent: unknownSent, reads: [] },
    }))
}

const generatedSource = /(?:^|[/.@_-])(?:generated|gen|openapi\w{0,20}|swagger|sdk)(?:[/._-]|$)/i
const clientSource = /client|sdk|openapi|swagger|generated|[._/-]apis?(?:[/._-]|$)/i

/** Whether a class of this name and source is one that generators write: `UsersApi` of `@acme/users-client`. */
function isGenerated(type: string, source: string): boolean {
  if (/(?:Api|API)$/.test(type)) return clientSource.test(source)
  return /(?:Client|Service)$/.test(type) && generatedSource.test(source)
}

/** A call on an object whose class is imported from a generated client. */
function clientMethod(reference: Reference, clients: FileClients): Use<HttpUse>[] {
  const { name, receiver } = reference
  const { facts, path } = clients.code.file
  if (!facts || reference.role !== 'call' || !receiver || name.length < 4) return []
  const object = receiver.replace(/^(?:this|self)\./, '')
  const type = facts.typedNames.find((one) => one.name === object)?.type.replace(/<.*/s, '')
  const isMade =
    type !== undefined &&
    facts.imports.some(({ local, source }) => local === type && isGenerated(type, source))
  if (!isMade) return []
  const reads = readsOf(reference, 'data', clients, surroundings(reference, clients))
  const plain = reads.map((read) => read.replace(/^(?:data|body)\.(?=.)/, ''))
  return [
    {
      ...{ ...placeAt(path, reference.line, reference.endLine), key: operationKey(name), name },
      how: `a method of the generated client \`${type}\``,
      shape: { kind: 'operation', id: name, sent: argumentsSent(reference, clients), reads: plain },
    },
  ]
}

/** Of the objects that the method is given, by their last names: generators nest the body under a name of theirs. */
function argumentsSent(reference: Reference, clients: FileClients): Sent {
  const all = clients.code.argumentsOf(reference) ?? []
  const values: Record<string, string | null> = {}
  let isOpen = all.length === 0
  for (const { name, text } of all) {
    const sent = text.startsWith('{') || name === null ? clients.sent(text, reference) : null
    if (sent?.isOpen) isOpen = true
    if (name !== null) values[name] = null
    for (const [key, value] of Object.entries(sent?.values ?? {}))
      values[key.split('.').at(-1) ?? key] = value
  }
  return { values, isOpen }
}
