/**
 * A small part of everything that the red team plays, drawn by a fixed seed, by the very command that plays the whole
 * (`npm run test:red-team`).
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { seed } from '../helpers/matrix.ts'

const command = join(import.meta.dirname, 'run.ts')

/**
 * How much of each part; a standard review reaches every place in which a secret can lie. Ids are tried where a server's database is
 * open already (`test/server/http/ids.test.ts`), and language servers one at a time (`servers/servers.test.ts`). That each guard
 * would be missed says something of these tests, not of the product: only the whole asks.
 */
const sample = {
  ...{ worst: '2', runs: '2', wire: '1', guards: '0', matrix: '2', servers: '0', incidents: '1' },
  ...{ framing: '1', asks: '1', cells: '400', comments: '200', caches: '1000', ids: '0', memory: '30' },
  ...{ calls: '100', diffs: '200', reviews: '50', depths: 'standard', kinds: '6', input: 'none of them' },
  seed: String(seed),
}

test('nothing gets through', async () => {
  process.stdout.write(`red team, seed ${seed}\n`)
  const args = Object.entries(sample).flatMap(([name, value]) => [`--${name}`, value])
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [command, ...args], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout?: string; stderr?: string }) => ({ stdout: '', stderr: '', ...error }))
  expect(stdout, `${stdout}\n${stderr}`).toMatch(/^nothing got through$/m)
})
