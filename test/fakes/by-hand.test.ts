/** A developer can start a fake by hand; what it prints are settings that the product takes. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { parseSettings } from '../../src/config/settings/load.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { settingsFor, usualSettings } from '../helpers/fakes/settings.ts'
import { anyAnswer } from './raw.ts'

const script = new URL('../../scripts/fake-provider.ts', import.meta.url).pathname

test('the script serves until it is stopped', async () => {
  const child = spawn(process.execPath, [script, 'anthropic', '--scenario', 'refusing'])
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const printed: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line)
    if (line.includes('judge:')) break
  }
  const settings = parseSettings(printed.join('\n'), 'printed')
  const url = settings.models.providers.anthropic?.baseUrl
  const key = /ANTHROPIC_API_KEY=(\S+)/.exec(printed.join('\n'))?.[1] ?? ''
  const response = await fetch(`${url}/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({
      model: 'claude-sonnet-5-5',
      max_tokens: 99,
      messages: [{ role: 'user', content: 'Hi.' }],
    }),
  })
  expect(await response.json()).toMatchObject({ stop_reason: 'refusal' })
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('the script lists scenarios, and asks for a provider', async () => {
  const run = (...args: string[]): Promise<[number | null, string]> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [script, ...args])
      let said = ''
      child.stdout.on('data', (data) => {
        said += data
      })
      child.stderr.on('data', (data) => {
        said += data
      })
      child.once('close', (code) => resolve([code, said]))
    })
  expect(await run('--list')).toEqual([0, expect.stringMatching(/^malicious +One attack after another/m)])
  expect(await run('none')).toEqual([2, expect.stringContaining('One of: anthropic, openai, google')])
})

test('every kind has settings that are valid and a model that its fake knows', async () => {
  for (const kind of Object.keys(usualSettings) as (keyof typeof usualSettings)[]) {
    await using fake = await startFakeProvider(kind, { steps: [anyAnswer] })
    const { settings } = settingsFor(kind, fake)
    const read = parseSettings(JSON.stringify(settings), 'x.yaml')
    expect(read.models.roles.reviewer).toEqual([`${kind}/${usualSettings[kind].model}`])
  }
})
