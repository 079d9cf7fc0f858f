/** Claims that the content of one line decides: `line-contains`, `rule-matches`, `missing-path`, `type-mismatch`. */
import { fileNameOf } from '../../../base/file-paths.ts'
import { trimTrailing } from '../../../base/trim-text.ts'
import type { ChangeSet, Side } from '../../../domain/change-set.ts'
import { lineIndexOf } from '../../../domain/diff-lines.ts'
import { errorsOn, existedBefore, wouldReport } from '../checker/line-errors.ts'
import { type ClaimCheck, confirmed, refuted, unverifiable } from '../contract.ts'
import type { Sources } from '../sources.ts'

/** `line-contains`: the line holds exactly this text somewhere in it. */
export const checkLineContains: ClaimCheck<'line-contains'> = async (
  { side, text, path, line },
  { sources },
) => {
  const when = side === 'new' ? 'after' : 'before'
  if (text === '') return refuted('It says nothing of what the line holds')
  const actual = (await sources.lines(side, path))?.[line - 1] ?? lineOfDiff(sources.change, side, path, line)
  if (actual === undefined) return refuted(`\`${path}\` has no readable line ${line} ${when} the change`)
  return actual.includes(text)
    ? confirmed('the text of the line')
    : refuted(`\`${path}:${line}\` does not hold the quoted text ${when} the change`)
}

/** The diff shows lines of files that are too large to be read whole. */
function lineOfDiff(change: ChangeSet, side: Side, path: string, line: number): string | undefined {
  const file = change.files.find((one) => one.path === path || (side === 'old' && one.oldPath === path))
  return file && lineIndexOf(file).at(side, line)?.line.text
}

/**
 * `rule-matches`: a rule matches on the line, and did not before. The rule engine ran already; this check compares text:
 * the line must be new in this change, not one that was only moved or re-indented.
 */
export const checkRuleMatches: ClaimCheck<'rule-matches'> = async ({ path, line }, { sources }) => {
  const actual = (await sources.lines('new', path))?.[line - 1]
  if (actual === undefined) return refuted(`\`${path}\` has no readable line ${line} after the change`)
  const file = sources.change.files.find((one) => one.path === path)
  const index = file && lineIndexOf(file)
  if (index?.at('new', line)?.line.kind !== 'added')
    return unverifiable(`\`${path}:${line}\` existed before; only code next to it changed`)
  if (index.removed(actual.trim()))
    return unverifiable(`The text of \`${path}:${line}\` was elsewhere in the file before`)
  return confirmed('the text: the line is new in this change')
}

/** `missing-path`: the line refers to a path that does not exist after the change. */
export const checkMissingPath: ClaimCheck<'missing-path'> = async (
  { target, path, line },
  { sources, unread },
) => {
  const text = (await sources.lines('new', path))?.[line - 1]
  if (text === undefined) return refuted(`\`${path}\` has no line ${line} after the change`)
  const wanted = trimTrailing(target.replace(/^\.\//, ''), '/')
  if (!namesOf(wanted).some((name) => text.includes(name)))
    return refuted(`\`${path}:${line}\` does not name \`${target}\``)
  if (unread.has(wanted)) return refuted(`\`${target}\` exists; it was only too large to read`)
  const paths = await sources.headPaths()
  if (paths.has(wanted)) return refuted(`\`${target}\` exists after the change`)
  const inside = `${wanted}/`
  for (const existing of paths) {
    if (existing.startsWith(inside)) return refuted(`\`${target}\` is a folder that exists after the change`)
    if (wanted.startsWith(`${existing}/`)) return unverifiable(`\`${existing}\` is a submodule or a link`)
  }
  const written = writtenOtherwise(wanted).find((other) => paths.has(other))
  if (written !== undefined) return refuted(`\`${written}\` exists, which \`${target}\` may be written for`)
  return (await isAliased(path, line, sources))
    ? unverifiable(`\`${path}:${line}\` imports by a name that settings or packages may resolve`)
    : confirmed('the tree')
}

/** What a reference to the path may call it: its stem, or, as with index files and Go's packages, its folder. */
function namesOf(path: string): string[] {
  const [file = '', folder = ''] = path.split('/').reverse()
  const stem = file.replace(/(?:\.d)?\.[^.]*$/, '') || file
  const isForFolder = /^(?:index|__init__|mod|lib|main)$/.test(stem) || /\.(?:go|java)$/.test(file)
  return [stem, ...(isForFolder ? [folder] : [])].filter((name) => name !== '')
}

/** References may leave out the ending, or name the file that is built: `./parse` and `./parse.js` are `parse.ts`. */
function writtenOtherwise(path: string): string[] {
  const endings = [
    '.ts',
    '.tsx',
    '.mts',
    '.cts',
    '.js',
    '.jsx',
    '.mjs',
    '.cjs',
    '.json',
    '.vue',
    '.py',
    '.pyi',
    '.rb',
    '.md',
  ]
  const built = /\.[cm]?jsx?$/.test(path) ? path.replace(/\.[cm]?jsx?$/, '') : null
  const file = fileNameOf(path)
  const stems = [...(built === null ? [] : [built]), ...(file.includes('.') ? [] : [path])]
  return stems.flatMap((stem) => endings.map((ending) => stem + ending))
}

/** An import that is not relative can be an alias of a build, or of a package. */
async function isAliased(path: string, line: number, sources: Sources): Promise<boolean> {
  const facts = await sources.facts('new', path)
  return facts?.imports.some((fact) => fact.line === line && /^[^./]/.test(fact.source)) === true
}

/** An error of the same statement may be reported a few lines away. */
const nearLines = 3

/** `type-mismatch`: checked by the checker at hand, whichever one the claim names. */
export const checkTypeMismatch: ClaimCheck<'type-mismatch'> = async (
  { path, line, checker: named },
  { sources, checker },
) => {
  if ((await sources.lines('new', path))?.[line - 1] === undefined)
    return refuted(`\`${path}\` has no line ${line} after the change`)
  const report = checker ? await checker.problems('new', path) : null
  if (!checker || !report) return unverifiable(`It is based on \`${named}\` alone`)
  const context = { checker, sources }
  const { by } = report
  const errors = errorsOn(report, line)
  for (const error of errors) if (!(await existedBefore(context, error))) return confirmed(by)
  if (errors.length > 0)
    return { ...confirmed(`${by}, which said the same before the change`), preExisting: true }
  if (errorsOn(report, line - nearLines, line + nearLines).length > 0)
    return unverifiable(`${by} finds no error in this line, but one close by`)
  if (report.checksTypes && (await wouldReport(context, path, line)))
    return refuted(`${by} finds no error at \`${path}:${line}\``)
  return unverifiable(`${by} finds no error there, and does not know every type on that line`)
}
