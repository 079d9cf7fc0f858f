/** What a handler of the REST API is given, and how lists are cut into pages. */
import type { Change } from '../engine/change.ts'
import type { ApiAnswer, ApiRequest } from '../engine/server.ts'
import type { Person, Project } from '../engine/world.ts'
import type { Renderer } from './render.ts'
import { type Access, type GitHubState, type Identity, Refusal } from './state.ts'

export type Call = {
  request: ApiRequest
  parameters: Readonly<Record<string, string>>
  identity: Identity
  state: GitHubState
  render: Renderer
  /** The address of the API, for links to further pages. */
  api: string
  body: { [key: string]: unknown }
  violations: string[]
}

export type ProjectCall = Call & { project: Project }

/** `needs` is checked with the token before the handler runs. */
export type Route = {
  needs: readonly [permission: string, access: Access] | null
  handle(call: ProjectCall): ApiAnswer
}

export type Routes = Readonly<Record<string, Route>>

/** One page of a list, with the links that GitHub sends; at most `most` elements in all. */
export function page<T>(
  call: Call,
  list: readonly T[],
  most = list.length,
): { rows: T[]; headers: Record<string, string> } {
  const { query, path } = call.request
  const size = Math.min(100, positive(query.per_page, 30))
  const number = positive(query.page, 1)
  const all = list.slice(0, most)
  const last = Math.max(1, Math.ceil(all.length / size))
  const link = (target: number, rel: string) => {
    const parameters = new URLSearchParams({ ...query, page: String(target) })
    return `<${call.api}${path.replace(/^\/api\/v3/, '')}?${parameters}>; rel="${rel}"`
  }
  const links = [
    ...(number > 1 ? [link(number - 1, 'prev'), link(1, 'first')] : []),
    ...(number < last ? [link(number + 1, 'next'), link(last, 'last')] : []),
  ]
  return {
    rows: all.slice((number - 1) * size, number * size),
    headers: links.length > 0 ? { link: links.join(', ') } : {},
  }
}

export function listAnswer<T>(
  call: Call,
  list: readonly T[],
  show: (one: T) => unknown,
  most?: number,
): ApiAnswer {
  const { rows, headers } = page(call, list, most)
  return { status: 200, body: rows.map(show), headers }
}

export function changeOf({ project, parameters }: ProjectCall): Change {
  const change = project.changes.get(Number(parameters.pull_number))
  if (!change) throw notFound()
  return change
}

export function author({ identity }: Call): Person {
  if (!identity.person) throw new Refusal(401, 'Requires authentication')
  return identity.person
}

export function notFound(): Refusal {
  return new Refusal(404, 'Not Found')
}

export function invalid(resource: string, field: string, message: string): Refusal {
  return new Refusal(422, 'Validation Failed', { errors: [{ resource, code: 'custom', field, message }] })
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function positive(value: string | undefined, usual: number): number {
  const number = Number(value ?? usual)
  return Number.isInteger(number) && number > 0 ? number : usual
}
