/** A bracket that the change opens and does not close, or the other way round, so that a file that parsed does so no longer. */
import { isTestMaterialPath } from '../../../base/file-paths.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import { type ChangeSet, type DiffLine, type FileChange, pathOn } from '../../../domain/change-set.ts'
import type { Misuse } from './misuse.ts'

const pairs = ['{}', '()', '[]'] as const
type Pair = (typeof pairs)[number]

/**
 * Both have to say so: the grammar, which had less trouble with the file before, and the count of brackets, which were as many as each
 * other before and are not now. Either alone is wrong of real code: grammars lag behind their languages, and brackets stand in texts. Both
 * are our own reading, so it is likely at most.
 */
export async function lostBrackets(
  change: ChangeSet,
  { base, head }: { base: World; head: World },
  isForeign: (path: string) => boolean,
): Promise<Misuse[]> {
  const found: Misuse[] = []
  for (const file of change.files) {
    if (file.hunks.length === 0 || file.oldBlob === null || file.newBlob === null) continue
    if (isForeign(file.path) || isTestMaterialPath(file.path)) continue
    const misuse = await lostBracket(file, base, head)
    if (misuse) found.push(misuse)
  }
  return found
}

async function lostBracket(file: FileChange, base: World, head: World): Promise<Misuse | null> {
  const changed = changedLinesOf(file.hunks)
  const uneven = pairs.filter((one) => surplusOf(changed, one) !== 0)
  if (uneven.length === 0) return null
  const oldPath = pathOn('old', file)
  const [before, after] = [await base.facts(oldPath), await head.facts(file.path)]
  if (!before || !after || after.errorLines.length <= before.errorLines.length) return null
  const [oldText, text] = [await base.text(oldPath), await head.text(file.path)]
  const pair = uneven.find((one) => oldText !== null && surplusIn(oldText, one) === 0)
  if (!pair || text === null) return null
  const place = placeOf(file, pair)
  if (!place) return null
  const [opened, closed] = pair
  const isOpen = surplusIn(text, pair) > 0
  const isRemoved = place.kind === 'removed'
  const line = (isRemoved ? place.old : place.new) ?? 1
  return {
    rule: 'new-code/lost-bracket',
    certain: false,
    title: isOpen ? `\`${opened}\` is no longer closed` : `\`${closed}\` closes nothing any more`,
    explanation: `Before the change the file had as many \`${closed}\` as \`${opened}\`. Now it has ${isOpen ? 'fewer' : 'more'}, and the grammar fails on more of it.`,
    remedy: isOpen ? `Close it with \`${closed}\`.` : `Remove the \`${closed}\`, or open it.`,
    wrongIf: 'the other bracket comes from a macro or a template',
    file,
    ...(isRemoved ? { side: 'old' } : {}),
    ...{ line, endLine: line, shown: [] },
    claims: [
      {
        ...{ kind: 'line-contains', side: isRemoved ? 'old' : 'new', text: place.text.trim() },
        ...{ path: isRemoved ? oldPath : file.path, line },
      },
    ],
  }
}

function changedLinesOf(hunks: FileChange['hunks']): DiffLine[] {
  return hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context'))
}

/** How many more are opened than closed in what the change adds, less those in what it removes. */
function surplusOf(lines: readonly DiffLine[], pair: Pair): number {
  return lines.reduce(
    (sum, { kind, text }) => sum + (kind === 'added' ? surplusIn(text, pair) : -surplusIn(text, pair)),
    0,
  )
}

/** A text, or a character: `'{'`. What is longer between apostrophes is a text in some languages and none in others. */
const quoted = /"(?:[^"\\\n]|\\.){0,1000}"|'(?:[^'\\\n]|\\.)'/g

function surplusIn(text: string, [opened, closed]: Pair): number {
  let surplus = 0
  for (const one of text.replace(quoted, '')) surplus += one === opened ? 1 : one === closed ? -1 : 0
  return surplus
}

/** In the first hunk that is not even: the added line that is not, or else the removed one. */
function placeOf({ hunks }: FileChange, pair: Pair): DiffLine | null {
  const changed = hunks.map((hunk) => changedLinesOf([hunk])).find((lines) => surplusOf(lines, pair) !== 0)
  const uneven = changed?.filter(({ text }) => surplusIn(text, pair) !== 0) ?? []
  return uneven.find(({ kind }) => kind === 'added') ?? uneven[0] ?? null
}
