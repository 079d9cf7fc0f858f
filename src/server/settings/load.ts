/**
 * Reads the settings of the server: a file, over it the environment, and the secrets from where both say they are. All
 * faults are reported at once. A secret is never part of a message.
 */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { type ConfigKey, keysOf } from '../../config/keys.ts'
import { formatProblem } from '../../config/problem.ts'
import { checkYaml } from '../../config/settings/load.ts'
import { factsOf } from '../../hosts/remote/facts.ts'
import { stateFolder } from '../../storage/runs/registry.ts'
import { type Connection, type SecretPlace, ServerSettings, type SignInProvider } from './schema.ts'

/** Of one connection; null for what was not given. */
export type ConnectionSecrets = Record<
  'appKey' | 'token' | 'webhookSecret' | 'previousWebhookSecret',
  string | null
>

export type Secrets = Record<'databaseUrl' | 'secretKey' | 'adminToken' | 'metricsToken', string | null> & {
  connections: Readonly<Record<string, ConnectionSecrets>>
  /** Of sign-in providers; null for clients that have none. */
  clientSecrets: Readonly<Record<string, string | null>>
}

export type LoadedServerSettings = {
  settings: ServerSettings
  secrets: Secrets
  /** Absolute. */
  dataFolder: string
  /** The file; null when everything is a default or from the environment. */
  path: string | null
}

/** Every setting that has one value can be given so: `SIGHTLINE_SERVER_LISTEN_PORT`. */
export const environmentPrefix = 'SIGHTLINE_SERVER_'

const topSecrets = ['databaseUrl', 'secretKey', 'adminToken', 'metricsToken'] as const
const connectionSecrets = ['appKey', 'token', 'webhookSecret', 'previousWebhookSecret'] as const
/** A key or token that somebody made up must be hard to guess. */
const longEnough: ReadonlySet<string> = new Set(['secretKey', 'adminToken', 'metricsToken'])
/** What a client sends as a bearer token. */
const inHeaders: ReadonlySet<string> = new Set(['adminToken', 'metricsToken'])
const shortestSecret = 32
const largestSecret = 64 * 1024

/** Reads `path`, else `$SIGHTLINE_SERVER_SETTINGS`; a file is optional. Throws `server-settings-invalid` with every problem. */
export function loadServerSettings(
  environment: NodeJS.ProcessEnv,
  path: string | null = environment[`${environmentPrefix}SETTINGS`] || null,
): LoadedServerSettings {
  const problems: string[] = []
  const given = path === null ? {} : readFile(path, problems)
  const merged = withEnvironment(given, environment, problems)
  const checked = ServerSettings.safeParse(merged)
  // The file itself was checked with its lines; what is wrong only now came from the environment.
  if (!checked.success && problems.length === 0)
    for (const { path: at, message } of checked.error.issues)
      problems.push(`$${variableOf(at.map(String))}: ${message}.`)
  if (!checked.data || problems.length > 0) throw invalid(problems)
  const settings = checked.data
  const secrets = readSecrets(settings, environment, path === null ? '' : dirname(path), problems)
  problems.push(...contradictions(settings, secrets))
  if (problems.length > 0) throw invalid(problems)
  const dataFolder = settings.dataFolder ?? join(stateFolder({ folder: undefined }, environment), 'server')
  return { settings, secrets, dataFolder, path }
}

/** `listen.port` is `SIGHTLINE_SERVER_LISTEN_PORT`. */
export function variableOf(path: readonly string[]): string {
  const words = path.map((part) => part.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase())
  return `${environmentPrefix}${words.join('_')}`
}

/** The keys that a variable can give: those with one plain value. */
export function environmentKeys(): ConfigKey[] {
  return keysOf(ServerSettings).filter(
    ({ path, type }) =>
      !path.includes('NAME') &&
      path[0] !== 'connections' &&
      path[0] !== 'tenants' &&
      !type.startsWith('list') &&
      !isSecret(path),
  )
}

function isSecret([first = '']: readonly string[]): boolean {
  return topSecrets.some((name) => name === first)
}

function readFile(path: string, problems: string[]): Record<string, unknown> {
  try {
    const text = readFileSync(path, 'utf8')
    const { data, problems: found } = checkYaml(ServerSettings, text, path)
    problems.push(...found.map(formatProblem))
    return data ?? {}
  } catch (error) {
    problems.push(`${path} cannot be read: ${(error as Error).message}`)
    return {}
  }
}

