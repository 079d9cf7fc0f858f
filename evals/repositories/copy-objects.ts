/** Copies what two commits reach out of a mirror that lacks some objects, which git itself would refuse to fetch from. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GitOptions, runGit } from '../base/git.ts'

const mostBytes = 1024 * 1024 * 1024

/** `history` commits counted from the two together. What is missing is left out; the review says what it could not read. */
export async function copyObjects(
  mirror: string,
  to: string,
  commits: { base: string; head: string },
  history: number,
  options: GitOptions,
): Promise<void> {
  const ends = [commits.head, commits.base]
  const count = history > 0 ? [`--max-count=${history}`] : []
  const walk = ['rev-list', '--missing=allow-any', ...count]
  const listing = await runGit(mirror, [...walk, '--parents', ...ends], { ...options, maxBytes: mostBytes })
  const log = listing
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
  const known = new Set(log.map(([commit]) => commit))
  for (const end of ends) if (!known.has(end)) log.push([end, '-'])
  const listed = await runGit(mirror, [...walk, '--objects', '--no-object-names', ...ends], {
    ...options,
    maxBytes: mostBytes,
  })
  const unseen = ends.filter((end) => !known.has(end))
  const more = await Promise.all(
    unseen.map((end) =>
      runGit(
        mirror,
        ['rev-list', '--missing=allow-any', '--objects', '--no-object-names', '--max-count=1', end],
        {
          ...options,
          maxBytes: mostBytes,
        },
      ),
    ),
  )
  const cut = log.filter(([, ...parents]) => parents.some((parent) => !known.has(parent)))
  if (cut.length > 0) writeFileSync(join(to, 'shallow'), cut.map(([commit]) => `${commit}\n`).join(''))
  const pack = join(to, 'objects', 'pack', 'pack')
  await runGit(mirror, ['pack-objects', '--quiet', pack], {
    ...options,
    input: Buffer.concat([listed, ...more]),
  })
  for (const name of ['base', 'head'] as const)
    await runGit(to, ['update-ref', `refs/heads/${name}`, commits[name]], options)
}
