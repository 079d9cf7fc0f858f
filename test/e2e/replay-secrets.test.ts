/** Runs of changes that hold secrets, and runs that a stranger made: replayed, and nothing gets out. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Review } from '../../src/domain/review.ts'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { beginRun } from '../../src/storage/runs/recorder.ts'
import { findRun, readKept } from '../../src/storage/runs/stored-run.ts'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, retryRepo, waitFinding } from './quick-world.ts'

const inCode = ['ghp_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')
const saidByModel = ['ghp_', 'Zr8qT1xY5mN0bV7cL3kJ9hG2fD4sA6wE8uIo'].join('')

function machine(): Record<string, string> {
  return {
    ...ownFolders(),
    XDG_CONFIG_HOME: temporaryFolder(),
  }
}

function repoWithSecret() {
  const repo = retryRepo()
  const lines = `export const key = '${inCode}'\nexport const again = "${inCode}"\n`
  repo.commit({
    'src/key.ts': lines,
    'src/retry.ts': `${readFileSync(join(repo.path, 'src/retry.ts'), 'utf8')}// ${inCode}\n`,
  })
  return repo
}

test('a change with secrets, and an answer with one in pieces: replayed byte for byte, and neither is on disk', async () => {
  const said = { ...waitFinding, explanation: `The first wait is the longest. ${saidByModel}` }
  const fake = await startFakeProvider('anthropic', {
    steps: [
      {
        answer: 'good',
        value: {
          ...emptyAnswer,
          findings: [
            {
              ...said,
              file: 'src/key.ts',
              tags: [{ $tagAt: 'export const key' }],
              evidence: [{ id: { $tagAt: 'export const key' }, quote: 'export const key' }],
            },
          ],
        },
      },
    ],
  })
  const env = { ...machine(), ...fakeEnvironment(fake) }
  const repo = repoWithSecret()
  const first = await sightline(['review', 'HEAD', '--repo', repo.path, '--json', '--quiet'], { env })
  expect(fake.mistakes).toEqual([])
  expect(first.stdout).toContain('The first wait is the longest')
  await fake.close()
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect([again.stderr, again.stdout]).toEqual(['', first.stdout])
  const bytes = everyByte(env.XDG_STATE_HOME ?? '')
  expect(bytes).toContain('content_block_delta')
  for (const secret of [inCode, saidByModel, fakeApiKey]) expect(bytes).not.toContain(secret)
  expect(textOfStreams(bytes)).toContain('The first wait is the longest. ****')
  expect(textOfStreams(bytes)).not.toContain(saidByModel.slice(0, 12))
})

test('on another machine it replays byte for byte: the record never held the secrets of the change', async () => {
  const here = machine()
  const first = await sightline(
    ['review', 'HEAD', '--repo', repoWithSecret().path, '--json', '--quiet', '--depth', 'offline'],
    { env: here },
  )
  const pack = join(temporaryFolder(), 'run.zst')
  await sightline(['runs', '--export', pack], { env: here })
  expect(zstdDecompressSync(readFileSync(pack)).toString('utf8')).not.toContain(inCode.slice(4, 12))
  const there = machine()
  await sightline(['runs', '--import', pack], { env: there })
  const again = await sightline(['replay', 'last', '--json'], { env: there })
  expect([again.stderr, again.stdout]).toEqual(['', first.stdout])
  expect(JSON.parse(first.stdout).findings.length).toBeGreaterThan(0)
})

test('a run of a stranger leads nothing to his address, and what it was to do is checked', async () => {
  await using trap = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: emptyAnswer, times: 'always' }],
  })
  await using mine = await startFakeProvider('openai-compatible', {
    steps: [{ answer: 'good', value: emptyAnswer, times: 'always' }],
  })
  const own = { ...machine(), ...fakeEnvironment(mine, { kind: 'openai-compatible', model: 'qwen3-coder' }) }
  const theirs = { ...machine(), ...fakeEnvironment(trap) }
  await sightline(['review', 'HEAD', '--repo', retryRepo().path, '--quiet'], { env: theirs })
  const from = new FileRunStore(join(theirs.XDG_STATE_HOME ?? '', 'sightline'))
  const { run } = await findRun(from, 'last')
  const kept = await readKept(run, from.keyFolder)
  const into = new FileRunStore(join(own.XDG_STATE_HOME ?? '', 'sightline'))
  // Without the recorded answers the frozen reviewer would have to be asked, at the address in the run.
  const put = async (options: Record<string, unknown>, minute: number) => {
    const now = new Date(Date.UTC(2026, 10, 21, 6, minute))
    const one = await beginRun(into, { ...run.header, options }, { texts: 'full', fresh: false, now })
    await one.finish(Review.parse(JSON.parse(kept.review)), kept.reads)
    return one.run
  }
  const name = await put(run.header.options, 1)
  const before = trap.requests.length
  const swapped = await sightline(['replay', name, '--swap', 'scout=fake/qwen3-coder', '--json'], {
    env: own,
  })
  expect([swapped.code, swapped.stderr]).toEqual([3, expect.stringContaining('has no recorded answer')])
  const replayed = await sightline(['replay', name, '--json'], { env: own })
  expect([replayed.code, replayed.stderr]).toEqual([3, expect.stringContaining('has no recorded answer')])
  expect(trap.requests).toHaveLength(before)
  const odd = await put({ ...run.header.options, setup: { roles: 1 } }, 2)
  const bad = await sightline(['replay', odd], { env: own })
  expect([bad.code, bad.stderr]).toEqual([3, expect.stringContaining('its options have an unknown format')])
})

function everyByte(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => {
      const bytes = readFileSync(join(one.parentPath, one.name))
      return (one.name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8')
    })
    .join('\n')
}

/** What the deltas of all recorded streams say when they are joined. */
function textOfStreams(bytes: string): string {
  return [...bytes.matchAll(/\\"text_delta\\",\\"text\\":\\"(.*?)\\"\}/g)].map(([, text]) => text).join('')
}
