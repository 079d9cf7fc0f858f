/** Which files of the work tree differ from the index, and which the index does not know. */
import { UserError } from '../../base/errors.ts'
import { gitFailure } from '../../base/git/run.ts'
import { type RawChange, RawListParser, ZeroSplitter } from './diff-output.ts'
import type { WorkTreePlace } from './work-tree-place.ts'

export type WorkTreeChanges = {
  /** Against the index, in its order; one record per path. */
  tracked: RawChange[]
  untracked: string[]
  /** Untracked folders that are repositories of their own; git does not look into them, nor do we. */
  nested: string[]
  /** There were more untracked files than are listed. */
  cut: boolean
}

/** Untracked files read from git before it is stopped. */
const maxUntracked = 200_000
const maxTracked = 2_000_000

export async function listWorkTreeChanges(
  place: WorkTreePlace,
  options: { untracked: boolean },
): Promise<WorkTreeChanges> {
  await refresh(place)
  const tracked = await listTracked(place)
  const others = options.untracked ? await listUntracked(place) : { paths: [], cut: false }
  return {
    tracked,
    untracked: others.paths.filter((path) => !path.endsWith('/')),
    nested: others.paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
    cut: others.cut,
  }
}

/** Files whose times changed but whose content did not are found here, without writing an object. */
async function refresh({ shadow, env, options }: WorkTreePlace): Promise<void> {
  const timeoutMs = 600_000
  await shadow.try([...options, 'update-index', '-q', '--unmerged', '--refresh'], { env, timeoutMs })
}

async function listTracked({ shadow, env, options }: WorkTreePlace): Promise<RawChange[]> {
  const parser = new RawListParser()
  const args = [...options, 'diff-files', '--raw', '-z', '--no-abbrev', '--no-renames', ...submodules]
  const { code, stderr, stopped } = await shadow.stream(
    args,
    (chunk) => {
      parser.push(chunk)
      return parser.changes.length <= maxTracked
    },
    { env },
  )
  if (stopped) throw new UserError('tree-too-large', `more than ${maxTracked} changed files`)
  if (code !== 0) throw gitFailure(args, stderr, code)
  // A conflict has a record `U` with the mode found on disk, and maybe a second record for our side of it.
  return [...new Map(parser.changes.map((change) => [change.path, change])).values()]
}

/** Whether a submodule's own work tree is dirty would take a git process inside it; its HEAD is read as data. */
const submodules = ['--ignore-submodules=dirty']

async function listUntracked({ shadow, env, options }: WorkTreePlace) {
  const paths: string[] = []
  const splitter = new ZeroSplitter((item) => {
    paths.push(item.toString('utf8'))
    return true
  })
  const args = [...options, 'ls-files', '-z', '--others', '--exclude-standard']
  const { code, stderr, stopped } = await shadow.stream(
    args,
    (chunk) => {
      splitter.push(chunk)
      return paths.length <= maxUntracked
    },
    { env },
  )
  if (code !== 0 && !stopped) throw gitFailure(args, stderr, code)
  return { paths: paths.slice(0, maxUntracked), cut: stopped }
}
