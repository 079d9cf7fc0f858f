/** `sightline serve`: reviews the change requests that hosts report by webhook, until it is stopped. */
import { exitCodes } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { choice, flag, integer, text } from '../input/options.ts'
import { pathIn } from '../shell.ts'

export const serve = defineCommand({
  name: 'serve',
  summary: 'Run the server: webhooks in, reviews out.',
  operand: null,
  options: {
    settings: text('FILE', 'Settings of the server (YAML). Default: $SIGHTLINE_SERVER_SETTINGS, else none.'),
    role: choice(['all', 'web', 'worker'], 'What this process does. Default: all.'),
    port: integer(0, 65_535, 'Port to listen on; 0 picks a free one. Default: 8080.'),
    data: text('FOLDER', 'Folder for the embedded database, keys and records.'),
    check: flag('Check the settings and the data folder, print what would be served, and exit.'),
  },
  examples: [
    'sightline serve  # everything in one process, with the embedded database',
    'sightline serve --settings server.yaml --check',
    'DATABASE_URL=postgres://… sightline serve --role worker',
  ],
  async run({ values, terminal, shell, signal }) {
    const { loadServerSettings } = await import('../../server/settings/load.ts')
    const given = {
      SIGHTLINE_SERVER_ROLE: values.role,
      SIGHTLINE_SERVER_LISTEN_PORT: values.port === undefined ? undefined : String(values.port),
      SIGHTLINE_SERVER_DATA_FOLDER: values.data === undefined ? undefined : pathIn(shell, values.data),
    }
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const environment = { ...shell.environment, ...set }
    const file = values.settings === undefined ? undefined : pathIn(shell, values.settings)
    const loaded = loadServerSettings(environment, file)
    if (values.check) {
      const { describeServer } = await import('../../server/settings/describe.ts')
      const { checkDataFolder } = await import('../../server/settings/data-folder.ts')
      checkDataFolder(loaded.dataFolder)
      await terminal.result(describeServer(loaded))
      return exitCodes.clean
    }
    const { serve: run } = await import('../../server/serve.ts')
    await run(loaded, {
      environment,
      signal,
      writeLog: (line) => terminal.note(`${line}\n`),
      onReady({ url, database, adminTokenFile }) {
        const token = adminTokenFile === null ? '' : `Admin token: ${adminTokenFile}\n`
        void terminal.result(`Sightline serves ${url} (role ${loaded.settings.role}, ${database})\n${token}`)
      },
    })
    return exitCodes.clean
  },
})