function withEnvironment(
  given: Record<string, unknown>,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): Record<string, unknown> {
  const merged = structuredClone(given)
  const known = new Set([`${environmentPrefix}SETTINGS`])
  for (const { path, type } of environmentKeys()) {
    const name = variableOf(path)
    known.add(name)
    const typed = environment[name]
    if (typed === undefined || typed === '') continue
    setAt(merged, path, typedAs(typed, type))
  }
  for (const name of topSecrets)
    for (const ending of ['', '_FILE']) known.add(`${variableOf([name])}${ending}`)
  // A misspelt variable would silently leave a default in force.
  for (const name of Object.keys(environment))
    if (name.startsWith(environmentPrefix) && !known.has(name) && !isNamedSecret(name, merged))
      problems.push(`$${name} is not a setting; docs/server/setup.md lists them.`)
  return merged
}

/** As the file would have it. */
function typedAs(typed: string, type: string): string | number | boolean {
  if (/number/.test(type) && typed.trim() !== '') return Number(typed)
  return /\btrue \| false\b/.test(type) && /^(?:true|false)$/.test(typed) ? typed === 'true' : typed
}

/** A variable that the file itself names as the place of a secret. */
function isNamedSecret(name: string, merged: Record<string, unknown>): boolean {
  const text = JSON.stringify(merged)
  return text.includes(JSON.stringify(name)) || text.includes(JSON.stringify(name.replace(/_FILE$/, '')))
}

function setAt(
  target: Record<string, unknown>,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    target[first] = value
    return
  }
  const inner = target[first]
  const section = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  target[first] = section
  setAt(section, rest, value)
}

function readSecrets(
  settings: ServerSettings,
  environment: NodeJS.ProcessEnv,
  folder: string,
  problems: string[],
): Secrets {
  const read = (place: SecretPlace | undefined, at: string): string | null => {
    const found = place && secretAt(inFolder(place, folder), environment)
    if (found === undefined) return null
    if ('problem' in found) {
      problems.push(`${at}: ${found.problem}`)
      return null
    }
    const name = at.split('.').at(-1) ?? ''
    if (longEnough.has(name) && found.value.length < shortestSecret)
      problems.push(`${at}: it has fewer than ${shortestSecret} characters.`)
    if (inHeaders.has(name) && !/^[\x21-\x7e]{1,500}$/.test(found.value))
      problems.push(`${at}: only letters, digits and punctuation can be sent as a token; no spaces.`)
    return found.value
  }
  const top = (name: (typeof topSecrets)[number]) => read(placeOf(name, environment) ?? settings[name], name)
  const connections = Object.entries(settings.connections).map(([name, connection]) => {
    const own = connectionSecrets.map((key) => [key, read(connection[key], `connections.${name}.${key}`)])
    return [name, Object.fromEntries(own) as ConnectionSecrets] as const
  })
  return {
    databaseUrl: top('databaseUrl'),
    secretKey: top('secretKey'),
    adminToken: top('adminToken'),
    metricsToken: top('metricsToken'),
    connections: Object.fromEntries(connections),
    clientSecrets: Object.fromEntries(
      Object.entries(settings.signIn.providers).map(([name, { clientSecret }]) => [
        name,
        read(clientSecret, `signIn.providers.${name}.clientSecret`),
      ]),
    ),
  }
}

/** `DATABASE_URL` is what every platform sets. */
function placeOf(name: (typeof topSecrets)[number], environment: NodeJS.ProcessEnv): SecretPlace | undefined {
  const names = [variableOf([name]), ...(name === 'databaseUrl' ? ['DATABASE_URL'] : [])]
  const env = names.find((each) => environment[each] || environment[`${each}_FILE`])
  return env === undefined ? undefined : { env }
}

/** A relative path in the settings begins at their file; one in the environment where the process was started. */
function inFolder(place: SecretPlace, folder: string): SecretPlace {
  return 'file' in place && !isAbsolute(place.file) ? { file: join(folder, place.file) } : place
}

