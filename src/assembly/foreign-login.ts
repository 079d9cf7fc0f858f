/** Logins at the operator's MCP servers: asked for in a browser, kept in the state folder, and forgotten again. */
import { UserError } from '../base/errors.ts'
import { logIn } from '../hosts/mcp/login.ts'
import { removeLogin } from '../hosts/mcp/login-file.ts'
import type { LoginPlace } from '../hosts/mcp/login-provider.ts'
import { stateFolder } from '../storage/runs/registry.ts'
import type { Services } from './services.ts'

type LoginServices = Pick<Services, 'settings' | 'environment' | 'signal'>

/** In words, what became of it. `show` gets the address that the operator opens. Throws `mcp-server-unusable`. */
export async function logInForeign(
  server: string,
  services: LoginServices,
  show: (address: string) => void,
): Promise<string> {
  const place = placeOf(server, services)
  const parts = { fetch, show: (address: URL) => show(address.href) }
  const isNew = await logIn(place, parts, services.signal).catch((error: unknown) => {
    services.signal.throwIfAborted()
    throw new UserError('mcp-server-unusable', `${server}: ${(error as Error).message}`, { cause: error })
  })
  return isNew ? `Logged in to ${server}.\n` : `${server} answers without a login.\n`
}

/** The tokens on this machine are removed; the server is not told. Throws `mcp-server-unusable`. */
export function logOutForeign(server: string, services: LoginServices): string {
  const place = placeOf(server, services)
  removeLogin(place.stateFolder, server)
  return `No tokens of ${server} are kept any more.\n`
}

function placeOf(server: string, { settings, environment }: LoginServices): LoginPlace {
  const found = settings.mcp.servers[server]
  if (!found)
    throw new UserError(
      'mcp-server-unusable',
      `there is no server ${server} under mcp.servers in your settings`,
    )
  if (!('url' in found) || !found.login)
    throw new UserError('mcp-server-unusable', `${server} has no \`login\` in your settings`)
  return {
    server,
    url: found.url,
    settings: found.login,
    stateFolder: stateFolder(settings.journal, environment),
  }
}
