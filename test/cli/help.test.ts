/** What is asked about the program itself, answered fast and on standard output. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandNames, earlierCalls } from '../../src/cli/commands/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { root, run, sightline } from '../helpers/sightline.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test.each([[['--version']], [['-v']], [['version']]])('%j prints the version alone', async (args) => {
  expect(await sightline(args, { cwd: temporaryFolder() })).toEqual({
    code: 0,
    stdout: `${version}\n`,
    stderr: '',
  })
})

test.each([[[]], [['help']], [['--help']], [['-h']]])('%j lists the commands', async (args) => {
  const { code, stdout, stderr } = await sightline(args)
  expect([code, stderr]).toEqual([0, ''])
  for (const name of ['review', 'demo', 'init', 'config', 'rules', 'version', 'help'])
    expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
})

test('help of a command lists every option, asked for in either way', async () => {
  const asked = await sightline(['help', 'review'])
  expect(await sightline(['review', '--staged', '--help'])).toEqual(asked)
  expect(await sightline(['review', '-h'])).toEqual(asked)
  expect(asked.code).toBe(0)
  for (const option of ['--staged', '--base REF', '--patch FILE', '--fail-on', '-q, --quiet', '--no-color'])
    expect(asked.stdout).toContain(option)
})

test.each(['', ...commandNames])('help %s fits 80 columns, apart from lists of values', async (name) => {
  const { stdout } = await sightline(['help', ...(name === '' ? [] : [name])])
  const lines = stdout.split('\n')
  expect(lines.filter((line) => line.length > 80 && !/^ {2}(sightline|--\S+ \S+\|)/.test(line))).toEqual([])
})

test('commands of an earlier version still work, and are not listed', async () => {
  const { stdout: listed } = await sightline(['help'])
  for (const [name, [now]] of earlierCalls) {
    expect(listed).not.toMatch(new RegExp(`^  ${name} `, 'm'))
    const { stdout } = await sightline(['help', now])
    for (const args of [
      ['help', name],
      [name, '--help'],
    ])
      expect(await sightline(args)).toEqual({ code: 0, stdout, stderr: '' })
  }
  const env = { SIGHTLINE_SETTINGS: join(temporaryFolder(), 'none.yaml') }
  const asked = await sightline(['doctor', '--servers', '--json'], { env })
  expect(await sightline(['servers', '--json'], { env })).toEqual(asked)
  expect((await sightline(['baseline', '3fa94c01'])).stderr).toContain('--all takes no id')
})

test('what follows -- is no option', async () => {
  const { code, stderr } = await sightline(['review', '--', '--help'], { cwd: temporaryFolder() })
  expect(code).toBe(2)
  expect(stderr).not.toContain('fault')
})

/** `npm test` sets the checkout up before; without that, the script would install packages under our feet. */
const stamp = join(root, 'node_modules/.sightline-lock')
const isSetUp =
  existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(join(root, 'package-lock.json'), 'utf8')

test.skipIf(!isSetUp)('./sightline works through a symbolic link, from elsewhere', async () => {
  const folder = temporaryFolder()
  const link = join(folder, 'linked')
  symlinkSync(join(root, 'sightline'), link)
  expect((await run(link, ['--version'], { cwd: folder })).stdout).toBe(`${version}\n`)
})

test('an old Node is told so', async () => {
  const text = readFileSync(join(root, 'bin/sightline.js'), 'utf8')
  expect(text).toContain('22.18 or newer is needed')
})
