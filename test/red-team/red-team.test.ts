/**
 * A small part of everything that the red team plays, drawn by a fixed seed, by what plays the whole too
 * (`npm run test:red-team`).
 */
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { seed } from '../helpers/matrix.ts'
import { playRedTeam } from './play-red-team.ts'

/**
 * How much of each part; a standard review reaches every place in which a secret can lie. Ids are tried where a server's database is
 * open already (`test/server/http/ids.test.ts`), and language servers one at a time (`servers/servers.test.ts`). That each guard
 * would be missed says something of these tests, not of the product: only the whole asks.
 */
const sample = {
  ...{ worst: '2', runs: '2', wire: '1', guards: '0', matrix: '2', servers: '0', incidents: '1' },
  ...{
    framing: '1',
    claims: '1',
    asks: '1',
    cells: '400',
    comments: '200',
    caches: '1000',
    ids: '0',
    memory: '30',
  },
  ...{ calls: '100', diffs: '200', reviews: '50', depths: 'standard', kinds: '3', input: 'none of them' },
  seed: String(seed),
}

test('nothing gets through', async () => {
  process.stdout.write(`red team, seed ${seed}\n`)
  const args = Object.entries(sample).flatMap(([name, value]) => [`--${name}`, value])
  const said: string[] = []
  const failures = await playRedTeam(args, temporaryFolder(), (line) => void said.push(line))
  expect(failures, said.join('\n')).toBe(0)
  expect(said.at(-1)).toBe('\nnothing got through')
})
