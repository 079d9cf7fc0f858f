/** `sightline dismiss`: a person decides that a finding shall not come back, and says why. */
import { userInfo } from 'node:os'
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { Decision } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { choice, flag, list, text } from '../input/options.ts'
import { pathIn, type Shell } from '../shell.ts'
import { shortId } from './findings.ts'

export const dismiss = defineCommand({
  name: 'dismiss',
  summary: 'Dismiss a finding: it does not come back until its code changes.',
  operand: 'ID',
  options: {
    because: text('TEXT', 'Reason; it is kept and shown. Required, except with --all.'),
    as: choice(['wrong', 'unimportant', 'accepted'], 'What the finding was. Default: wrong.'),
    file: flag('Dismiss all findings of the same rule in the same file.'),
    rule: flag('Dismiss all findings of the same rule in the paths of --paths.'),
    paths: list('GLOB', 'With --rule: paths that the dismissal covers. Default: all.'),
    all: flag('Dismiss all open findings, so that reviews show only new ones.'),
    undo: flag('Take a dismissal back.'),
    repo: repositoryOption,
    in: text('NAME', 'Finding of a pull request, such as github.com/owner/repo.'),
  },
  examples: [
    'sightline dismiss 3fa94c01 --because "the caller checks it"',
    'sightline dismiss 3fa94c01 --rule --paths "test/**" --because "not for tests"',
    'sightline dismiss 3fa94c01 --undo --because "it was right after all"',
    'sightline dismiss --all  # after a first review of old code',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const because = values.because?.trim() ?? ''
    const { environment } = shell
    const options = { folder: pathIn(shell, values.repo ?? ''), repository: values.in, environment, signal }
    const by = { kind: 'person', name: personIn(shell) } as const
    if (values.all) {
      if (
        operands.length > 0 ||
        values.as ||
        values.file ||
        values.rule ||
        values.paths.length > 0 ||
        values.undo
      )
        throw new UserError(
          'usage',
          '--all takes no id, and no other options than --because, --repo and --in.',
        )
      const { makeBaseline } = await import('../../index.ts')
      const dismissed = await makeBaseline({ because: because || 'known before the baseline', by }, options)
      await terminal.result(`Dismissed ${count(dismissed, 'open finding')}.\n`)
      return exitCodes.clean
    }
    const [typed, ...more] = operands
    if (typed === undefined || more.length > 0)
      throw new UserError('usage', '`dismiss` needs the id of one finding; `sightline findings` lists them.')
    if (because === '') throw new UserError('usage', '--because is required: say why.')
    if (values.file && values.rule) throw new UserError('usage', '--file and --rule cannot be used together.')
    if (values.paths.length > 0 && !values.rule) throw new UserError('usage', '--paths needs --rule.')
    const { dismissFinding, restoreFinding } = await import('../../index.ts')
    if (values.undo) {
      const { id, record } = await restoreFinding(typed, { because, by }, options)
      await terminal.result(visibleLine(`Restored ${shortId(id)}: ${record.title}`).concat('\n'))
      return exitCodes.clean
    }
    const reach: Decision['reach'] = values.rule
      ? { kind: 'rule', paths: values.paths.length > 0 ? values.paths : ['**'] }
      : { kind: values.file ? 'file' : 'here' }
    const { id, record } = await dismissFinding(
      typed,
      { because, kind: values.as ?? 'wrong', reach, by },
      options,
    )
    const far = values.rule
      ? `rule ${record.rule}`
      : values.file
        ? `rule ${record.rule} in ${record.path}`
        : shortId(id)
    await terminal.result(visibleLine(`Dismissed ${far}: ${record.title}`).concat('\n'))
    return exitCodes.clean
  },
})

/** As git would name the author, without asking git. */
export function personIn({ environment }: Pick<Shell, 'environment'>): string {
  const named = environment.GIT_AUTHOR_NAME ?? environment.USER ?? environment.LOGNAME
  if (named) return named.slice(0, 200)
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}
