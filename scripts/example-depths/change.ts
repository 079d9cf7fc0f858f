/** Which change docs/depths-by-example.md reviews, and what was asked for. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Lets a caller override how a review is shown, and tells when a run ends. */
export const reviewed = 'cd2c8854f904c63858eb03cb1c91f65e314dae14'

/** Half an hour later: lists planes switched off on the command line, which the change above forgot. */
export const mended = 'eae517c6d8af581b03b0784d0f265c9e20f08ff7'

/** For depth deep; written for the page, too. */
export const ticket = `# Settings of one run

- [ ] \`--min-severity\` wins over the configuration
- [ ] Every run reports its end with an event, even if it fails
- [ ] A review takes no longer than before
`

/** Why the change cannot be reviewed here, or null. */
export function missingHistory(): string | null {
  const git = (...args: string[]) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })
  if (git('rev-parse', '--is-shallow-repository').stdout.trim() !== 'false')
    return 'this is not a whole clone of the repository'
  for (const commit of [reviewed, mended])
    if (git('merge-base', '--is-ancestor', commit, 'HEAD').status !== 0)
      return `commit ${commit.slice(0, 7)} is not in the history of this clone`
  return null
}
