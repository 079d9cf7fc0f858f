/** `sightline baseline`: what is open now is dismissed, so that reviews show only what comes later. */
import { count } from '../../base/count.ts'
import { exitCodes } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { text } from '../input/options.ts'
import { pathIn } from '../shell.ts'
import { personIn } from './dismiss.ts'

export const baseline = defineCommand({
  name: 'baseline',
  summary: 'Dismiss all open findings, so that reviews show only new ones.',
  operand: null,
  options: {
    because: text('TEXT', 'Reason. Default: known before the baseline.'),
    repo: repositoryOption,
    in: text('NAME', 'Findings of pull requests, such as github.com/owner/repo.'),
  },
  examples: ['sightline baseline  # after a first review of old code'],
  async run({ values, terminal, shell, signal }) {
    const { makeBaseline } = await import('../../index.ts')
    const { environment } = shell
    const options = { folder: pathIn(shell, values.repo ?? ''), repository: values.in, environment, signal }
    const by = { kind: 'person', name: personIn(shell) } as const
    const because = values.because?.trim() || 'known before the baseline'
    const dismissed = await makeBaseline({ because, by }, options)
    await terminal.result(`Dismissed ${count(dismissed, 'open finding')}.\n`)
    return exitCodes.clean
  },
})
