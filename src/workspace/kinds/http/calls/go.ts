/** Calls of `net/http`. */
import { positional } from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import { nothingSent, unknownSent } from '../operation.ts'
import { httpMethod, looksLikeClient, type ReadCall } from './client-call.ts'

export const readGoCall: ReadCall = (reference, file) => {
  const { name, receiver } = reference
  if (receiver === null || reference.role !== 'call') return null
  const isPackage = receiver === 'http'
  const isRequest = isPackage && (name === 'NewRequest' || name === 'NewRequestWithContext')
  const verb = name === 'PostForm' ? 'POST' : /^(?:Get|Post|Head)$/.test(name) ? httpMethod(name) : null
  const isClient =
    verb !== null && (isPackage || looksLikeClient(receiver) || receiver === 'http.DefaultClient')
  if (!isRequest && !isClient) return null
  const all = file.code.argumentsOf(reference)
  if (!all) return null
  const first = isRequest ? (name === 'NewRequest' ? 0 : 1) : -1
  const url = positional(all, first + 1)?.text
  if (url === undefined) return null
  const written = isRequest ? positional(all, 0 + first)?.text : undefined
  const body = isRequest ? positional(all, first + 2)?.text : positional(all, 2)?.text
  return {
    method: verb ?? methodOf(written ?? ''),
    url,
    query: isRequest ? unknownSent : nothingSent,
    body: body === undefined || body === 'nil' || body === 'http.NoBody' ? nothingSent : unknownSent,
    headers: isRequest ? unknownSent : nothingSent,
    client: null,
    yields: 'response',
    by: `${receiver}.${name}`,
  }
}

function methodOf(written: string): string {
  const constant = /^http\.Method(\w{1,10})$/.exec(written)
  return httpMethod(constant?.[1] ?? literalText(written) ?? '') ?? '*'
}
