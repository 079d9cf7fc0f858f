/** Collect, analyze and publish, each with only the rights it needs: once as three processes, then as three calls. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Review } from '../../src/domain/review.ts'
import { type FakeProvider, fakeApiKey } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { root, sightline, sightlineProcess } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, retryRepo, waitFinding } from './quick-world.ts'

const hostToken = ['ghp', 'hostTokenOfTheCollector0123456789abcd'].join('_')
const guard = resolve(import.meta.dirname, '../helpers/guard-network.mjs')

let fake: FakeProvider
let repository = ''
beforeAll(async () => {
  repository = retryRepo('keep').path
  fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: { ...emptyAnswer, findings: [waitFinding] }, times: 'always' }],
  })
})
afterAll(() => fake.close())

type Step = { code: number | null; stdout: string; stderr: string; refused: string }

/** Nothing of the operator but what `env` names; `port`: the only one that it may connect to. */
type RunStep = (args: string[], env: Record<string, string>, port?: string) => Promise<Step>

const alone = () => ({ HOME: temporaryFolder(), XDG_STATE_HOME: '', XDG_CACHE_HOME: temporaryFolder() })

const stepProcess: RunStep = async (args, env, port = '') => {
  const log = join(temporaryFolder(), 'refused')
  const options = { NODE_OPTIONS: `--import=${guard}`, GUARD_PORT: port, GUARD_LOG: log }
  const done = await sightlineProcess(args, {
    cwd: temporaryFolder(),
    env: { ...alone(), ...options, ...env },
  })
  return { ...done, refused: existsSync(log) ? readFileSync(log, 'utf8') : '' }
}

const step: RunStep = async (args, env) => {
  const done = await sightline(args, { cwd: temporaryFolder(), env: { ...alone(), ...env } })
  return { ...done, refused: '' }
}

async function collected(run = step): Promise<string> {
  const out = join(temporaryFolder(), 'change')
  const { code, stdout, refused } = await run(['collect', 'HEAD', '--repo', repository, '--out', out], {
    GITHUB_TOKEN: hostToken,
  })
  expect({ code, stdout, refused }).toEqual({ code: 0, stdout: `${out}\n`, refused: '' })
  return out
}

/** The repository is out of reach meanwhile. */
async function analyzed(
  change: string,
  flags: string[] = [],
  run = step,
): Promise<{ file: string; review: Review }> {
  const file = join(temporaryFolder(), 'review.json')
  const away = `${repository}.away`
  renameSync(repository, away)
  const env = fakeEnvironment(fake)
  const port = new URL(fake.url).port
  const { code, stderr, refused } = await run(
    ['analyze', change, '--output', file, '--depth', 'quick', '--quiet', ...flags],
    env,
    port,
  ).finally(() => renameSync(away, repository))
  expect({ code, stderr, refused }).toEqual({ code: 0, stderr: '', refused: '' })
  return { file, review: Review.parse(JSON.parse(readFileSync(file, 'utf8'))) }
}

function publish(file: string, change: string, flags: string[] = [], run = step): Promise<Step> {
  return run(['publish', file, '--request', change, ...flags], { GITHUB_TOKEN: hostToken })
}

test('each step needs only its own rights, and together they give the review of one process', async () => {
  const change = await collected(stepProcess)
  expect(readdirSync(change).sort()).toEqual(['objects.pack', 'request.json'])
  expect(readFileSync(join(change, 'request.json'), 'utf8')).not.toContain(hostToken)

  const { file, review } = await analyzed(change, [], stepProcess)
  expect(review.depth).toBe('quick')
  expect(review.findings.map(({ byModel, anchor }) => [byModel, anchor.path])).toEqual([
    [true, 'src/retry.ts'],
  ])
  expect(fake.mistakes).toEqual([])

  const { code, stdout, stderr, refused } = await publish(file, change, ['--json'], stepProcess)
  expect({ code, stderr, refused }).toEqual({ code: 0, stderr: '', refused: '' })
  const whole = await sightline(
    ['review', 'HEAD', '--json', '--depth', 'quick', '--no-cache', '--no-record', '-q'],
    {
      cwd: repository,
      env: fakeEnvironment(fake),
    },
  )
  expect(withoutRun(stdout)).toEqual(withoutRun(whole.stdout))
  for (const text of [stdout, readFileSync(file, 'utf8')])
    for (const secret of [hostToken, fakeApiKey]) expect(text).not.toContain(secret)
})

