/**
 * Starts a fake provider of models on 127.0.0.1, for trying things out by hand:
 * `npm run --silent fake-provider -- anthropic --scenario truncated --port 4010`. Ends with Ctrl-C.
 */
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { isFakeKind, protocols, startFakeProvider } from '../test/helpers/fakes/registry.ts'
import { listScenarios, loadScenario } from '../test/helpers/fakes/scenario/load.ts'
import { settingsFor } from '../test/helpers/fakes/settings.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scenario: { type: 'string', default: 'good' },
    port: { type: 'string', default: '0' },
    list: { type: 'boolean', default: false },
  },
})
const [kind = ''] = positionals

if (values.list) for (const name of listScenarios()) print(`${name.padEnd(20)} ${loadScenario(name).about}`)
else if (isFakeKind(kind)) await start(kind)
else {
  console.error(`Which provider? One of: ${Object.keys(protocols).join(', ')}. --list shows the scenarios.`)
  process.exitCode = 2
}

async function start(chosen: keyof typeof protocols): Promise<void> {
  const fake = await startFakeProvider(chosen, values.scenario, {
    port: Number(values.port),
    onAnswer: report,
  })
  const { settings, environment } = settingsFor(chosen, fake)
  const models = Object.keys(protocols[chosen].models).join(', ')
  print(`# ${chosen} on ${fake.url}, scenario ${values.scenario}. Its models: ${models}`)
  for (const [name, key] of Object.entries(environment)) print(`# export ${name}=${key}`)
  print('# Settings, for the file that SIGHTLINE_SETTINGS names:')
  print(stringify(settings).trimEnd())
  const stop = (): void => void fake.close().then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

function report(line: string): void {
  console.error(line)
}

function print(line: string): void {
  console.log(line)
}
