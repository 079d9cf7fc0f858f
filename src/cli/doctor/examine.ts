/** Looks at one thing after the other; the order is that in which they are needed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { indexedBytesPerSecond } from '../../assembly/index-advice.ts'
import { foundModel, prepareModels } from '../../assembly/open-models.ts'
import { defaultCacheFolder } from '../../assembly/services.ts'
import { count } from '../../base/count.ts'
import { remove, writeWhole } from '../../base/durable.ts'
import { errorTable, UserError } from '../../base/errors.ts'
import { gitVersion, minimumGit } from '../../base/git/version.ts'
import { nodeWalls } from '../../base/sandbox/confine-node.ts'
import { findSandbox } from '../../base/sandbox/probe.ts'
import { loadSettings, settingsPath } from '../../config/settings/load.ts'
import type { Settings } from '../../config/settings/schema.ts'
import { isAgreed } from '../../llm/agreement.ts'
import { type Probe, probeRoles } from '../../llm/probe.ts'
import { type Survey, surveyModels } from '../../llm/survey.ts'

export type Check = {
  name: string
  /** `note`: reviews work without it, but somebody may have expected it. */
  state: 'good' | 'note' | 'broken'
  detail: string
  /** What to do about it; null when there is nothing to do. */
  wayOut: string | null
}

const oldestNode = [22, 18] as const

export type Examination = {
  environment: NodeJS.ProcessEnv
  callModels: boolean
  signal: AbortSignal
}

/** Rejects only with the signal's reason after an abort. */
export async function examine({ environment, callModels, signal }: Examination): Promise<Check[]> {
  const settings = await readSettings(environment)
  return [
    checkNode(process.versions.node),
    await checkGit(),
    await checkCache(defaultCacheFolder(environment)),
    ...(await checkIndex(environment, signal)),
    ...(await checkServer(environment)),
    ...(callModels ? await checkRights(environment, signal) : []),
    settings.check,
    ...(settings.value ? [await checkSandbox(settings.value, signal)] : []),
    ...(settings.value ? await checkModels(settings.value, environment, callModels, signal) : []),
    ...(settings.value ? checkAgreement(settings.value, environment) : []),
  ]
}

function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return isNew ? good('node', version) : broken('node', `this is ${version}`, 'Install Node 22.18 or newer.')
}

async function checkGit(): Promise<Check> {
  try {
    const { major, minor } = await gitVersion()
    return good('git', `${major}.${minor}, ${minimumGit.major}.${minimumGit.minor} or newer is needed`)
  } catch (error) {
    return broken('git', messageOf(error), errorTable['git-missing'].help)
  }
}

async function checkCache(folder: string): Promise<Check> {
  const file = join(folder, `doctor-${process.pid}`)
  try {
    writeWhole(file, Buffer.alloc(0), { replace: true })
    remove(file)
    return good('cache', `${folder} can be written`)
  } catch (error) {
    const wayOut =
      'Make it writable, or set XDG_CACHE_HOME to another folder. Without a cache, every run is slower.'
    return { name: 'cache', state: 'note', detail: messageOf(error), wayOut }
  }
}

/** Where a server of this user keeps its data; nothing where there is none. */
async function checkServer(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  try {
    const { loadServerSettings } = await import('../../server/settings/load.ts')
    const { secrets, dataFolder } = loadServerSettings(environment)
    if (secrets.databaseUrl !== null) return [good('server', 'its database is PostgreSQL')]
    const folder = join(dataFolder, 'database')
    if (!existsSync(folder)) return []
    const wayOut =
      'This is enough for one machine. To move to PostgreSQL, stop the server and run `DATABASE_URL=postgres://… sightline admin move`.'
    return [{ name: 'server', state: 'good', detail: `its database is embedded, in ${folder}`, wayOut }]
  } catch (error) {
    return [broken('server', messageOf(error), 'Correct the settings; docs/server/setup.md lists them.')]
  }
}

const rightsMs = 10_000

/** What the Apps and tokens of a server of this user are not allowed to do; nothing where its settings name none. */
async function checkRights(environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Check[]> {
  const { loadServerSettings } = await import('../../server/settings/load.ts')
  const { readRights } = await import('../../server/connections/read-rights.ts')
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(rightsMs)])
    const { settings, secrets } = loadServerSettings(environment)
    return (await readRights(settings, secrets, limited)).map(({ connection, missing, failure }): Check => {
      const name = `rights of ${connection}`
      if (failure !== null) return { name, state: 'note', detail: failure, wayOut: null }
      if (missing.length === 0) return good(name, 'nothing is missing, as far as the host tells')
      const detail = missing.map(({ right, without }) => `${right} is missing: ${without}`).join('\n')
      const wayOut =
        'Add them in the settings of the App, and let its owner accept them, or give the account a token and a role that have them; docs/server/setup.md says what each is for.'
      return { name, state: 'note', detail, wayOut }
    })
  } catch (error) {
    signal.throwIfAborted()
    // The check of the server says what is wrong with the settings.
    if (error instanceof UserError) return []
    throw error
  }
}

