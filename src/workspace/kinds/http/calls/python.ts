/** Calls of requests, httpx and aiohttp, and of their sessions and clients. */
import { named, positional } from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import { nothingSent, unknownSent } from '../operation.ts'
import { httpMethod, looksLikeClient, type ReadCall } from './client-call.ts'

const libraries = /^(?:requests|httpx|aiohttp)$/

export const readPythonCall: ReadCall = (reference, file) => {
  const { name, receiver } = reference
  if (receiver === null || reference.role !== 'call') return null
  const known = file.byName.get(receiver)
  const isLibrary = libraries.test(receiver)
  const isRequest = name === 'request'
  const verb = httpMethod(name)
  if (!(isRequest || verb) || !(isLibrary || known || looksLikeClient(receiver))) return null
  const all = file.code.argumentsOf(reference)
  if (!all) return null
  const verbText = isRequest ? (named(all, 'method') ?? positional(all, 0))?.text : undefined
  const isVerbPositional = isRequest && !named(all, 'method')
  const url = (named(all, 'url') ?? positional(all, isVerbPositional ? 1 : 0))?.text
  if (url === undefined) return null
  const isOpen = all.some(({ text }) => text.startsWith('**'))
  const isSignedIn = named(all, 'auth') !== null || named(all, 'cookies') !== null
  const body = named(all, 'json') ?? named(all, 'data') ?? named(all, 'content')
  const files = named(all, 'files')
  const query = named(all, 'params')
  return {
    method: verb ?? httpMethod(literalText(verbText ?? '') ?? '') ?? '*',
    url,
    query: query ? file.sent(query.text, reference) : isOpen ? unknownSent : nothingSent,
    body: files || (isOpen && !body) ? unknownSent : file.sent(body?.text, reference),
    headers:
      isOpen || isSignedIn || (known?.hasHeaders ?? !isLibrary)
        ? unknownSent
        : file.sent(named(all, 'headers')?.text, reference),
    client: isLibrary ? null : (known ?? { base: null, hasHeaders: true }),
    yields: 'response',
    by: `${receiver}.${name}`,
  }
}
