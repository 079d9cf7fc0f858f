/** The types of the API, from its one list of resources. Types only: no schema travels to the browser. */
import type { z } from 'zod'
import type { Resource, resources } from '../../../src/server/api/contract/resources.ts'

type Resources = (typeof resources)[keyof typeof resources]
type Of<Method extends Resource['method'], Path> = Extract<Resources, { method: Method; path: Path }>

/** `/runs/{run}/findings`: what can be read, as the contract spells it. */
export type Readable = Extract<Resources, { method: 'GET' }>['path']
export type Writable = Exclude<Resources, { method: 'GET' }>['path']
export type WriteMethod = Exclude<Resource['method'], 'GET'>

export type AnswerOf<Path, Method extends Resource['method'] = 'GET'> = z.infer<Of<Method, Path>['answer']>
export type BodyOf<Path, Method extends WriteMethod> =
  Of<Method, Path> extends { body: infer Body extends z.ZodType } ? z.input<Body> : undefined

export type Query = Record<string, string | number | undefined>
export type Parameters = Record<string, string | number>
