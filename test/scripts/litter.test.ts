/** A run that leaves something fails and names the test. Each is a real run of Vitest on one file. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { markOfThisProcess } from '../../src/base/process-mark.ts'
import { bubblewrapPath } from '../../src/base/sandbox/bubblewrap.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { root, run } from '../helpers/sightline.ts'

/**
 * Runs `body` as a test, with a folder `guarded` in the place of those that no test may write to; or with these themselves, in a
 * root of its own, after the command `before`.
 */
async function play(body: string, { inOwnRoot = false, before = 'true' } = {}) {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // Packages are looked for in the folders above.
  const folder = mkdtempSync(join(cache, 'litter-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const guarded = temporaryFolder()
  mkdirSync(join(guarded, 'nowhere'))
  for (const name of ['kept', 'removed']) writeFileSync(join(guarded, name), 'as it was')
  const helpers = join(root, 'test/helpers')
  const config = {
    root: folder,
    include: ['*.test.mjs'],
    exclude: [],
    globalSetup: [join(helpers, 'own-folders.ts')],
    reporters: [join(helpers, 'litter/no-litter.ts')],
    experimental: { viteModuleRunner: false, nodeLoader: false },
  }
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default { test: ${JSON.stringify(config)} }\n`)
  writeFileSync(
    join(folder, 'a.test.mjs'),
    `import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { expect, test } from 'vitest'
const guarded = ${JSON.stringify(guarded)}
test('tidy', () => expect(fs.existsSync('a.test.mjs')).toBe(true))
test('the one', async () => { ${body} })
`,
  )
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const patience = { SIGHTLINE_TEST_PATIENCE_MS: '2000' }
  const env: Record<string, string> = inOwnRoot
    ? { ...patience, CI: 'true', TMPDIR: '/tmp' }
    : { ...patience, SIGHTLINE_TEST_GUARDED: guarded, TMPDIR: temporaryFolder() }
  const [program, ...words] = [...(inOwnRoot ? ownRoot(before) : []), process.execPath, vitest, 'run']
  const { code, stdout, stderr } = await run(program ?? '', words, { cwd: folder, env })
  const said = `${stdout}${stderr}`.trim().replaceAll(guarded, '')
  for (const [, pid] of said.matchAll(/ \((\d+)\)/g)) process.kill(Number(pid))
  // The test before may have ended in the same tick.
  return { code, said: said.replaceAll(/\(\d+\)/g, '(PID)').replaceAll('a.test.mjs > tidy; ', '') }
}

/** As this machine's, with a `/tmp` that is empty; what is made beside its folders is gone with it. */
function ownRoot(before: string): string[] {
  const folders = readdirSync('/').filter((name) => !['dev', 'proc', 'tmp'].includes(name))
  const bound = [...folders.map((name) => `/${name}`), root].flatMap((path) => ['--bind', path, path])
  const own = [bubblewrapPath(), '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', ...bound, '--']
  return [...own, 'sh', '-c', `${before} && exec "$@"`, 'sh']
}

const tests = 'The tests left something outside their own folder:'
const by = '(made while this ran: a.test.mjs > the one)'

test('a run that leaves nothing passes and says nothing', async () => {
  expect(await play("fs.writeFileSync(process.env.TMPDIR + '/own', '')")).toEqual({ code: 0, said: '' })
})

test(
  'a folder, a change and a removal where no test may write, and a program that outlives the run',
  needs('Linux'),
  async () => {
    const body = [
      "fs.mkdirSync(guarded + '/nowhere/tenants')",
      "fs.writeFileSync(guarded + '/kept', 'another')",
      "fs.rmSync(guarded + '/removed')",
      "spawn('sleep', ['300'], { detached: true, stdio: 'ignore' }).unref()",
      // As sandboxes are started: without any environment that would tell of the run.
      `spawn('tail', ['-f', '${root}/package.json'], { detached: true, stdio: 'ignore', env: {} }).unref()`,
    ]
    const lines = [
      `changed: /kept ${by}`,
      `left: /nowhere/tenants ${by}`,
      'removed: /removed',
      `still runs: sleep 300 (PID) ${by}`,
      `still runs: tail -f ${root}/package.json (PID) ${by}`,
    ]
    const { code, said } = await play(body.join('; '))
    expect(code).toBe(1)
    expect(said.split('\n  ').sort()).toEqual([tests, ...lines].sort())
  },
)

test(
  'in the system as it is: a folder in the root, a temporary file beside the own folder, and nothing of what was there before',
  needs('bubblewrap'),
  async () => {
    // The product removes what a process that was killed left, before the first look.
    const { machine } = markOfThisProcess()
    const left = `/tmp/sightline-4194304-1-${machine}-abcdef`
    const body = [
      `fs.rmSync('${left}', { recursive: true, force: true })`,
      "fs.mkdirSync('/nowhere/tenants/acme', { recursive: true })",
      "fs.writeFileSync('/tmp/notes', '')",
    ]
    const { code, said } = await play(body.join('; '), { inOwnRoot: true, before: `mkdir ${left}` })
    expect(code).toBe(1)
    expect(said.split('\n  ').sort()).toEqual(
      [tests, `left: /nowhere ${by}`, `left: /tmp/notes ${by}`].sort(),
    )
  },
)
