/** No secret is on disk: not of the environment, not of a prompt or an answer, and not of the code under review. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findSecrets } from '../../src/base/secrets/find-secrets.ts'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { replayJournal } from '../../src/storage/runs/replay-journal.ts'
import { keyValues } from '../../src/storage/runs/secrets.ts'
import { listRuns, readKept } from '../../src/storage/runs/stored-run.ts'
import { exportRun, importRun } from '../../src/storage/runs/transfer.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { answer, beginRun, emptyReview, newStore, openRun, request } from './run-world.ts'

const token = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
const key = 'sk-proj-Zk3Jq8Lw2Nx5Rt7Vb9Mc4Pd6Sf1Gh0AqWeRtYuIoPlKj'
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA7bq3nZk1'.repeat(8)}\n-----END RSA PRIVATE KEY-----`
const own = 'unlike-any-known-form-42'

/** Everything below the folder as text, compressed or not. */
function everyByte(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => {
      const bytes = readFileSync(join(one.parentPath, one.name))
      return (one.name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('latin1')
    })
    .join('\n')
}

const reads = JSON.stringify({
  blobs: [
    ['b', `const a = "${token}"\nconst again = '${token}'\n`],
    ['c', pem],
  ],
  diff: { patch: `+const a = "${token}"\n+// ${own}\n`, other: key },
})

async function runWithSecrets(store: FileRunStore, now = new Date('2026-11-21T06:15:02Z')) {
  const environment = { MY_LLM_KEY: own, HOME: '/root/home-1234', EDITOR: 'vi-with-tokens-1' }
  const run = await beginRun(store, { label: `commit ${own}` }, { environment, now })
  await run.record(request(`{"q":"${token} ${own}"}`), answer(`say ${token} and ${own}`))
  const ours = { kind: 'tool', address: 'explore/tool', tool: 'tool', input: 1 } as const
  await run.record(ours, answer(JSON.stringify({ text: `x = "${token}" // ${own}` })))
  run.note({ type: 'repair', address: 'a', detail: { text: `${token} ${own}` } })
  run.event({ type: 'limit-reached', detail: `${token} ${own}` })
  await run.finish(emptyReview, reads)
  return ours
}

test('nothing that was seen of a secret is in the store or in an export', async () => {
  const store = newStore()
  await runWithSecrets(store)
  const bytes = everyByte(store.folder) + zstdDecompressSync(await exportRun(await openRun(store))).toString()
  expect(bytes).toContain('commit ')
  for (const secret of [token, key, own, pem.slice(40, 120), Buffer.from(token).toString('base64')])
    expect(bytes).not.toContain(secret)
})

test('what is replayed here is as it was read; elsewhere a made-up secret of the same form stands in', async () => {
  const store = newStore()
  const ours = await runWithSecrets(store)
  const here = await openRun(store)
  expect(await readKept(here, store.keyFolder)).toMatchObject({ reads, lacksSecrets: false })
  const text = JSON.stringify({ text: `x = "${token}" // ${own}` })
  expect((await replayJournal(here, store.keyFolder).find(ours))?.body).toBe(text)
  expect((await (await beginRun(store)).find(ours))?.body).toBe(text)

  const elsewhere = newStore()
  await importRun(elsewhere, await exportRun(here))
  const there = await openRun(elsewhere)
  const kept = await readKept(there, elsewhere.keyFolder)
  expect(kept.lacksSecrets).toBe(true)
  expect(kept.reads).toHaveLength(reads.length)
  const kinds = (json: string) => findSecrets(JSON.parse(json).blobs[0][1]).map(({ kind }) => kind)
  expect(kinds(kept.reads)).toEqual(kinds(reads))
  const body = (await replayJournal(there, elsewhere.keyFolder).find(ours))?.body ?? ''
  expect(body).toHaveLength(text.length)
  expect(body).not.toContain(token)
})

test('without the key of the machine, or with another, what is sealed stays sealed', async () => {
  const store = newStore()
  await runWithSecrets(store)
  const copy = temporaryFolder()
  cpSync(store.folder, copy, { recursive: true })
  rmSync(join(copy, 'key'))
  const keyless = new FileRunStore(copy)
  expect((await readKept(await openRun(keyless), copy)).lacksSecrets).toBe(true)
  await runWithSecrets(keyless, new Date('2026-11-21T06:15:02.004Z'))
  const [, older] = (await listRuns(keyless)).runs
  expect((await readKept(await openRun(keyless, older?.header.run), copy)).lacksSecrets).toBe(true)
  expect((await readKept(await openRun(keyless), copy)).lacksSecrets).toBe(false)
})

test('which variables hold keys', () => {
  const environment = {
    ANTHROPIC_API_KEY: 'sk-ant-123456789',
    GIT_TOKEN: 'short1',
    NPM_AUTH: 'letters-only-here',
    SSH_KEY_FILE: '/home/a/.ssh/id_ed25519',
    TOKEN_URL: 'https://id.example.com/2/token',
    ODD_NAME: 'value-of-odd-77',
    USER: 'somebody-1234567',
  }
  expect(keyValues(environment)).toEqual(['sk-ant-123456789'])
  expect(keyValues(environment, ['ODD_NAME'])).toEqual(['sk-ant-123456789', 'value-of-odd-77'])
})
