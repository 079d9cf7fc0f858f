/** Reviews the change of the example at one depth, with the models played by a server on 127.0.0.1. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Review } from '../../src/index.ts'
import { fakeApiKey } from '../../test/helpers/fakes/provider.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { sightline } from '../../test/helpers/sightline.ts'
import { scripts } from './answers.ts'
import { reviewed, root, ticket } from './change.ts'

export type Depth = 'offline' | 'quick' | 'standard' | 'deep'
export type DepthRun = { depth: Depth; review: Review; markdown: string; terminal: string; prompts: string[] }

const model = 'claude-sonnet-5-5'

/** Throws when an answer of the script was not asked for, or does not fit what was asked. */
export async function runDepth(depth: Depth): Promise<DepthRun> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-example-'))
  await using fake = await startFakeProvider('anthropic', {
    steps: depth === 'offline' ? [] : scripts[depth],
  })
  try {
    const settings = join(folder, 'settings.yaml')
    writeFileSync(settings, settingsWith(fake.baseUrl))
    writeFileSync(join(folder, 'ticket.md'), ticket)
    const environment = {
      SIGHTLINE_SETTINGS: settings,
      FAKE_KEY: fakeApiKey,
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_STATE_HOME: join(folder, 'state'),
    }
    const ask = (...args: string[]) => run([...args, '--repo', root], environment)
    const asked = depth === 'deep' ? ['--ticket', join(folder, 'ticket.md')] : []
    const command = ['review', reviewed, '--depth', depth, '--quiet', '--explain', ...asked]
    const json = await ask(...command, '--json')
    if (fake.mistakes.length > 0) throw new Error(`${depth}: ${JSON.stringify(fake.mistakes)}`)
    const left = fake.untakenSteps()
    if (left.length > 0) throw new Error(`${depth}: nobody asked for steps ${left.join(', ')}`)
    const prompts = fake.calls.map(({ call }) => call.prompt)
    const again = (format: string) => run(['replay', 'last', '--explain', '--format', format], environment)
    return {
      depth,
      review: JSON.parse(json) as Review,
      markdown: await again('markdown'),
      terminal: await again('terminal'),
      prompts,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function settingsWith(baseUrl: string): string {
  return [
    'models:',
    '  providers:',
    `    scripted: { kind: anthropic, baseUrl: '${baseUrl}', keyFrom: FAKE_KEY }`,
    '  roles:',
    `    reviewer: scripted/${model}`,
    `  prices: { 'scripted/${model}': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } }`,
    'validation: { servers: off }',
    '',
  ].join('\n')
}

async function run(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await sightline(args, { env: { COLUMNS: '', ...env } })
  if (code === 0 || code === 1) return stdout
  throw new Error(`sightline ${args.join(' ')} ended with ${code}: ${stderr}`)
}
