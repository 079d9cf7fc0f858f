/** What a client library is asked for by one call, before its URL is read. */
import type { Reference } from '../../../../code-index/contract.ts'
import type { CodeText } from '../../reading/code-text.ts'
import type { Part } from '../../reading/string-value.ts'
import type { Sent } from '../operation.ts'

export type ClientCall = {
  /** Upper case; `*` where the text does not tell. */
  method: string
  /** The expression of the URL. */
  url: string
  query?: Sent
  body?: Sent
  headers: Sent
  client: ClientBase | null
  /** What the call yields: the data itself, or a response that holds them. */
  yields: 'response' | 'data'
  /** As people read it: `axios.get`. */
  by: string
}

/** A client that puts its own base before each path; null when it is not in this file. */
export type ClientBase = { base: readonly Part[] | null; hasHeaders: boolean }

export type FileClients = {
  code: CodeText
  constants: ReadonlyMap<string, string>
  /** By the expression that stands for it: `api`, `self.client`. */
  byName: ReadonlyMap<string, ClientBase>
  /** The expression itself, or what the name was given before the call in the same function. */
  resolve(expression: string, reference: Reference): string
  /** What an expression shows of the values that it sends; nothing for null. */
  sent(expression: string | null | undefined, reference: Reference): Sent
}

/** Null for a reference that asks for nothing. */
export type ReadCall = (reference: Reference, file: FileClients) => ClientCall | null

/** What the name of an assignment before this offset is: `const api =`, `self.client =`. */
export function assignedName(before: string): string | null {
  const found = /([\w$@.]{1,80})(?:[ ]{0,2}:[ ]{0,2}[\w.<>]{1,60})?[ ]{0,3}:?=[ ]{0,3}(?:await |new )?$/.exec(
    before,
  )
  return found?.[1]?.replace(/^this\./, '') ?? null
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options'])

export function httpMethod(name: string): string | null {
  const plain = name.toLowerCase()
  return methods.has(plain) ? plain.toUpperCase() : plain === 'del' ? 'DELETE' : null
}

/** Names that people give to a client of an API which is made in another file. */
export function looksLikeClient(receiver: string): boolean {
  const last = receiver.split('.').at(-1) ?? ''
  return /^(?:api|client|http|https?Client|request|axios\w{0,30}|\$http|\$api|\$axios|rest|conn|connection|session|instance)$|(?:Api|API|Client|Http|HTTP|_api|_client|_http|_session)$/.test(
    last,
  )
}