function secretAt(
  place: SecretPlace,
  environment: NodeJS.ProcessEnv,
): { value: string } | { problem: string } {
  if ('env' in place) {
    const { env } = place
    const value = environment[env]
    if (value) return { value }
    const file = environment[`${env}_FILE`]
    if (!file) return { problem: `neither $${env} nor $${env}_FILE is set.` }
    return secretAt({ file }, environment)
  }
  try {
    const value = readFileSync(place.file, 'utf8').trim()
    if (value === '') return { problem: `${place.file} is empty.` }
    if (value.length > largestSecret) return { problem: `${place.file} is too large for a secret.` }
    return { value }
  } catch (error) {
    return {
      problem: `${place.file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}.`,
    }
  }
}

/** What each part allows and all together do not. */
function contradictions(settings: ServerSettings, secrets: Secrets): string[] {
  const { role, connections, signIn } = settings
  const found: string[] = []
  // The driver takes anything else for the name of a database on some other host.
  if (secrets.databaseUrl !== null && !/^postgres(?:ql)?:\/\//.test(secrets.databaseUrl))
    found.push('databaseUrl: the address of the database must begin with `postgres://`.')
  if (role !== 'all' && secrets.databaseUrl === null)
    found.push(
      `role: \`${role}\` needs PostgreSQL, since the embedded database has one process; set DATABASE_URL, or use role \`all\`.`,
    )
  if (role !== 'all' && secrets.secretKey === null)
    found.push(`role: \`${role}\` needs \`secretKey\`, the same for all processes.`)
  for (const [name, connection] of Object.entries(connections))
    found.push(
      ...wrongIn(connection, secrets.connections[name]).map((text) => `connections.${name}: ${text}`),
    )
  for (const [name, provider] of Object.entries(signIn.providers))
    found.push(
      ...wrongInProvider(name, provider, settings).map((text) => `signIn.providers.${name}: ${text}`),
    )
  return found
}

function wrongInProvider(
  name: string,
  { kind, connection = name, issuer, roles, clientSecret }: SignInProvider,
  { url, connections }: ServerSettings,
): string[] {
  const found: string[] = []
  if (url === undefined) found.push('set `url`; the provider sends people back to it.')
  else if (isOpenToListeners(url)) found.push('`url` must be https; whoever listens could take sessions.')
  if (kind === 'oidc') {
    if (!issuer) found.push('`issuer` is missing.')
    else if (isOpenToListeners(issuer)) found.push('`issuer` must be https.')
    if (roles.length === 0) found.push('`roles` is empty, so no one could sign in.')
    return found
  }
  if (!clientSecret) found.push('`clientSecret` is missing.')
  if (issuer || roles.length > 0)
    found.push('`issuer` and `roles` are for `kind: oidc`; here the host says what people may do.')
  const host = connections[connection]
  if (host?.kind !== kind) found.push(`\`connection: ${connection}\` is not a connection of kind ${kind}.`)
  else if (host.url && isOpenToListeners(host.url))
    found.push(`\`connections.${connection}.url\` must be https.`)
  return found
}

/** Plain HTTP is for this machine alone. */
function isOpenToListeners(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol !== 'https:' && !['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}

function wrongIn(
  { kind, url, appId, appKey, token, webhookSecret }: Connection,
  secrets: ConnectionSecrets | undefined,
): string[] {
  const found: string[] = []
  const { app, server, title } = factsOf(kind)
  const hasApps = app !== null
  if (!server && !url) found.push(`\`url\` is missing; ${title} has no public server.`)
  if (!hasApps && (appId || appKey)) found.push('only GitHub has Apps; use `token`.')
  if ((appId === undefined) !== (appKey === undefined)) found.push('`appId` and `appKey` belong together.')
  const isWhole = hasApps && !appId && !token
  if (!isWhole && !webhookSecret)
    found.push('`webhookSecret` is missing; without it, anybody could send webhooks.')
  if (!hasApps && !token) found.push('`token` is missing.')
  if (secrets?.appKey && !isPrivateKey(secrets.appKey))
    found.push('`appKey` is not a private key in a PEM file without a passphrase, as GitHub makes it.')
  if (secrets?.webhookSecret && secrets.webhookSecret.length < 16)
    found.push('`webhookSecret` has fewer than 16 characters.')
  return found
}

function isPrivateKey(pem: string): boolean {
  try {
    createPrivateKey(pem)
    return true
  } catch {
    return false
  }
}

function invalid(problems: readonly string[]): UserError {
  return new UserError('server-settings-invalid', problems.join('\n'))
}
