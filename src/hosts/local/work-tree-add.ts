/** Lets git hash files of the work tree into the shadow, and finds the ones it refuses. */
import { UserError } from '../../base/errors.ts'
import type { WorkTreePlace } from './work-tree-place.ts'

type Refusal = { path: string; reason: string }

/** Refusals after which the rest is given up: each costs a row of git runs to find. */
const maxRefusals = 100

/**
 * Adds, updates or removes the given paths in the private index. One bad file makes git refuse the whole list,
 * so a refused list is halved until the bad files stand alone; they keep the index's version and are named.
 */
export async function addFiles(place: WorkTreePlace, paths: readonly string[]): Promise<Refusal[]> {
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