/** Times, cost and the repository's folder are facts of a run. */
function withoutRun(json: string): unknown {
  const { run, models, ...review } = JSON.parse(json)
  return review
}

test('what the analyst says of places is checked against the diff before it is shown', async () => {
  const change = await collected()
  const { file, review } = await analyzed(change, ['--no-record'])
  const [finding] = review.findings
  if (!finding) throw new Error('the review has a finding')
  const [tag = ''] = finding.anchor.tags
  const forged: [why: string, finding: object][] = [
    ['its line numbers', { ...finding, endLine: finding.endLine + 1 }],
    ['cites a line', { ...finding, anchor: { ...finding.anchor, tags: [tag.replace(/...$/, 'zzz')] } }],
    ['not part of this change', { ...finding, anchor: { ...finding.anchor, path: 'src/nowhere.ts' } }],
    ['excerpt', { ...finding, excerpt: finding.excerpt.map((line) => ({ ...line, hash: 'zzz' })) }],
  ]
  for (const [why, one] of forged) {
    writeFileSync(file, JSON.stringify({ ...review, findings: [one] }))
    const { code, stdout, stderr } = await publish(file, change, ['--json'])
    expect(code, why).toBe(4)
    expect(JSON.parse(stdout).findings, why).toEqual([])
    expect(stderr, why).toMatch(new RegExp(`^sightline: not published: .*${why}`))
  }
  const { request } = review
  const elsewhere = { ...review, request: { ...request, head: { ...request.head, tree: 'a'.repeat(40) } } }
  for (const [content, words] of [
    [JSON.stringify(elsewhere), 'it was made for a different head'],
    [JSON.stringify({ ...review, findings: 'none' }), 'does not fit the schema'],
    ['{', 'JSON'],
  ] as const) {
    writeFileSync(file, content)
    const { code, stdout, stderr } = await publish(file, change)
    expect({ code, stdout }, words).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
  }
})

test('a finding that is refused is named, and neither conclusion nor exit code get milder', async () => {
  const change = await collected()
  const { file, review } = await analyzed(change, ['--no-record'])
  const [finding] = review.findings
  if (!finding) throw new Error('the review has a finding')
  const high = { ...finding, severity: 'high', title: 'Waits *forever*', endLine: finding.endLine + 1 }
  const { conclusion } = review
  const judged = { ...conclusion, word: 'REQUEST_CHANGES', headline: 'REQUEST_CHANGES: 1 high finding.' }
  writeFileSync(file, JSON.stringify({ ...review, conclusion: judged, findings: [high] }))
  const why = 'not published: Waits *forever* (high): its line numbers are not those of the lines it cites'
  for (const [format, first] of [
    ['terminal', judged.headline],
    ['markdown', '**REQUEST\\_CHANGES: 1 high finding.**'],
    ['sarif', '{'],
    ['rdjson', '{'],
  ] as const) {
    const { code, stdout, stderr } = await publish(file, change, ['--format', format, '--allow-incomplete'])
    expect(code, format).toBe(1)
    expect(stdout.split('\n')[0], format).toBe(first)
    expect(stderr.split(why), format).toHaveLength(2)
    if (format !== 'rdjson')
      expect(stdout.replaceAll('\\', '').replaceAll(/\s+/g, ' '), format).toContain(why)
  }
  const json = JSON.parse((await publish(file, change, ['--json'])).stdout)
  expect(json).toMatchObject({ findings: [], conclusion: { ...judged, notices: [why] } })
  const lenient = await publish(file, change, ['--json', '--fail-on', 'critical', '--allow-incomplete'])
  expect(lenient.code).toBe(4)
})

test('a collected change that was tampered with is not read', async () => {
  const change = await collected()
  const pack = join(change, 'objects.pack')
  const bytes = readFileSync(pack)
  const analyze = () => step(['analyze', change, '--depth', 'offline'], {})
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  rmSync(pack)
  writeFileSync(pack, bytes)
  const damaged = await analyze()
  expect(damaged.code).toBe(2)
  expect(damaged.stderr).toContain('is not the file that request.json names')

  writeFileSync(join(change, 'request.json'), '{"format":2}')
  const other = await analyze()
  expect(other.code).toBe(2)
  expect(other.stderr).toContain('does not fit the schema of a request')

  const none = await step(['analyze', join(root, 'docs'), '--depth', 'offline'], {})
  expect(none.code).toBe(2)
  const twice = await step(['collect', 'HEAD', '--repo', repository, '--out', change], {})
  expect(twice.code).toBe(2)
  expect(twice.stderr).toContain('already contains a collected change')
})
