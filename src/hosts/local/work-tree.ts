/**
 * Turns index and work tree into trees of the shadow. Git works on a private copy of the index with our own
 * configuration: no filter, hook or file system monitor of the repository exists for it.
 */
import { UserError } from '../../base/errors.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { ZeroSplitter } from './diff-output.ts'
import { listWorkTreeChanges } from './work-tree-changes.ts'
import { sortFiles } from './work-tree-files.ts'
import { copyPrivateIndex, prepareWorkTree, type WorkTreePlace } from './work-tree-place.ts'

export type WorkTreeLimits = { changedFiles: number }

export type WorkTreeResult = {
  tree: string
  limits: string[]
  unread: { path: string; reason: string }[]
}

/**
 * The tree of the work tree: tracked files as they are on disk, conflicts as they are on disk,
 * and untracked files unless `untracked` is false. What cannot or should not be read keeps the index's version and
 * is named. Throws `usage` for a bare repository.
 */
export async function workTreeTree(
  shadow: Shadow,
  limits: WorkTreeLimits,
  options: { untracked: boolean },
): Promise<WorkTreeResult> {
  const place = prepareWorkTree(shadow, copyPrivateIndex(shadow))
  const changes = await listWorkTreeChanges(place, options)
  const sorted = await sortFiles(place, changes, limits)
  if (sorted.indexInfo !== '')
    await shadow.run(['update-index', '-z', '--index-info'], { env: place.env, input: sorted.indexInfo })
  const refused = await addFiles(place, sorted.files)
  const tree = await writeTree(shadow, place.env)
  const unread = [...sorted.unread, ...refused].sort((a, b) => (a.path < b.path ? -1 : 1))
  return { tree, limits: sorted.limits, unread }
}

/**
 * The tree of the index. Files added only by intent are no part of it. `refuse` throws `unmerged-index` when
 * there are conflicts; `ours` takes our side of each.
 */
export async function indexTree(shadow: Shadow, options: { conflicts: 'refuse' | 'ours' }): Promise<string> {
  const { env } = prepareWorkTree(shadow, copyPrivateIndex(shadow))
  const conflicts = await unmergedEntries(shadow, env)
  const paths = [...new Set(conflicts.map(({ path }) => path))]
  if (paths.length > 0 && options.conflicts === 'refuse')
    throw new UserError('unmerged-index', paths.slice(0, 5).join(', '))
  const none = '0'.repeat(shadow.emptyTree.length)
  const gone = paths.map((path) => `0 ${none}\t${path}\0`)
  const ours = conflicts.filter(({ stage }) => stage === '2').map(({ info, path }) => `${info}\t${path}\0`)
  if (paths.length > 0)
    await shadow.run(['update-index', '-z', '--index-info'], { env, input: [...gone, ...ours].join('') })
  return writeTree(shadow, env)
}

type Unmerged = { info: string; stage: string; path: string }

/** `ls-files -u -z`: `MODE ID STAGE<TAB>path`. */
async function unmergedEntries(shadow: Shadow, env: Record<string, string>): Promise<Unmerged[]> {
  const found: Unmerged[] = []
  const splitter = new ZeroSplitter((item) => {
    const tab = item.indexOf(0x09)
    const [mode = '', id = '', stage = ''] = item.toString('latin1', 0, tab).split(' ')
    found.push({ info: `${mode} ${id}`, stage, path: item.toString('utf8', tab + 1) })
  })
  splitter.push(await shadow.run(['ls-files', '-u', '-z'], { env }))
  return found
}

/** Objects of a partial clone may be missing; their ids are all that a tree needs. */
async function writeTree(shadow: Shadow, env: Record<string, string>): Promise<string> {
  return (await shadow.run(['write-tree', '--missing-ok'], { env })).toString('latin1').trim()
}

type Refusal = { path: string; reason: string }

/** Refusals after which the rest is given up: each costs a row of git runs to find. */
const maxRefusals = 100

/**
 * Adds, updates or removes the given paths in the private index. One bad file makes git refuse the whole list,
 * so a refused list is halved until each bad file is alone; they keep the index's version and are named.
 */
async function addFiles(place: WorkTreePlace, paths: readonly string[]): Promise<Refusal[]> {
  const refusals: Refusal[] = []
  const waiting: (readonly string[])[] = [paths]
  for (let list = waiting.pop(); list !== undefined; list = waiting.pop()) {
    if (list.length === 0) continue
    const words = await tryAdd(place, list)
    if (words === null) continue
    if (list.length === 1) refusals.push({ path: list[0] ?? '', reason: `git cannot read it: ${words}` })
    else waiting.push(list.slice(list.length / 2), list.slice(0, list.length / 2))
    if (refusals.length > maxRefusals) throw new UserError('git-failed', words)
  }
  return refusals
}

/** Null when git took them all, else its words; the index is then as it was. */
async function tryAdd(
  { shadow, env, options }: WorkTreePlace,
  paths: readonly string[],
): Promise<string | null> {
  const input = paths.map((path) => `${path}\0`).join('')
  const args = [...options, 'update-index', '--add', '--remove', '--replace', '-z', '--stdin']
  const { code, stderr } = await shadow.try(args, { env, input, timeoutMs: 600_000 })
  return code === 0 ? null : stderr
}
