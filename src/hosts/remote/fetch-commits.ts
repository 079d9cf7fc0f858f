/**
 * Fetches what a review reads of a change request into a git directory of our own, without a clone: every file of the two
 * compared trees up to the largest size that is reviewed, and commits without files for the history. A mirror keeps both
 * for the next review, apart, so that git can say for each what is there already. The token is given to the
 * fetching processes alone, by their environment; it is in no argument, address, file or record.
 */
import { appendFileSync, copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { type GitPlace, tryGit } from '../../base/git/run.ts'
import { gitVersion } from '../../base/git/version.ts'
import { linkPacks, type Mirror, type MirroredRepository, type Mirrors, makeOnlyMirror } from './mirror.ts'
import { commitsHere, type Fetching, fetchCommitsInto, isFetched, prepareGit, tidyGit } from './remote-git.ts'

export type FetchedCommits = {
  /** A bare repository: shallow, with a promise of the objects that were not fetched. */
  folder: string
  /** The commit where the head left the base. */
  mergeBase: string
  limits: string[]
  remove(): Promise<void>
}

type Wanted = Fetching & {
  base: string
  mergeBase: string | null
  /** Larger files are left out. */
  fileBytes: number
  repository: MirroredRepository
  /** Null keeps nothing for the next review. */
  mirrors: Mirrors | null
}

/** Commits of history; more are fetched only to find where a branch began. */
const historyDepths = ['--depth=500', '--depth=10000', '--unshallow'] as const
/** Throws `head-moved` when the host has other commits by now, `no-merge-base`, `git-failed`, and as the signal says. */
export async function fetchCommits(wanted: Wanted): Promise<FetchedCommits> {
  await gitVersion()
  const { mirror, limits } = await takeMirror(wanted)
  try {
    const wasUsed = readdirSync(mirror.folder).length > 0
    const fetched = await fetchInto(mirror, wanted).catch(async (error: unknown) => {
      wanted.signal.throwIfAborted()
      const mayBeDamage = wasUsed && error instanceof UserError && error.code === 'git-failed'
      if (!mayBeDamage) throw error
      return await mirror.startOver(() => fetchInto(mirror, wanted))
    })
    return { ...fetched, limits: [...limits, ...fetched.limits] }
  } finally {
    await mirror.release()
  }
}

/** Where none can be kept, everything is fetched for this review alone. */
async function takeMirror({
  mirrors,
  repository,
  signal,
}: Wanted): Promise<{ mirror: Mirror; limits: string[] }> {
  try {
    return { mirror: (await mirrors?.take(repository, signal)) ?? (await makeOnlyMirror()), limits: [] }
  } catch (error) {
    signal.throwIfAborted()
    const limit = `what was fetched could not be kept for the next review: ${(error as Error).message}`
    return { mirror: await makeOnlyMirror(), limits: [limit] }
  }
}

async function fetchInto(mirror: Mirror, wanted: Wanted): Promise<FetchedCommits> {
  const history = prepareGit(mirror.folder, 'history', wanted)
  const files = prepareGit(mirror.folder, `files-${wanted.fileBytes}`, wanted)
  const known = wanted.mergeBase
  const early = known === null ? null : fetchFiles(files, wanted, known)
  // It is awaited only after the other one, which may fail first.
  early?.catch(() => {})
  const read = await fetchHistory(history, wanted).catch((error: unknown) => {
    wanted.signal.throwIfAborted()
    if (known === null) throw error
    return error as Error
  })
  const mergeBase = known ?? (await findMergeBase(history, wanted))
  const hadFiles = await (early ?? fetchFiles(files, wanted, mergeBase))
  // Commits that are here already say nothing of the right to read them now.
  if (hadFiles && read === true) await fetchCommitsInto(files, wanted, fileOptions(wanted), [wanted.head])
  for (const place of [history, files]) await tidyGit(place, wanted.signal)
  const hasHistory = !(read instanceof Error)
  return {
    ...(await layOut(mirror, hasHistory ? [history, files] : [files], mergeBase, wanted)),
    mergeBase,
    limits: hasHistory ? [] : [`the history could not be fetched: ${read.message}`],
  }
}

/** True when nothing had to be fetched. */
async function fetchHistory(place: GitPlace, wanted: Wanted): Promise<boolean> {
  const both = [wanted.head, wanted.base]
  if (await isFetched(place, both, wanted.signal)) return true
  await fetchCommitsInto(place, wanted, [historyDepths[0], '--filter=blob:none'], both)
  return false
}

/** True when nothing had to be fetched. */
async function fetchFiles(place: GitPlace, wanted: Wanted, mergeBase: string): Promise<boolean> {
  const both = [wanted.head, mergeBase]
  if (await isFetched(place, both, wanted.signal)) return true
  await fetchCommitsInto(place, wanted, fileOptions(wanted), both)
  return false
}

function fileOptions({ fileBytes }: Wanted): string[] {
  return ['--depth=1', `--filter=blob:limit=${fileBytes + 1}`]
}

/** Fetches more of the history until both sides meet. */
async function findMergeBase(place: GitPlace, wanted: Wanted): Promise<string> {
  const { head, base, signal } = wanted
  for (const [at, depth] of historyDepths.entries()) {
    if (at > 0) await fetchCommitsInto(place, wanted, [depth, '--filter=blob:none'], [head, base])
    const { code, stdout } = await tryGit(place, ['merge-base', head, base], { signal })
    if (code === 0) return stdout.toString('latin1').trim()
    if (!readdirSync(place.gitDir).includes('shallow')) break
  }
  throw new UserError('no-merge-base', `${head.slice(0, 12)} and ${base.slice(0, 12)}`)
}

/**
 * A git directory with the packs of the others, which reads alike whatever else the mirror holds. A merge base below the
 * fetched history is where it ends.
 */
async function layOut(
  mirror: Mirror,
  [first, ...others]: readonly [GitPlace, ...GitPlace[]],
  mergeBase: string,
  { head, base, origin, signal }: Wanted,
): Promise<Pick<FetchedCommits, 'folder' | 'remove'>> {
  const view = await mirror.makeView()
  try {
    const place = prepareGit(view.path, 'view', { origin, head, signal })
    for (const { gitDir } of [first, ...others]) linkPacks(gitDir, place.gitDir)
    const shallow = join(first.gitDir, 'shallow')
    if (existsSync(shallow)) copyFileSync(shallow, join(place.gitDir, 'shallow'))
    const inHistory = await commitsHere(first, [mergeBase], signal)
    if (inHistory.length === 0) appendFileSync(join(place.gitDir, 'shallow'), `${mergeBase}\n`)
    for (const commit of await commitsHere(place, [head, base], signal))
      writeFileSync(join(place.gitDir, 'refs/sightline', commit), `${commit}\n`)
    return { folder: place.gitDir, remove: () => view.remove() }
  } catch (error) {
    await view.remove()
    throw error
  }
}
