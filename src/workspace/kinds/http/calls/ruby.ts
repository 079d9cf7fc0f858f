/** Calls of Net::HTTP, Faraday, HTTParty and RestClient. */
import { named, positional } from '../../reading/code-text.ts'
import { nothingSent, unknownSent } from '../operation.ts'
import { httpMethod, looksLikeClient, type ReadCall } from './client-call.ts'

const libraries = /^(?:Faraday|HTTParty|RestClient|HTTP|Net::HTTP|Excon|Typhoeus)$/

export const readRubyCall: ReadCall = (reference, file) => {
  const { name, receiver } = reference
  if (receiver === null || reference.role !== 'call') return null
  const request = /^Net::HTTP::(Get|Post|Put|Patch|Delete|Head)$/.exec(receiver)
  const verb =
    request && name === 'new'
      ? httpMethod(request[1] ?? '')
      : httpMethod(name.replace(/_(?:response|form)$/, ''))
  const known = file.byName.get(receiver)
  const isLibrary = libraries.test(receiver) || request !== null
  if (!verb || !(isLibrary || known || looksLikeClient(receiver))) return null
  const all = file.code.argumentsOf(reference)
  const url = all && positional(all, 0)?.text
  if (!all || url === undefined || url === null) return null
  const body = named(all, 'body') ?? (verb === 'GET' ? null : positional(all, 1))
  const query = named(all, 'query') ?? (verb === 'GET' ? positional(all, 1) : null)
  return {
    method: verb,
    url,
    query: query ? file.sent(query.text, reference) : nothingSent,
    body: request ? unknownSent : file.sent(body?.text, reference),
    headers: unknownSent,
    client: isLibrary ? null : (known ?? { base: null, hasHeaders: true }),
    yields: 'response',
    by: `${receiver}.${name}`,
  }
}
