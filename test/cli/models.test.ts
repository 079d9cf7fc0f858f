/** `sightline models` and `sightline doctor`: what they find, what they explain, and that no key is ever shown. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { drawn } from '../helpers/matrix.ts'
import { sightline } from '../helpers/sightline.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-models-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function settings(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const bare = {
  ANTHROPIC_API_KEY: '',
  OPENAI_API_KEY: '',
  GEMINI_API_KEY: '',
  GOOGLE_GENERATIVE_AI_API_KEY: '',
  XDG_CONFIG_HOME: '/nowhere',
}

const run = (args: string[], environment: Record<string, string>) =>
  sightline(args, { cwd: folder, env: { ...bare, XDG_CACHE_HOME: folder, ...environment } })

const ready: CodedStep = { answer: 'good', value: { ready: true }, times: 'always' }

test('models shows what was found, by the names of variables only', async () => {
  const { stdout, code } = await run(['models'], { ANTHROPIC_API_KEY: fakeApiKey })
  expect(code).toBe(0)
  expect(stdout).toContain('anthropic: ANTHROPIC_API_KEY is set (from environment)')
  expect(stdout).toMatch(/reviewer +anthropic\/claude-sonnet-5-5 +1000k tokens, \$2\/\$10 as claude-sonnet-5/)
  expect(stdout).not.toContain(fakeApiKey.slice(3, 12))
  const json = JSON.parse((await run(['models', '--json'], { ANTHROPIC_API_KEY: fakeApiKey })).stdout)
  expect(json.roles.map(({ role, from }: { role: string; from: string }) => [role, from])).toEqual([
    ['scout', 'environment'],
    ['reviewer', 'environment'],
    ['judge', 'the reviewer'],
  ])
  expect(json.settings).toBeNull()
})

test('models tells unknown prices as unknown, and what is missing', async () => {
  const path = await settings(
    'local.yaml',
    `models:
  providers:
    work: { kind: anthropic, keyFrom: WORK_KEY }
  roles:
    scout: ollama/qwen3-coder:30b
    reviewer: [work/claude-opus-5-5, ollama/qwen3-coder:30b]
`,
  )
  const { stdout } = await run(['models'], { SIGHTLINE_SETTINGS: path })
  expect(stdout).toMatch(/scout +ollama\/qwen3-coder:30b +window unknown, price unknown \(from settings\)/)
  expect(stdout).toContain('WORK_KEY is not set')
  expect(stdout).toContain('WORK_KEY missing')
  expect(stdout).toContain('fallback')
})

test('without anything, models says what to do', async () => {
  const { stdout, code } = await run(['models'], {})
  expect(code).toBe(0)
  expect(stdout).toContain('No model was found, so reviews run offline')
})

test('doctor asks each model once, and is content', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [ready] })
  const { stdout, code } = await run(['doctor'], {
    ANTHROPIC_API_KEY: fakeApiKey,
    ANTHROPIC_BASE_URL: fake.url,
  })
  expect(fake.mistakes).toEqual([])
  expect(stdout).toMatch(/ok +reviewer +anthropic\/claude-sonnet-5-5: answered in/)
  expect(stdout).toContain('Everything required works.')
  expect(code).toBe(0)
  expect(fake.requests).toHaveLength(2)
})

/** One, drawn by the seed; `npm run test:matrices` plays all. */
const faults: [string, CodedStep[], string, string][] = [
  ['a wrong key', [ready], 'sk-wrong-0123456789abcdef', 'Check that the key'],
  ['no money', [{ answer: 'quota', times: 'always' }], fakeApiKey, 'out of credit'],
  ['a busy provider', [{ answer: 'overloaded', times: 'always' }], fakeApiKey, 'overloaded'],
  [
    'something else at the address',
    [{ answer: 'web-page', status: 404, times: 'always' }],
    fakeApiKey,
    'name',
  ],
  ['a model that cannot answer in form', [{ answer: 'blank', times: 'always' }], fakeApiKey, 'more capable'],
]

test.each(drawn(faults))('doctor explains %s, and fails', async (_name, steps, key, advice) => {
  // The dice say how long a provider is waited for, before each attempt.
  const dice = vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => dice.mockRestore())
  await using fake = await startFakeProvider('anthropic', { steps })
  const { stdout, code } = await run(['doctor'], { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: fake.url })
  expect(code).toBe(3)
  expect(stdout).toContain(advice)
  expect(stdout).not.toContain(key.slice(3, 12))
})

test('doctor finds faults of the settings, and a role whose key is missing', async () => {
  const path = await settings('bad.yaml', 'models:\n  roles: { reviewer: claude }\n')
  const { stdout, code } = await run(['doctor', '--json'], { SIGHTLINE_SETTINGS: path })
  expect(code).toBe(3)
  const { ok, checks } = JSON.parse(stdout)
  expect(ok).toBe(false)
  expect(checks.find(({ name }: { name: string }) => name === 'settings')).toMatchObject({
    state: 'broken',
    detail: expect.stringContaining('provider/model'),
  })
  const missing = await settings(
    'missing.yaml',
    'models: { roles: { reviewer: anthropic/claude-opus-5-5 } }\n',
  )
  const second = await run(['doctor'], { SIGHTLINE_SETTINGS: missing })
  expect(second.code).toBe(3)
  expect(second.stdout).toContain('it needs a key: set ANTHROPIC_API_KEY')
})

test('doctor without any model is content with offline reviews', async () => {
  const { stdout, code } = await run(['doctor'], {})
  expect(code).toBe(0)
  expect(stdout).toMatch(/-- +models +none found/)
})

/** One, drawn by the seed; `npm run test:matrices` plays all. */
const agreements = [
  [
    '',
    '--',
    'reviews send no code to anthropic: you have not agreed to it yet',
    'To agree for one review, use `--depth quick`',
  ],
  [
    'models: { enabled: false }',
    '--',
    'reviews send no code to models: `models.enabled: false` in',
    'To agree, set',
  ],
  ['models: { enabled: true }', 'ok', 'reviews may send code to anthropic: `models.enabled: true` in', null],
  [
    'models: { roles: { reviewer: anthropic/claude-opus-5-5 } }',
    'ok',
    'reviews may send code to anthropic: ',
    null,
  ],
] as const

test.each(drawn(agreements))(
  'doctor says whether reviews may send code: %s',
  async (yaml, mark, detail, wayOut) => {
    const path = await settings('agreement.yaml', `${yaml}\n`)
    const { stdout, code } = await run(['doctor', '--no-calls'], {
      SIGHTLINE_SETTINGS: path,
      ANTHROPIC_API_KEY: fakeApiKey,
    })
    expect(code).toBe(0)
    const lines = stdout.split('\n')
    const at = lines.findIndex((line) => /^\S+ +agreement /.test(line))
    expect(lines[at]?.slice(0, 13)).toBe(`${mark}  agreement`)
    expect(lines[at]).toContain(detail)
    if (wayOut === null) expect(lines[at + 1]).not.toContain('→')
    else expect(lines[at + 1]).toContain(wayOut)
  },
)
