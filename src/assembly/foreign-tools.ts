/** The tools of the operator's MCP servers for one review. What they offer is on record, so that a replay asks no server. */
import { sha256 } from '../base/canonical-json.ts'
import { count } from '../base/count.ts'
import { UserError } from '../base/errors.ts'
import { visibleLine, visibleText } from '../base/visible-text.ts'
import type { Journal } from '../domain/journal.ts'
import { ForeignOffer, type ForeignTools } from '../hosts/mcp/contract.ts'
import { logIn } from '../hosts/mcp/login.ts'
import { removeLogin } from '../hosts/mcp/login-file.ts'
import type { LoginPlace } from '../hosts/mcp/login-provider.ts'
import { unfit } from '../hosts/mcp/offer.ts'
import { callsOf, type ForeignParts, offerTools, readTools, trustTools } from '../hosts/mcp/servers.ts'
import { fingerprint } from '../hosts/mcp/trust.ts'
import { stateFolder } from '../storage/runs/registry.ts'
import { runRecorded } from './run-recorded.ts'
import { confinementBy } from './servers-on-demand.ts'
import type { Services } from './services.ts'

/** What it takes to ask them; null where the operator has none. */
export function foreignParts({
  settings,
  environment,
}: Pick<Services, 'settings' | 'environment'>): ForeignParts | null {
  if (!Object.values(settings.mcp.servers).some(({ enabled }) => enabled)) return null
  return {
    settings: settings.mcp,
    environment,
    stateFolder: stateFolder(settings.journal, environment),
    findSandbox: confinementBy(settings).findSandbox,
    fetch,
  }
}

type OfferPlace = { journal: Journal | null; isReplay: boolean; tree: string; signal: AbortSignal }

/** Null where no server is set up, and in a replay of a review that had none. */
export async function openForeignTools(
  parts: ForeignParts | null,
  { journal, isReplay, tree, signal }: OfferPlace,
): Promise<ForeignTools | null> {
  const input = { version: 1, tree }
  const task = { kind: 'tool', address: 'explore/mcp', tool: 'mcp', input } as const
  if (isReplay) {
    // Reviews without servers have nothing on record, and a replay refuses what is not.
    const known = await journal?.find(task).catch(() => null)
    const { data } = ForeignOffer.safeParse(known && JSON.parse(known.body))
    return data ? { ...data, call: () => Promise.reject(new Error('a replay asks no server')) } : null
  }
  if (!parts) return null
  // A server may offer something else by now.
  const { result } = await runRecorded(
    journal,
    task,
    () => offerTools(parts, signal),
    async () => false,
  )
  return { ...result, call: callsOf(parts) }
}

/**
 * In words: what the tools of a server say of themselves and whether each is trusted. With the code that this ends with, they
 * are trusted as they are now, and with another one nothing is. Throws `mcp-server-unusable`.
 */
export async function trustForeign(
  server: string,
  services: AskingServices,
  accept: string | null,
): Promise<string> {
  const parts = foreignParts(services)
  if (!parts?.settings.servers[server])
    throw unusable(`there is no server ${server} under mcp.servers in your settings`)
  const questions = await readTools(server, parts, services.signal).catch(withName(server, services))
  const fit = questions.map(({ tool }) => tool).filter((tool) => unfit(tool) === null)
  const code = sha256(fit.map(fingerprint).sort().join(' ')).slice(0, 12)
  if (accept !== null && accept !== code)
    throw unusable(
      `${server}: its tools are not those that had the code ${visibleLine(accept).slice(0, 40)}; run \`sightline mcp trust ${server}\` again`,
    )
  if (accept !== null) {
    trustTools(server, fit, parts.stateFolder)
    return `${count(fit.length, 'tool')} of ${server} trusted: ${fit.map(({ name }) => visibleLine(name)).join(', ')}\n`
  }
  const lines = questions.flatMap(({ tool, state }) => [
    `${visibleLine(tool.name)}: ${unfit(tool) ?? state}`,
    ...visibleText(tool.description ?? '')
      .split('\n')
      .map((line) => `  | ${line}`),
    `  arguments: ${visibleLine(JSON.stringify(tool.inputSchema))}`,
  ])
  const how =
    fit.length === 0
      ? 'No tool of it can be trusted.'
      : `To trust them as they are: sightline mcp trust ${server} --accept ${code}`
  return [...lines, '', how, ''].join('\n')
}

type AskingServices = Pick<Services, 'settings' | 'environment' | 'signal'>

/** In words, what became of it. `show` gets the address that the operator opens. Throws `mcp-server-unusable`. */
export async function logInForeign(
  server: string,
  services: AskingServices,
  show: (address: string) => void,
): Promise<string> {
  const place = placeOf(server, services)
  const parts = { fetch, show: (address: URL) => show(address.href) }
  const isNew = await logIn(place, parts, services.signal).catch(withName(server, services))
  return isNew ? `Logged in to ${server}.\n` : `${server} answers without a login.\n`
}

/** The tokens on this machine are removed; the server is not told. Throws `mcp-server-unusable`. */
export function logOutForeign(server: string, services: AskingServices): string {
  const place = placeOf(server, services)
  removeLogin(place.stateFolder, server)
  return `No tokens of ${server} are kept any more.\n`
}

function placeOf(server: string, { settings, environment }: AskingServices): LoginPlace {
  const found = settings.mcp.servers[server]
  if (!found) throw unusable(`there is no server ${server} under mcp.servers in your settings`)
  if (!('url' in found) || !found.login) throw unusable(`${server} has no \`login\` in your settings`)
  return {
    server,
    url: found.url,
    settings: found.login,
    stateFolder: stateFolder(settings.journal, environment),
  }
}

function withName(server: string, { signal }: AskingServices): (error: unknown) => never {
  return (error) => {
    signal.throwIfAborted()
    throw unusable(`${server}: ${(error as Error).message}`, error)
  }
}

function unusable(why: string, cause?: unknown): UserError {
  return new UserError('mcp-server-unusable', why, { cause })
}
