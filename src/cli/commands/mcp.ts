/** `sightline mcp`: the same reviews and questions for coding agents, over standard input and output. */
import { exitCodes } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { depthNames, readModelRoles } from '../input/choices.ts'
import { choice, dollars, list, text } from '../input/options.ts'
import { pathIn, servicesIn } from '../shell.ts'

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve reviews and code questions to a coding agent over MCP.',
  operand: null,
  options: {
    repo: text('PATH', 'Repository. Default: the one that contains the current folder.'),
    depth: choice(
      depthNames,
      'Depth of reviews. Default: as configured. Agents can only lower it to offline.',
    ),
    model: list(
      'ROLE=PROVIDER/MODEL',
      'Model to use for a role, such as reviewer=anthropic/claude-sonnet-5-5.',
    ),
    budget: dollars('Spending limit for each review and each question.'),
  },
  examples: [
    'sightline mcp  # started by the agent; see docs/agents.md',
    'sightline mcp --repo ~/src/shop --depth offline  # no model is ever asked',
    'sightline mcp --depth quick --budget 0.40',
  ],
  async run({ values, shell, signal }) {
    const { openServices, prepareModels } = await import('../../index.ts')
    const { serveAgent } = await import('../../mcp/server.ts')
    const roles = readModelRoles(values.model)
    const services = await openServices({ ...servicesIn(shell), signal })
    try {
      const asked = {
        ...(roles ? { roles } : {}),
        ...(values.budget === undefined ? {} : { budget: values.budget }),
      }
      const models = prepareModels(asked, services, values.depth)
      const folder = pathIn(shell, values.repo ?? '')
      await serveAgent({ services, folder, models, depth: values.depth }, shell.stdin, shell.stdout)
    } finally {
      await services.close()
    }
    return exitCodes.clean
  },
})
