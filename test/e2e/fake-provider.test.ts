/** The fake provider as a person starts it, after the words of its documentation; its scenario `good` answers all. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { retryRepo } from './quick-world.ts'

const checkout = resolve(import.meta.dirname, '../..')

/** Resolves with what it printed: comments, then settings. */
async function start(kind: string): Promise<string> {
  const npm = spawn('npm', ['run', '--silent', 'fake-provider', '--', kind], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => stop(npm))
  let printed = ''
  let complaints = ''
  npm.stderr.on('data', (bytes: Buffer) => {
    complaints += bytes
  })
  for await (const bytes of npm.stdout) {
    printed += bytes
    // The last of the roles that the settings name.
    if (/^ {4}judge: .*\n/m.test(printed)) return printed
  }
  throw new Error(`It ended without settings: ${complaints}`)
}

/** The command that npm started is in a group of its own. */
async function stop(npm: ChildProcess): Promise<void> {
  if (npm.pid === undefined || npm.exitCode !== null) return
  const ended = once(npm, 'exit')
  process.kill(-npm.pid, 'SIGTERM')
  await ended
}

test.each(drawn(['anthropic', 'openai-compatible']))(
  '%s: doctor is content, and each depth has a finding',
  async (kind) => {
    const printed = await start(kind)
    const path = join(temporaryFolder(), 'settings.yaml')
    writeFileSync(path, printed)
    const exported = printed.matchAll(/^# export (\w+)=(\S+)$/gm)
    const keys = [...exported].map(([, name = '', key = '']) => [name, key])
    const env = { ...Object.fromEntries(keys), SIGHTLINE_SETTINGS: path, ...ownFolders() }
    const doctor = await sightline(['doctor'], { env })
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/reviewer.*answered in/)])

    const repo = retryRepo()
    for (const depth of ['quick', 'standard', 'deep']) {
      const args = ['--repo', repo.path, '--depth', depth, '--json', '--quiet', '--no-record']
      const { code, stdout } = await sightline(['review', 'HEAD', ...args], { env })
      const review = JSON.parse(stdout)
      expect([code, review.depth]).toEqual([0, depth])
      expect(review.models.groups.map(({ outcome }: { outcome: string }) => outcome)).not.toContain(
        'unreachable',
      )
      expect(review.coverage.complete).toBe(true)
      const titles = review.findings.map(({ title }: { title: string }) => title)
      expect(titles).toContain('A finding of the fake model')
    }
  },
)
