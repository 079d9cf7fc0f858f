/**
 * `sightline mcp`: the same reviews and questions for coding agents, over standard input and output. `sightline mcp trust`
 * and `login`: the other way round, which tools of other servers a review may call, and as whom.
 */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { depths } from '../../domain/names.ts'
import { defineCommand } from '../command.ts'
import { modelOption, repositoryOption } from '../input/common-options.ts'
import { readModelRoles } from '../input/model-roles.ts'
import { choice, dollars, text } from '../input/options.ts'
import { pathIn, type Shell, withServices } from '../shell.ts'

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve reviews and code questions to a coding agent over MCP.',
  operand: '[trust SERVER | login SERVER | logout SERVER]',
  options: {
    repo: repositoryOption,
    depth: choice(depths, 'Depth of reviews. Default: as configured. Agents can only lower it to offline.'),
    model: modelOption,
    budget: dollars('Spending limit for each review and each question.'),
    accept: text('CODE', 'With `trust`: trust the tools that were shown with this code.'),
  },
  examples: [
    'sightline mcp  # started by the agent; see docs/agents.md',
    'sightline mcp --repo ~/src/shop --depth offline  # no model is ever asked',
    'sightline mcp --depth quick --budget 0.40',
    'sightline mcp trust docs  # shows what the tools of your server docs say of themselves',
    'sightline mcp login docs  # in your browser, for a server with `login` in your settings',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    if (operands.length > 0) {
      const show = (line: string) => terminal.note(line)
      await terminal.result(await askServer(operands, { accept: values.accept, show, shell, signal }))
      return exitCodes.clean
    }
    const { openRunExporter, prepareModels } = await import('../../index.ts')
    const { serveAgent } = await import('../../mcp/server.ts')
    const { budget, depth } = values
    const roles = readModelRoles(values.model)
    await withServices({ shell, signal }, async (services) => {
      const exporter = openRunExporter(services, (line) => terminal.note(`sightline: ${line}\n`))
      try {
        const models = prepareModels({ roles, budget }, services, depth)
        const folder = pathIn(shell, values.repo ?? '')
        const session = { services, folder, models, depth, runEnded: exporter.runEnded }
        await serveAgent(session, shell.stdin, shell.stdout)
      } finally {
        await exporter.stop()
      }
    })
    return exitCodes.clean
  },
})

type Asking = {
  accept: string | undefined
  show: (line: string) => void
  shell: Shell
  signal: AbortSignal
}

/** Shows the tools of a server, trusts what was shown, logs in or out. Throws `usage`, `mcp-server-unusable`. */
async function askServer(
  operands: readonly string[],
  { accept, show, shell, signal }: Asking,
): Promise<string> {
  const [verb = '', name, ...more] = operands
  if (!['trust', 'login', 'logout'].includes(verb) || name === undefined || more.length > 0)
    throw new UserError(
      'usage',
      'Write `sightline mcp trust SERVER`, `login SERVER` or `logout SERVER`, or `sightline mcp` alone.',
    )
  const { logInForeign, logOutForeign, trustForeign } = await import('../../index.ts')
  return await withServices({ shell, signal }, async (services) => {
    if (verb === 'trust') return await trustForeign(name, services, accept ?? null)
    if (verb === 'logout') return logOutForeign(name, services)
    return await logInForeign(name, services, (address) =>
      show(`Open this address in a browser on this machine:\n\n${visibleLine(address)}\n\n`),
    )
  })
}
