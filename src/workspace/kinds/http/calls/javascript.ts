/** Calls of fetch, axios, ky and got, and of clients that are made with them. */
import type { Reference } from '../../../../code-index/contract.ts'
import { type Argument, entriesOf, named, positional } from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import { nothingSent, type Sent, unknownSent } from '../operation.ts'
import {
  type ClientCall,
  type FileClients,
  httpMethod,
  looksLikeClient,
  type ReadCall,
} from './client-call.ts'

const fetches = /^(?:fetch|\$fetch|ofetch|nodeFetch|fetchJson|crossFetch)$/
const globals = new Set(['window', 'globalThis', 'self', 'global'])
const libraries = /^(?:axios|ky|got|superagent|needle)$/

export const readJavaScriptCall: ReadCall = (reference, file) => {
  const { name, receiver } = reference
  const isFetch = fetches.test(name) && (receiver === null || globals.has(receiver))
  const isBare = receiver === null && (libraries.test(name) || file.byName.has(name))
  const owner = (receiver ?? '').replace(/^this\./, '')
  const known = file.byName.get(owner)
  const isMethod = receiver !== null && (httpMethod(name) !== null || name === 'request')
  const isClient = isMethod && (libraries.test(owner) || known !== undefined || looksLikeClient(owner))
  if (!(isFetch || isBare || isClient) || reference.shadowed) return null
  const all = file.code.argumentsOf(reference)
  const first = all && positional(all, 0)
  if (!all || !first) return null
  const call = { reference, file, all }
  if (isFetch) return fetchCall(call, name)
  const client =
    known ??
    file.byName.get(name) ??
    (libraries.test(owner) || isBare ? null : { base: null, hasHeaders: true })
  const by = receiver === null ? name : `${receiver}.${name}`
  if (isBare || name === 'request') return configuredCall(call, { client, by })
  return methodCall(call, { client, by, isPlain: libraries.test(owner) ? owner : null })
}

type Call = { reference: Reference; file: FileClients; all: readonly Argument[] }

function fetchCall(call: Call, name: string): ClientCall {
  const { reference, file, all } = call
  const options = positional(all, 1)?.text ?? null
  const fields = options === null ? [] : objectOf(options, call)
  const method = fields && methodOf(fields)
  const body = fields && named(fields, 'body')?.text
  return {
    method: fields === null || fields.some(isSpread) ? (method ?? '*') : (method ?? 'GET'),
    url: positional(all, 0)?.text ?? '',
    body: fields === null ? unknownSent : file.sent(body ?? shorthand(fields, 'body'), reference),
    headers: headersOf(fields, call),
    client: null,
    yields: name === '$fetch' || name === 'ofetch' ? 'data' : 'response',
    by: name,
  }
}

/** `axios({ method, url, data })`, `client.request({ … })`, `axios(url, config)`. */
function configuredCall(call: Call, { client, by }: Pick<ClientCall, 'client' | 'by'>): ClientCall | null {
  const { reference, file, all } = call
  const first = positional(all, 0)?.text ?? ''
  const isConfig = first.startsWith('{')
  const fields = isConfig ? entriesOf(first) : objectOf(positional(all, 1)?.text ?? '{}', call)
  const url = isConfig ? named(fields ?? [], 'url')?.text : first
  if (url === undefined) return null
  return {
    method: (fields && methodOf(fields)) ?? (fields === null || fields.some(isSpread) ? '*' : 'GET'),
    url,
    query: queryOf(fields, call),
    body: fields === null ? unknownSent : file.sent(bodyText(fields), reference),
    headers: client?.hasHeaders ? unknownSent : headersOf(fields, call),
    client,
    yields: 'response',
    by,
  }
}

function methodCall(
  call: Call,
  { client, by, isPlain }: Pick<ClientCall, 'client' | 'by'> & { isPlain: string | null },
): ClientCall | null {
  const { reference, file, all } = call
  const method = httpMethod(reference.name)
  const url = positional(all, 0)?.text ?? ''
  if (method === null || isHandler(all)) return null
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method)
  // ky and got take the body among the options; axios takes it before them.
  const takesOptions =
    isPlain === 'ky' || isPlain === 'got' || /\bjson[ ]{0,2}:/.test(positional(all, 1)?.text ?? '')
  const config = positional(all, hasBody && !takesOptions ? 2 : 1)?.text ?? '{}'
  const fields = objectOf(config, call)
  const body = hasBody && !takesOptions ? positional(all, 1)?.text : fields && bodyText(fields)
  return {
    method,
    url,
    query: queryOf(fields, call),
    body: fields === null && takesOptions ? unknownSent : file.sent(body, reference),
    headers: client?.hasHeaders ? unknownSent : headersOf(fields, call),
    client,
    yields: 'response',
    by,
  }
}

/** `app.get('/users', (req, res) => …)` serves; it does not ask. */
function isHandler(all: readonly Argument[]): boolean {
  return all
    .slice(1)
    .some(({ text }) =>
      /^(?:async\b[ ]{0,2})?(?:function\b|\([^()]{0,200}\)[ ]{0,2}(?::[^=]{0,80})?=>|\w{1,40}[ ]{0,2}=>)/.test(
        text,
      ),
    )
}

function objectOf(text: string, { reference, file }: Call): Argument[] | null {
  const resolved = file.resolve(text, reference)
  return resolved.startsWith('{') ? entriesOf(resolved) : null
}

const isSpread = ({ text }: Argument): boolean => text.startsWith('...')

function shorthand(fields: readonly Argument[], name: string): string | null {
  return fields.some((one) => one.name === null && one.text === name) ? name : null
}

function methodOf(fields: readonly Argument[]): string | null {
  const text = named(fields, 'method')?.text
  return text === undefined ? null : (httpMethod(literalText(text) ?? '') ?? '*')
}

function bodyText(fields: readonly Argument[]): string | null {
  for (const name of ['data', 'json', 'body', 'form']) {
    const text = named(fields, name)?.text ?? shorthand(fields, name)
    if (text) return text
  }
  return null
}

function queryOf(fields: readonly Argument[] | null, { reference, file }: Call): Sent {
  if (fields === null || fields.some(isSpread)) return unknownSent
  for (const name of ['params', 'searchParams', 'query']) {
    const text = named(fields, name)?.text ?? shorthand(fields, name)
    if (text) return file.sent(text, reference)
  }
  return nothingSent
}

function headersOf(fields: readonly Argument[] | null, { reference, file }: Call): Sent {
  if (fields === null || fields.some(isSpread)) return unknownSent
  const headers = named(fields, 'headers')?.text ?? shorthand(fields, 'headers')
  const isSignedIn = ['auth', 'credentials', 'withCredentials'].some((name) => named(fields, name))
  return isSignedIn ? unknownSent : file.sent(headers, reference)
}
