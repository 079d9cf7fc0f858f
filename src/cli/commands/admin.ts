/** `sightline admin`: the data of a server: back up, restore, move, migrate, delete, and why something happened. */
import { join } from 'node:path'
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { JournalSettings } from '../../config/settings/schema.ts'
import type { Database } from '../../server/database/contract.ts'
import { defineCommand } from '../command.ts'
import { askYesNo, canAsk, conversationIn } from '../input/ask.ts'
import { flag, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { pathIn, type Shell } from '../shell.ts'

export const operations = [
  'backup',
  'restore',
  'move',
  'migrate',
  'retention',
  'delete-tenant',
  'why',
] as const
type Operation = (typeof operations)[number]
const operandNames: Readonly<Record<string, string>> = {
  'delete-tenant': 'tenant',
  why: 'address of a change request',
}
const withOperand: ReadonlySet<string> = new Set(['backup', 'restore', 'delete-tenant', 'why'])

export const admin = defineCommand({
  name: 'admin',
  summary: 'Back up, restore, move or delete the data of a server, or say what happened to a change request.',
  operand: 'OPERATION | FILE | TENANT | URL...',
  options: {
    settings: text('FILE', 'Settings of the server (YAML). Default: $SIGHTLINE_SERVER_SETTINGS, else none.'),
    data: text('FOLDER', 'Data folder of the server.'),
    yes: flag('With delete-tenant: do not ask for confirmation.'),
    json: flag('With why: print JSON.'),
  },
  examples: [
    'sightline admin backup backup.gz  # all rows, also while the server runs',
    'sightline admin restore backup.gz  # into an empty database',
    'DATABASE_URL=postgres://… sightline admin move  # from the embedded database; stop the server first',
    'sightline admin migrate  # the schema of this version; a server does it when it starts',
    'sightline admin retention  # delete what is older than its tenant keeps; a server does it by itself',
    'sightline admin delete-tenant acme  # rows, runs, mirrors, caches',
    'sightline admin why https://github.com/acme/shop/pull/12  # its webhooks, decisions, jobs, writes and waits',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const [operation, operand] = checkOperands(operands)
    const { loadServerSettings } = await import('../../server/settings/load.ts')
    const data = values.data === undefined ? {} : { SIGHTLINE_SERVER_DATA_FOLDER: pathIn(shell, values.data) }
    const file = values.settings === undefined ? undefined : pathIn(shell, values.settings)
    const { settings, secrets, dataFolder } = loadServerSettings({ ...shell.environment, ...data }, file)
    const url = secrets.databaseUrl ?? undefined
    const folder = join(dataFolder, 'database')
    if (operation === 'delete-tenant' && !values.yes && !(await confirm(operand, shell, signal))) {
      terminal.note('sightline: nothing was deleted.\n')
      return exitCodes.clean
    }
    if (operation === 'move') {
      if (url === undefined)
        throw new UserError('usage', 'Set DATABASE_URL to the PostgreSQL database to move to.')
      const { moveToPostgres } = await import('../../server/admin/move.ts')
      const { rows } = await moveToPostgres({ folder, url })
      await terminal.result(`Moved ${count(rows, 'row')}. The embedded database was not changed: ${folder}\n`)
      return exitCodes.clean
    }
    const { openDatabase } = await import('../../server/database/open-database.ts')
    const isThere = operation !== 'restore' && operation !== 'migrate'
    const database = await openDatabase({ url, folder, isThere })
    try {
      if (operation === 'why') {
        const { formatLife, readLife } = await import('../../server/admin/why.ts')
        const life = await readLife(database, settings, operand)
        await terminal.result(`${values.json ? asciiJson(life, 2) : formatLife(life)}\n`)
        return exitCodes.clean
      }
      const path = pathIn(shell, operand)
      const work = { database, operand, path, dataFolder, keepDays: settings.retentionDays }
      const done = await perform(operation, { ...work, environment: shell.environment })
      await terminal.result(`${visibleLine(done)}\n`)
    } finally {
      await database.close()
    }
    return exitCodes.clean
  },
})

type Work = {
  database: Database
  operand: string
  path: string
  dataFolder: string
  environment: NodeJS.ProcessEnv
  keepDays: number
}

async function readJournal(environment: NodeJS.ProcessEnv): Promise<JournalSettings> {
  const { loadSettings } = await import('../../config/settings/load.ts')
  return (await loadSettings(environment)).settings.journal
}

/** Returns what was done, for people. */
async function perform(
  operation: Exclude<Operation, 'move' | 'why'>,
  { database, operand, path, dataFolder, environment, keepDays }: Work,
): Promise<string> {
  const archive = () => import('../../server/admin/archive.ts')
  const tenants = () => import('../../server/admin/tenants.ts')
  switch (operation) {
    case 'backup': {
      const { tables, rows } = await (await archive()).backup(database, path)
      return `Wrote ${count(rows, 'row')} of ${count(tables, 'table')} to ${operand}`
    }
    case 'restore':
      return `Restored ${count((await (await archive()).restore(database, path)).rows, 'row')} from ${operand}`
    case 'migrate':
      return `The schema of ${database.address} is that of this version`
    case 'retention': {
      const { deleteExpired, deleteExpiredRuns } = await tenants()
      const deleted = Object.values(await deleteExpired(database, keepDays))
      const places = { journal: await readJournal(environment), environment, dataFolder }
      const runs = await deleteExpiredRuns(database, keepDays, places)
      return `Deleted ${count(total(deleted), 'row')} and ${count(runs, 'run')}`
    }
    case 'delete-tenant': {
      const journal = await readJournal(environment)
      const { rows, objects, folders } = await (await tenants()).deleteTenant({
        ...{ database, journal, environment, dataFolder },
        tenant: operand,
      })
      const deleted = total(Object.values(rows))
      if (deleted + objects + folders.length === 0)
        return `Nothing of ${operand} is here; nothing was deleted`
      const inBucket = objects === 0 ? '' : `, ${count(objects, 'object')} of ${journal.store}`
      return `Deleted ${count(deleted, 'row')}${inBucket} and ${count(folders.length, 'folder')} of ${operand}`
    }
  }
}

function checkOperands([operation, operand = '', ...more]: readonly string[]): [Operation, string] {
  const known = operations.find((name) => name === operation)
  if (!known) throw new UserError('usage', `Name one of ${operations.join(', ')}.`)
  if (more.length > 0 || (operand !== '') !== withOperand.has(known))
    throw new UserError(
      'usage',
      withOperand.has(known)
        ? `admin ${known} needs one ${operandNames[known] ?? 'file'}.`
        : `admin ${known} takes nothing else.`,
    )
  return [known, operand]
}

/** Throws `usage` where no one can be asked. */
async function confirm(tenant: string, shell: Shell, signal: AbortSignal): Promise<boolean> {
  const question = `Delete everything of tenant ${visibleLine(tenant)}? This cannot be undone.`
  if (canAsk(shell)) return await askYesNo(question, signal, conversationIn(shell))
  throw new UserError('usage', 'delete-tenant asks for confirmation, which needs a terminal; add --yes.')
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}
