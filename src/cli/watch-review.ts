/** `sightline review --watch`: the same review again whenever what it is about changes, until Ctrl-C. */
import { dirname, join } from 'node:path'
import { exitCodes, UserError } from '../base/errors.ts'
import { discoverRepository } from '../base/git/discover.ts'
import { watchFolders } from '../base/watch-folders.ts'
import type { ChangeSelector, Services } from '../index.ts'
import { describeFailure, printFailure } from './failure.ts'
import type { ReviewRun } from './run-review.ts'
import { servicesIn } from './shell.ts'

export type WatchedChange = { readonly folder: string; readonly selector: ChangeSelector }

/** Those that follow the work tree, the index or the branch. */
const watchable: ReadonlySet<ChangeSelector['kind']> = new Set([
  'auto',
  'uncommitted',
  'staged',
  'unstaged',
  'base',
])

/** Throws what the first review throws; later, a change that cannot be reviewed is reported and awaited. */
export async function watchReview(
  what: WatchedChange,
  { terminal, shell, signal }: Pick<ReviewRun, 'terminal' | 'shell' | 'signal'>,
  noCache: boolean,
  /** With the shell it was given: its parsers stay warm, and no pager waits for a key. */
  review: (shell: ReviewRun['shell']) => Promise<number>,
): Promise<number> {
  const { workTree, gitDir } = discoverRepository(what.folder)
  if (workTree === null || !watchable.has(what.selector.kind))
    throw new UserError(
      'usage',
      '--watch follows files: it needs a work tree, and no range, commit or patch.',
    )
  const { createFactStore, defaultCacheFolder, openServices } = await import('../index.ts')
  const cacheFolder = noCache ? null : defaultCacheFolder(shell.environment)
  const facts = createFactStore({ cacheFolder, signal })
  const services = await openServices({ ...servicesIn({ ...shell, facts }), cacheFolder, signal })
  const watcher = watchFolders((words) => terminal.note(`sightline: ${words}\n`))
  let seen: string | null = null
  try {
    while (!signal.aborted) {
      try {
        let state = await readState(what, services)
        // What changed before its folder was watched is read again.
        while (watcher.cover([gitDir, ...state.folders.map((folder) => join(workTree, folder))]))
          state = await readState(what, services)
        if (state.identity !== seen) {
          await review({ ...shell, facts, environment: { ...shell.environment, NO_PAGER: '1' } })
          seen = state.identity
          terminal.note(`sightline: ${clock(services.now())}, waiting for changes; Ctrl-C ends\n`)
        }
      } catch (error) {
        if (signal.aborted) break
        if (seen === null) throw error
        await printFailure(describeFailure(error, false), [], terminal)
      }
      await watcher.next(signal)
    }
    return exitCodes.clean
  } finally {
    watcher.close()
    await services.close()
    await facts.close()
  }
}

/** `identity`: which two trees would be compared now. `folders`: those with files that are not ignored, from the root. */
async function readState(
  { folder, selector }: WatchedChange,
  services: Services,
): Promise<{ identity: string; folders: string[] }> {
  const { collect, localSource } = await import('../index.ts')
  const { borrowFrom } = services.settings.repositories
  const change = await collect(localSource({ folder, selector, borrowFrom }), services, { depth: 'offline' })
  try {
    const { base, head } = change.request
    const folders = new Set((await change.head.list()).map(({ path }) => dirname(path)))
    return { identity: `${base.tree} ${head.tree}`, folders: ['.', ...folders] }
  } finally {
    await change.close()
  }
}

function clock(now: Date): string {
  return now.toTimeString().slice(0, 8)
}
