/** The question before code is sent, at a real terminal: `script` of util-linux gives the command one. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../src/cli/main.ts'
import { emptyAnswer, retryRepo } from '../e2e/quick-world.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { entry, environment } from '../helpers/sightline.ts'

async function openWorld() {
  const value = { ...emptyAnswer, findings: [] }
  const steps = [{ answer: 'good', times: 'always', value }]
  const fake = await startFakeProvider('anthropic', { steps } as Parameters<typeof startFakeProvider>[1])
  onTestFinished(() => fake.close())
  const home = temporaryFolder()
  const env = environment({
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    TERM: 'xterm',
    ANTHROPIC_API_KEY: fake.apiKey,
    ANTHROPIC_BASE_URL: fake.baseUrl,
  })
  const { path } = retryRepo()
  const settings = join(home, 'config/sightline/settings.yaml')
  const settingsText = () => (existsSync(settings) ? readFileSync(settings, 'utf8') : null)
  return { fake, env, path, settingsText }
}

/** In this process; `keys`: what is typed. */
async function answered(env: NodeJS.ProcessEnv, folder: string, keys: string) {
  let shown = ''
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    shown += chunk
    done()
  }
  const stdin = new PassThrough()
  stdin.end(keys)
  const shell = {
    environment: env,
    folder,
    stdin: Object.assign(stdin, { isTTY: true }),
    stdout: new Writable({ write }),
    stderr: Object.assign(new Writable({ write }), { isTTY: true }),
    facts: sharedFacts(),
  }
  const code = await runCommand(['review', '--no-cache', 'HEAD'], shell, new AbortController().signal)
  return { code, shown }
}

test('Ctrl-C at a real terminal is not remembered', needs('script of util-linux'), async () => {
  const { fake, env, path, settingsText } = await openWorld()
  const command = `'${process.execPath}' '${entry}' review --no-cache HEAD`
  const child = spawn('script', ['-qfec', command, '/dev/null'], { cwd: path, env })
  let [shown, isAsked] = ['', false]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    if (isAsked || !shown.includes('[y/N]')) return
    isAsked = true
    child.stdin.write('\u0003')
  })
  expect(await new Promise((done) => child.on('close', done))).toBe(130)
  expect(shown).toContain('Interrupted')
  expect([isAsked, settingsText(), fake.requests]).toEqual([true, null, []])
})

test('yes is remembered, and then it does not ask', async () => {
  const { fake, env, path, settingsText } = await openWorld()
  const first = await answered(env, path, 'y\n')
  expect(first.code).toBe(0)
  expect(first.shown).toContain('ANTHROPIC_API_KEY is set. May reviews send the change')
  expect(first.shown).toContain('APPROVE: no findings.')
  expect(settingsText()).toMatch(/enabled: true/)
  expect(fake.requests.length).toBeGreaterThan(0)
  const second = await answered(env, path, '')
  expect([second.code, second.shown.includes('[y/N]')]).toEqual([0, false])
})

test('no is remembered, and nothing is sent', async () => {
  const { fake, env, path, settingsText } = await openWorld()
  const { code, shown } = await answered(env, path, 'no\n')
  expect(code).toBe(0)
  expect(shown).toContain('no model reviewed this change')
  expect(settingsText()).toMatch(/enabled: false/)
  expect(fake.requests).toEqual([])
})

test.each([['models'], ['doctor', '--no-calls'], ['config'], ['rules']])(
  '%s fits a terminal of 80 columns',
  async (...args) => {
    const { env, path } = await openWorld()
    let shown = ''
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      shown += chunk
      done()
    }
    const shell = {
      environment: { ...env, ANTHROPIC_API_KEY: '', HOME: '/h', XDG_CACHE_HOME: env.XDG_CONFIG_HOME },
      folder: path,
      stdin: new PassThrough(),
      stdout: Object.assign(new Writable({ write }), { isTTY: true, columns: 80 }),
      stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
      facts: sharedFacts(),
    }
    await runCommand(args, shell, new AbortController().signal)
    // A path has no place to break.
    const wide = shown.split('\n').filter((line) => line.length > 80 && !/\/\S{30}/.test(line))
    expect([wide, shown.length > 200]).toEqual([[], true])
  },
)
