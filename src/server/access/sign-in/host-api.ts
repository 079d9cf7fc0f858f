/** What GitHub and GitLab say about the person whose token asks: lists, page by page. */
import type { z } from 'zod'
import { readBounded } from '../../../base/read-bounded.ts'
import { ProviderUnavailable, SignInRefused } from './contract.ts'

const perPage = 100
const mostPages = 50
const largestAnswer = 8 * 1024 * 1024
const patienceMs = 15_000

export type PersonalApi = {
  apiUrl: string
  /** Of the person. */
  token: string
  signal: AbortSignal
}

/** Rejects with `SignInRefused` when the token is not accepted, else with `ProviderUnavailable`. */
export async function readAs<Schema extends z.ZodType>(
  { apiUrl, token, signal }: PersonalApi,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const answer = await fetch(`${apiUrl}${path}`, {
    headers: { accept: 'application/json', authorization: `Bearer ${token}`, 'user-agent': 'sightline' },
    // A host that moved is for the operator to follow, not for somebody's token.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
  }).catch((error: unknown) => {
    throw new ProviderUnavailable('the host does not answer', { cause: error })
  })
  const text = await readBounded(answer, largestAnswer).catch(() => null)
  if (answer.status === 401) throw new SignInRefused('failed', 'the host does not accept the token')
  if (!answer.ok || text === null) throw new ProviderUnavailable(`the host answers ${answer.status}`)
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new ProviderUnavailable('the host answers in another shape', { cause: error })
  }
}

/** All elements; `path` has its other parameters. */
export async function listAs<Schema extends z.ZodType, Item>(
  api: PersonalApi,
  path: string,
  schema: Schema,
  itemsOf: (page: z.infer<Schema>) => readonly Item[],
): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1; page <= mostPages; page++) {
    const sign = path.includes('?') ? '&' : '?'
    const items = itemsOf(await readAs(api, `${path}${sign}per_page=${perPage}&page=${page}`, schema))
    all.push(...items)
    if (items.length < perPage) break
  }
  return all
}
