/** `sightline lsp`: the review of uncommitted work in an editor, while it is written, over standard input and output. */
import { exitCodes } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { flag } from '../input/options.ts'
import { withServices } from '../shell.ts'
import { personIn } from './dismiss.ts'

export const lsp = defineCommand({
  name: 'lsp',
  summary: 'Serve an editor: findings on uncommitted work, unsaved text included, without a model.',
  operand: null,
  options: {
    untrusted: flag(
      "Read every workspace as a stranger's: its configuration, rules and memory have no effect.",
    ),
    stdio: flag('Use standard input and output, as always. Some editors add this option.'),
  },
  examples: [
    'sightline lsp  # started by the editor; see docs/editors.md',
    'sightline lsp --untrusted  # for code that you only look at',
  ],
  async run({ values, shell, signal }) {
    const { prepareModels } = await import('../../index.ts')
    const { serveEditor } = await import('../../lsp/server.ts')
    await withServices({ shell, signal }, async (services) => {
      const models = prepareModels({}, services, 'offline')
      const by = { kind: 'person', name: personIn(shell) } as const
      await serveEditor({ services, models, isTrusted: !values.untrusted, by }, shell.stdin, shell.stdout)
    })
    return exitCodes.clean
  },
})
