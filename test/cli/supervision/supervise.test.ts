/** Whatever happens in the process that does the work, the one that was started ends in time and says why. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { commandNames } from '../../../src/cli/commands/registry.ts'
import { isLasting } from '../../../src/cli/interrupt.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { drawn, isWhole } from '../../helpers/matrix.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { type ProcessOptions, run, sightlineProcess } from '../../helpers/sightline.ts'

const preload = pathToFileURL(resolve(import.meta.dirname, '../../helpers/misbehave.mjs'))

const held = join(import.meta.dirname, 'held-command.mjs')

/** A command that would wait for ever, in a process that does something else after a while. */
function misbehave(how: string, env: Record<string, string> = {}, options: ProcessOptions = {}) {
  const all = { NODE_OPTIONS: `--import=${preload}`, SIGHTLINE_MISBEHAVE: how, ...env }
  return run(process.execPath, [held, 'review', '-', '--json'], { env: all, ...options })
}

/** `ps` knows no more of it. */
const isGone = (pid: number) => !existsSync('/proc/self') || !existsSync(join('/proc', String(pid)))

test.concurrent.each(drawn(['SIGTERM', 'SIGINT', 'SIGHUP'] as const))(
  '%s ends a process whose loop is held',
  async (name) => {
    let pid = 0
    const { code, stdout, stderr } = await misbehave(
      'hold',
      {},
      {
        onStderr: (soFar, kill) => {
          const looping = /looping (\d+)\n/.exec(soFar)
          if (!looping || pid > 0) return
          pid = Number(looping[1])
          kill(name)
        },
      },
    )
    expect(pid).toBeGreaterThan(0)
    expect([code, JSON.parse(stdout).error.code]).toEqual([130, 'interrupted'])
    expect(stderr).toContain('sightline: Interrupted')
    expect(isGone(pid)).toBe(true)
  },
)

test.concurrent('a loop that is held for too long is ended, and the reason told', async () => {
  const { code, stdout, stderr } = await misbehave('loop', { SIGHTLINE_SILENT_SECONDS: '1' })
  expect(code).toBe(3)
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'stopped',
    detail: 'something in its input kept it busy for more than 1 s',
    exitCode: 3,
  })
  expect(isGone(Number(/looping (\d+)/.exec(stderr)?.[1]))).toBe(true)
})

// By `npm run test:matrices`: test/cli/outcomes.test.ts draws one of the stages at which a run is ended twice.
const repetition = async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one\n' })
  repo.commit({ 'a.txt': 'two\n' })
  const command = ['review', '--commit', 'HEAD', '--no-cache', '--json', '--allow-incomplete']
  const { code, stdout } = await sightlineProcess(command, {
    cwd: repo.path,
    env: { NODE_OPTIONS: `--import=${preload}`, SIGHTLINE_MISBEHAVE: 'break-after finished rules' },
  })
  const { coverage, findings, conclusion } = JSON.parse(stdout)
  expect([code, conclusion.word, findings]).toEqual([4, 'INCOMPLETE', []])
  expect(coverage.stopped).toMatchObject({ stage: 'planes', finished: [] })
  expect(conclusion.notices).toContain('No check had finished.')
}
if (isWhole) test('a repetition that ends as well leaves a review without findings', repetition)

test.concurrent('one that takes too much memory is ended', needs('Linux'), async () => {
  const { code, stdout } = await misbehave('grow', { SIGHTLINE_MEMORY_MB: '200' })
  expect([code, JSON.parse(stdout).error.detail]).toEqual([3, 'it needed more than 200 MB of memory'])
})

test.concurrent('one that takes too long is ended', async () => {
  const { code, stdout } = await misbehave('', { SIGHTLINE_MINUTES: '0.002' })
  expect([code, JSON.parse(stdout).error.detail]).toEqual([3, 'it took longer than 0.002 minutes'])
})

test('what goes on until somebody stops it is ended by no limit of time, as the page says', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/exit-codes.md'), 'utf8')
  const [, words = ''] = /processor time\. (.*?) go on until\s+somebody stops them/s.exec(page) ?? []
  const named = [...words.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  expect([...commandNames, 'review --watch'].filter((name) => isLasting(name.split(' '))).sort()).toEqual(
    // A server watches over its reviews, and nobody over it.
    [...named, 'serve'].sort(),
  )
})

test.concurrent('one whose heap is full says so in a line, behind the words of Node', async () => {
  const { code, stderr } = await misbehave('heap', {
    NODE_OPTIONS: `--import=${preload} --max-old-space-size=24`,
  })
  expect(code).toBe(3)
  expect(stderr).toMatch(
    /stopped by its watchdog: the process ended with SIG\w+, most likely because it ran out of memory/,
  )
})

test.concurrent('a limit in the environment that is none is told', async () => {
  const { code, stderr } = await misbehave('', { SIGHTLINE_MEMORY_MB: 'lots' })
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('$SIGHTLINE_MEMORY_MB is `lots`; it must be a number above 0.'),
  ])
})

test.concurrent('a signal from outside ends both alike', async () => {
  let sent = false
  const { code, stderr } = await misbehave(
    'hold',
    {},
    {
      onStderr: (soFar) => {
        const looping = /looping (\d+)\n/.exec(soFar)
        if (looping && !sent) process.kill(Number(looping[1]), 'SIGKILL')
        sent ||= looping !== null
      },
    },
  )
  expect([code, sent]).toEqual([null, true])
  expect(stderr).not.toContain('watchdog')
})
