/** A bracket that the change opens and does not close, or the other way round, so that a file that parsed does so no longer. */
import { isTestMaterialPath } from '../../../base/file-paths.ts'
import { quietRanges } from '../../../code-index/lexical/code-tokens.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import { type ChangeSet, type DiffLine, type FileChange, pathOn } from '../../../domain/change-set.ts'
import type { Misuse } from './misuse.ts'

const pairs = ['{}', '()', '[]'] as const
type Pair = (typeof pairs)[number]

/**
 * Both have to say so: the grammar, which had less trouble with the file before, and the count of brackets, which were as many as each
 * other before and are not now, those in comments and texts left out. Either alone is wrong of real code: grammars lag behind their
 * languages, and brackets stand in texts. Both are our own reading, so it is likely at most.
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
  const oldPath = pathOn('old', file)
  const [before, after] = [await base.facts(oldPath), await head.facts(file.path)]
  if (!before || !after || after.errorLines.length <= before.errorLines.length) return null
  const [oldText, text] = [await base.text(oldPath), await head.text(file.path)]
  if (oldText === null || text === null) return null
  const [was, is] = [codeOf(oldText, before.language), codeOf(text, after.language)]
  const pair = pairs.find((one) => surplusIn(was, one) === 0 && surplusIn(is, one) !== 0)
  const place = pair && placeOf(file, pair, was.split('\n'), is.split('\n'))
  if (!pair || !place) return null
  const [opened, closed] = pair
  const isOpen = surplusIn(is, pair) > 0
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

/** A text, or a character: `'{'`. What is longer between apostrophes is a text in some languages and none in others. */
const quoted = /"(?:[^"\\\n]|\\.){0,1000}"|'(?:[^'\\\n]|\\.)'/g

/** With a preprocessor, of whose branches one is compiled. */
const branching = /^(?:c|cpp|csharp|swift)$/
const directive = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|elseif|else|endif)\b/

/** Only one branch is compiled, and each may close what was opened above them all: the first one is read. */
function firstBranches(code: string): string {
  const isLeftOut: boolean[] = []
  return code
    .split('\n')
    .map((line) => {
      const word = directive.exec(line)?.[1]
      if (word === 'endif') isLeftOut.pop()
      else if (word?.startsWith('if')) isLeftOut.push(false)
      else if (word !== undefined && isLeftOut.length > 0) isLeftOut.splice(-1, 1, true)
      return isLeftOut.includes(true) ? '' : line
    })
    .join('\n')
}

/** The text with its lines, without its comments, without the strings that are on one line, and without branches of a choice. */
function codeOf(text: string, language: string): string {
  let code = ''
  let from = 0
  for (const { kind, start, end } of quietRanges(text, language)) {
    if (kind !== 'comment') continue
    code += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    from = end
  }
  const bare = (code + text.slice(from)).replace(quoted, (found) => ' '.repeat(found.length))
  return branching.test(language) ? firstBranches(bare) : bare
}

function surplusIn(code: string, [opened, closed]: Pair): number {
  let surplus = 0
  for (const one of code) surplus += one === opened ? 1 : one === closed ? -1 : 0
  return surplus
}

/** In the first hunk that is not even: the added line that is not, or else the removed one. */
function placeOf(
  { hunks }: FileChange,
  pair: Pair,
  was: readonly string[],
  is: readonly string[],
): DiffLine | null {
  const surplusOf = ({ kind, old, new: now }: DiffLine) =>
    kind === 'added' ? surplusIn(is[(now ?? 0) - 1] ?? '', pair) : -surplusIn(was[(old ?? 0) - 1] ?? '', pair)
  const changed = hunks
    .map(({ lines }) => lines.filter(({ kind }) => kind !== 'context'))
    .find((lines) => lines.reduce((sum, line) => sum + surplusOf(line), 0) !== 0)
  const uneven = changed?.filter((line) => surplusOf(line) !== 0) ?? []
  return uneven.find(({ kind }) => kind === 'added') ?? uneven[0] ?? null
}