/** Of the repository around the current folder; nothing outside of one. */
async function checkIndex(environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Check[]> {
  const name = 'index'
  try {
    const { readIndexStatus } = await import('../../assembly/code-questions.ts')
    const at = { ref: 'HEAD' }
    const { state, missing } = await readIndexStatus({ environment, folder: process.cwd(), at, signal })
    if (state === 'complete') return [good(name, 'HEAD is indexed')]
    const seconds = Math.max(1, Math.round(missing.bytes / indexedBytesPerSecond))
    const megabytes = (missing.bytes / 1e6).toFixed(1)
    const detail = `${count(missing.files, 'file')} of HEAD (${megabytes} MB) not indexed: reviews and questions are slower`
    const wayOut = `Run \`sightline index\`: about ${count(seconds, 'second')}.`
    return [{ name, state: 'note', detail, wayOut }]
  } catch (error) {
    signal.throwIfAborted()
    // Outside of a repository there is nothing to index; anything else is said by the checks above.
    if (error instanceof UserError) return []
    return [{ name, state: 'note', detail: messageOf(error), wayOut: null }]
  }
}

/** Without a sandbox reviews go on, but ask no language server and run no tests. */
async function checkSandbox({ sandbox }: Settings, signal: AbortSignal): Promise<Check> {
  const found = await findSandbox(sandbox.image, signal)
  const isBoxed = (await nodeWalls()) !== 'permissions'
  const walls = `parsers and rules run ${isBoxed ? 'in bubblewrap' : 'with Node’s permissions alone'}`
  if (found) return good('sandbox', `${found.name}; ${walls}`)
  const servers =
    sandbox.languageServers === 'optional'
      ? 'language servers run without a sandbox, as the settings allow'
      : 'language servers are off'
  const wayOut =
    'Install bubblewrap 0.8 or newer and allow user namespaces, or name a container image in `sandbox.image` of the settings.'
  return { name: 'sandbox', state: 'note', detail: `no sandbox works here: ${servers}; ${walls}`, wayOut }
}

async function readSettings(
  environment: NodeJS.ProcessEnv,
): Promise<{ check: Check; value: Settings | null }> {
  try {
    const { settings, path } = await loadSettings(environment)
    return { check: good('settings', path ?? 'no file; all defaults'), value: settings }
  } catch (error) {
    return { check: settingsFault(error), value: null }
  }
}

async function checkModels(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  callModels: boolean,
  signal: AbortSignal,
): Promise<Check[]> {
  let survey: Survey
  try {
    survey = surveyModels(settings.models, environment)
  } catch (error) {
    return [settingsFault(error)]
  }
  const played = survey.roles.filter(({ models }) => models.length > 0)
  if (played.length === 0)
    return [
      {
        name: 'models',
        state: 'note',
        detail: 'none found; reviews run offline',
        wayOut: errorTable['no-model'].help,
      },
    ]
  if (callModels) return (await probeRoles({ settings, environment }, signal)).map(fromProbe)
  return played.map(({ role, models: [first] }) => {
    const missing = first?.missingKeys ?? []
    if (missing.length === 0) return good(role, `${first?.model}, not tested`)
    return broken(role, `${first?.model}: ${missing.join(' and ')} is not set`, errorTable['no-model'].help)
  })
}

/** Whether a review that names no depth sends code. Nothing to say where no model was found. */
function checkAgreement(settings: Settings, environment: NodeJS.ProcessEnv): Check[] {
  const name = 'agreement'
  const path = settingsPath(environment)
  const prepared = readModels(settings, environment)
  const found = prepared && foundModel(prepared.setup)
  if (!prepared || !found) return []
  if (isAgreed(prepared.agreement))
    return [good(name, `reviews may send code to ${found.provider}: ${prepared.agreement.by} in ${path}`)]
  const isRefused = prepared.agreement === 'refused'
  const detail = isRefused
    ? `reviews send no code to models: \`models.enabled: false\` in ${path}`
    : `reviews send no code to ${found.provider}: you have not agreed to it yet`
  const wayOut = `To agree, set \`models.enabled: true\` in ${path}. To agree for one review, use \`--depth quick\`.`
  return [{ name, state: 'note', detail, wayOut }]
}

/** Null for settings that name an unknown provider; the check of the models says so. */
function readModels(settings: Settings, environment: NodeJS.ProcessEnv) {
  try {
    return prepareModels({}, { settings, environment })
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

function fromProbe({ role, model, ok, detail, wayOut }: Probe): Check {
  return { name: role, state: ok ? 'good' : 'broken', detail: `${model}: ${detail}`, wayOut }
}

function settingsFault(error: unknown): Check {
  if (!(error instanceof UserError)) throw error
  return broken('settings', error.message, errorTable[error.code].help)
}

function good(name: string, detail: string): Check {
  return { name, state: 'good', detail, wayOut: null }
}

function broken(name: string, detail: string, wayOut: string): Check {
  return { name, state: 'broken', detail, wayOut }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
