/** The API of a served server, as a person of its first tenant reads it. */
import type { z } from 'zod'
import type { ServedServer } from './server.ts'

/** Answers of the API, checked. */
export async function openApi(server: ServedServer) {
  const token = await makeToken(server)
  return async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape>> =>
    shape.parse(await call(server, path, token))
}

async function call({ url }: ServedServer, path: string, token: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return await answer.json()
}

/** As docs/server/api.md says. */
export async function makeToken(server: ServedServer): Promise<string> {
  const { adminToken } = server
  const { tenants } = (await call(server, 'operator/tenants', adminToken)) as {
    tenants: { tenant: string }[]
  }
  const wanted = { tenant: tenants[0]?.tenant, name: 'ada', scopes: ['read'], days: 1 }
  return ((await call(server, 'operator/tokens', adminToken, wanted)) as { token: string }).token
}
