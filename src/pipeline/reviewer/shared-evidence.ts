/**
 * What retrievals brought into the bundle, for each question of a change that is asked about in several: what has to do with the files
 * of the question, by the names that its title has, or by its file. What has to do with none of them is shown to all.
 */
import { takeWithin } from '../../agent/evidence-views.ts'
import type { FileChange } from '../../domain/change-set.ts'
import type { Evidence } from '../../domain/evidence.ts'

type Shared = {
  /** In the order of the groups. */
  shown: Evidence[][]
  /** How many pieces are in no question. */
  left: number
}

/** `all` in the order of its rank; each group is shown as much as fits. */
export function sharedEvidence(
  groups: readonly (readonly FileChange[])[],
  all: readonly Evidence[],
  maxBytes: number,
): Shared {
  const signs = groups.map(signsOf)
  const about = new Map(
    all.map((item) => {
      const names = namesOf(item)
      return [item, signs.map((sign) => names.some((name) => sign.has(name)))]
    }),
  )
  const shown = groups.map((_, group) => {
    const own = all.filter((item) => {
      const related = about.get(item) ?? []
      return related[group] === true || !related.includes(true)
    })
    return takeWithin(own, maxBytes).taken
  })
  const taken = new Set(shown.flat())
  return { shown, left: all.filter((item) => !taken.has(item)).length }
}

const name = /[\p{L}_$][\p{L}\p{N}_$]{3,}/gu

/** Paths of a group, and the names in its hunks. */
function signsOf(files: readonly FileChange[]): ReadonlySet<string> {
  const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text)))
  return new Set([...files.map(({ path }) => path), ...lines.flatMap((line) => line.match(name) ?? [])])
}

/** Of the title, without the words of ours; its path, and the name of its file without an ending, as imports have it. */
function namesOf({ title, path }: Evidence): string[] {
  const titled = (title.match(name) ?? []).filter((word) => !ours.has(word))
  if (path === null) return titled
  const stem = path.split('/').at(-1)?.split('.')[0] ?? ''
  return [...titled, path, ...(stem.length > 3 && !unspecific.has(stem) ? [stem] : [])]
}

/** Names of files that say nothing of what is in them. */
const unspecific: ReadonlySet<string> = new Set(['index', 'main', 'types', 'utils', 'helpers', 'constants'])

/** In the titles that retrievals give, and in the calls of tools. */
const ours: ReadonlySet<string> = new Set(
  'used user uses that test tests change changed with words which names defines definition definitions code before after around line lines struct class function method interface type calls reads writes removed renamed leaves parts search_code grep read_file list_dir find_definition find_references find_callers outline_symbols get_file_history case_sensitive false true null path glob query regex side head base symbol line_start line_end depth'.split(
    ' ',
  ),
)
