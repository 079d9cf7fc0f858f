/** A ticket handed in, end to end, without any model: every criterion is told, with the lines that code can tie to it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Review } from '../../src/index.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'

const ticket = `# Limit uploads

## Acceptance criteria

- [ ] Uploads above \`maxUploadBytes\` are refused
- [ ] Administrators receive a weekly summary
`

async function reviewOffline(config: Record<string, string> = {}): Promise<Review> {
  const repo = createRepo()
  const upload = 'export function upload(file: Blob) {\n  return send(file)\n}\n'
  repo.commit({ ...config, 'src/upload.ts': upload })
  repo.commit({ 'src/upload.ts': `export const maxUploadBytes = 5_000_000\n\n${upload}` })
  const file = join(temporaryFolder(), 'ticket.md')
  writeFileSync(file, ticket)
  const { stdout } = await sightline(
    ['review', 'HEAD', '--repo', repo.path, '--depth', 'offline', '--json', '--quiet', '--ticket', file],
    { env: ownFolders() },
  )
  return JSON.parse(stdout)
}

test('offline, each criterion is covered with lines, or undecidable with a reason', async () => {
  const { criteria, coverage, findings } = await reviewOffline()
  expect(criteria).toMatchObject([
    { ticket: 'file:ticket.md', id: 'AC1', state: 'covered', by: 'code' },
    { ticket: 'file:ticket.md', id: 'AC2', state: 'undecidable', by: 'code', lines: [] },
  ])
  expect(criteria?.[0]?.lines).toEqual([
    { path: 'src/upload.ts', tags: [expect.stringMatching(/^L1#[0-9a-z]{3}$/)] },
  ])
  expect(coverage.planes).toContainEqual({ plane: 'ticket', state: 'ran', reason: null, candidates: 0 })
  expect(findings.filter(({ plane }) => plane === 'ticket')).toEqual([])
})

test('switched off, the plane ties nothing, and the criteria are still told', async () => {
  const { criteria, coverage } = await reviewOffline({ '.sightline.yaml': 'planes:\n  disable: [ticket]\n' })
  expect(criteria?.map(({ state }) => state)).toEqual(['undecidable', 'undecidable'])
  expect(coverage.planes).toContainEqual(
    expect.objectContaining({ plane: 'ticket', state: 'skipped', reason: 'switched off' }),
  )
})
