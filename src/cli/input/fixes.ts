/** `sightline review --fix`: each suggested fix as a patch, applied when the person at the terminal says so. */
import { count } from '../../base/count.ts'
import { UserError } from '../../base/errors.ts'
import { discoverRepository } from '../../base/git/discover.ts'
import { visibleLine, visibleText } from '../../base/visible-text.ts'
import type { Fixable, Fixes } from '../../index.ts'
import type { Shell } from '../shell.ts'
import type { Terminal } from '../terminal.ts'
import { askYesNo, canAsk, conversationIn } from './ask.ts'

export type FixFlags = { readonly fix?: boolean; readonly yes?: boolean }

/**
 * Asked before any work is done: throws `usage` where there are no files to fix, and where each fix would have to be
 * confirmed by somebody who is not there.
 */
export function requireFixable(
  { yes }: FixFlags,
  what: { readonly folder: string } | { readonly address: string },
  terminal: Terminal,
  shell: Shell,
): void {
  if (!('folder' in what))
    throw new UserError('usage', '--fix changes files, and a pull request has none here: check it out first.')
  if (discoverRepository(what.folder).workTree === null)
    throw new UserError('usage', '--fix changes files, and this repository is bare.')
  if (!yes && (terminal.isJob || !canAsk(shell)))
    throw new UserError(
      'usage',
      '--fix asks before each fix, and that needs a terminal; --fix --yes applies all fixes without asking.',
    )
}

/** Patches and questions go to standard error, so that the result stays what it is. */
export async function offerFixes(
  fixes: Fixes,
  { yes = false, 'no-color': noColor }: FixFlags & { readonly 'no-color': boolean },
  { terminal, shell, signal }: { terminal: Terminal; shell: Shell; signal: AbortSignal },
): Promise<void> {
  const say = (text: string) => terminal.note(`sightline: ${visibleLine(text)}\n`)
  const { findings, workTree } = fixes
  if (findings.length === 0) return say('no finding has a fix that could be applied')
  const isColored = !noColor && terminal.colors('note')
  let applied = 0
  for (const [at, finding] of findings.entries()) {
    if (signal.aborted) break
    const offered = await fixes.offer(finding)
    const title = `fix ${at + 1} of ${findings.length}, ${placeOf(finding)}: ${finding.title}`
    if ('refused' in offered) {
      say(`${title}: not offered, because ${offered.refused}`)
      continue
    }
    say(title)
    terminal.note(patchText(offered.patch, isColored))
    if (!yes && !(await askYesNo('Apply it?', signal, conversationIn(shell)))) continue
    const done = await fixes.apply(finding)
    if ('refused' in done) say(`not applied: ${done.refused}`)
    else applied++
  }
  say(`${applied} of ${count(findings.length, 'fix', 'fixes')} applied`)
  if (fixes.undo !== null) say(`to undo: git -C ${quoted(workTree)} apply --reverse ${quoted(fixes.undo)}`)
}

function placeOf({ suggestion: { path, startLine } }: Fixable): string {
  return `${path}:${startLine}`
}

function patchText(patch: string, isColored: boolean): string {
  const lines = visibleText(patch.replaceAll('\r', '').replace(/\n$/, '')).split('\n')
  return `${lines.map((line) => (isColored ? painted(line) : line)).join('\n')}\n`
}

function painted(line: string): string {
  const color = line.startsWith('+') ? 32 : line.startsWith('-') ? 31 : line.startsWith('@@') ? 36 : null
  return color === null ? line : `\u001b[${color}m${line}\u001b[39m`
}

/** For a shell, where the path needs it. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
