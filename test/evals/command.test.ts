/** `npm run evals` as a shell sees it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeCase } from '../../evals/cases/formats/own.ts'
import { listPlaneNames } from '../../src/index.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { environment } from '../helpers/sightline.ts'
import { evals } from './run-evals.ts'
import { secretCases } from './secret-cases.ts'

const env = () => ({ XDG_CACHE_HOME: temporaryFolder(), XDG_CONFIG_HOME: temporaryFolder() })

test('run, run again, score, compare, gate', async () => {
  const { mirrors, cases } = secretCases(2)
  const folder = temporaryFolder()
  const set = join(folder, 'secrets.jsonl')
  writeFileSync(set, cases.map((one) => `${writeCase(one)}\n`).join(''))
  const options = { env: env() }
  const runIn = (out: string, ...more: string[]) =>
    evals(['run', set, '--out', join(folder, out), '--mirrors', mirrors, ...more], options)

  const first = await runIn('a')
  expect(first).toMatchObject({ code: 0 })
  expect(first.stdout).toContain('| Faults hit, by line | 100.0 % |')
  expect(first.stdout).toContain('by as many random lines')
  expect(first.stderr).toContain('3 reviewed, 0 kept')
  const again = await runIn('a')
  expect(again.stdout).toBe(first.stdout)
  expect(again.stderr).toContain('0 reviewed, 3 kept')

  const page = join(folder, 'a.html')
  const sheet = join(folder, 'a.jsonl')
  const scored = await evals(['score', join(folder, 'a'), '--html', page, '--out', sheet], options)
  expect(scored.stdout).toBe(first.stdout)
  expect(readFileSync(page, 'utf8')).toContain('<h1>secrets</h1>')

  const worse = await runIn('b', '--skip', 'secrets')
  expect(worse.stdout).toContain('| Faults hit, by line | 0.0 % |')
  const compared = await evals(['compare', sheet, join(folder, 'b')], options)
  expect(compared.code).toBe(0)
  expect(compared.stdout).toContain('| worse |')
  const gated = await evals(['gate', sheet, join(folder, 'b')], options)
  expect(gated.code).toBe(1)
  expect(gated.stderr).toContain('Fell beyond chance: Faults hit, by line')
  expect((await evals(['gate', sheet, join(folder, 'a'), '--json'], options)).code).toBe(0)

  const ablated = await evals(
    [
      'ablate',
      set,
      '--out',
      join(folder, 'c'),
      '--mirrors',
      mirrors,
      ...listPlaneNames().flatMap((name) => (['secrets', 'rules'].includes(name) ? [] : ['--skip', name])),
      '--part',
      'planes',
      '-q',
    ],
    options,
  )
  expect(ablated.code).toBe(0)
  expect(ablated.stdout).toMatch(/\| without-secrets \| 0\.0 % \(−100\.0 % \\\*\)/)
  expect(ablated.stdout).toMatch(/\| without-rules \| 100\.0 % \(0\.0 %\)/)
})

test('a history becomes lines of a set', async () => {
  const { mirrors } = secretCases(1)
  const repository = join(mirrors, 'owner+name', 'repo')
  expect(execFileSync('git', ['--git-dir', repository, 'log', '--oneline'], { encoding: 'utf8' })).not.toBe(
    '',
  )
  const mined = await evals(['mine', repository, '--name', 'owner/name'], { env: env() })
  expect(mined).toMatchObject({ code: 0, stdout: '' })
  expect((await evals(['mine', repository], { env: env() })).code).toBe(2)
})

test('what is wrong with the call is reported', async () => {
  const called = async (...args: string[]) => await evals(args, { env: env() })
  expect((await called('unknown')).stderr).toContain('run, score, compare, gate')
  expect((await called('score')).stderr).toContain('takes RUN')
  expect((await called('compare', 'a')).stderr).toContain('takes A and B')
  expect((await called('run', 'nowhere.jsonl', '--out', 'x')).stderr).toContain(
    'A set of cases cannot be read',
  )
  expect((await called('score', 'nowhere')).code).toBe(2)
  const deep = await called('run', 'nowhere.jsonl', '--depth', 'quick')
  expect(deep.stderr).toContain('--out FOLDER')
  expect(existsSync('x')).toBe(false)
  expect(environment().CI).toBeUndefined()
})
