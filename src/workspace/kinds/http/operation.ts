/** What an operation of an API is, wherever it is written down. */
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import type { Field, Fields } from '../payload/field.ts'

export type HttpParameter = Field & { in: string }

export type Content = SharedPlace & { media: string; fields: Fields }

export type Answer = SharedPlace & { status: string; contents: readonly Content[] }

export type Operation = {
  /** Upper case; `*` for a route that takes every method. */
  method: string
  /** `{}` for a parameter; `**` for the rest of a path. */
  segments: readonly string[]
  /** Segments that may stand before, one list for each server or mount of the document; usually one. */
  bases: readonly (readonly string[])[]
  /** Hosts that the document names. */
  hosts: readonly string[]
  /** Words by which people call the service: `users` for a document titled `Users API`. */
  service: readonly string[]
  source: 'document' | 'code'
  /** Where its path is written, which may be above it. */
  pathLine: number
  /** `operationId` of a document, the handler of a route; null without a name. */
  id: string | null
  parameters: readonly HttpParameter[]
  request: (SharedPlace & { required: boolean; contents: readonly Content[] }) | null
  answers: readonly Answer[]
  /** Requirements, of which one must hold: `oauth:read write`; empty for none. Null where nothing is known. */
  security: (SharedPlace & { choices: readonly string[] }) | null
}

/** What a call of another repository asks for. */
export type HttpUse =
  | {
      kind: 'call'
      /** `*` where the text does not tell. */
      method: string
      segments: readonly string[]
      /** True when more segments may stand before these, in a variable. */
      hasBase: boolean
      /** Of a literal URL. */
      host: string | null
      /** The variable before the path, as written: `process.env.USERS_URL`. */
      base: string | null
      query: Sent
      body: Sent
      headers: Sent
      /** Paths of fields that are read from the answer. */
      reads: readonly string[]
      /** Statuses that the code compares with. */
      statuses: readonly string[]
    }
  /** A method of a generated client. */
  | { kind: 'operation'; id: string; sent: Sent; reads: readonly string[] }

/** What the text shows of what is sent. */
export type Sent = {
  /** Literal values by name; null where a value is not literal. */
  values: Readonly<Record<string, string | null>>
  /** There may be more than is shown. */
  isOpen: boolean
}

export const nothingSent: Sent = { values: {}, isOpen: false }
export const unknownSent: Sent = { values: {}, isOpen: true }
