/** Ready-made requests that a person picks in the agent: how to work with a review. */
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const checkFirst =
  'For each finding, call explain_finding, read the code that it cites, and decide whether the problem is real. Fix only what you confirmed, with the smallest change, and add a test that fails without it. For each finding that you do not confirm, change nothing and say in one sentence why.'

export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'review_my_work',
    {
      title: 'Review my work',
      description: 'Review the current change, check each finding, fix what is confirmed.',
      argsSchema: z.object({ base: z.string().max(300).optional().describe('Branch to compare with.') }),
    },
    ({ base }) =>
      request(
        `Call review_change${base ? ` with base ${JSON.stringify(base)}` : ''}. ${checkFirst} When you are done, call review_change again and report what is left.`,
      ),
  )
  server.registerPrompt(
    'before_i_change',
    {
      title: 'Before I change a function',
      description: 'What depends on a definition, before its behavior or signature changes.',
      argsSchema: z.object({ symbol: z.string().min(1).max(300).describe('Name of the definition.') }),
    },
    ({ symbol }) =>
      request(
        `I want to change ${JSON.stringify(symbol)}. Call find_definition, callers and impact for it. List what depends on it and which of that a change of its signature or its behavior would break. Change nothing yet.`,
      ),
  )
  server.registerPrompt(
    'check_finding',
    {
      title: 'Check a finding',
      description: 'Confirm or refute one finding.',
      argsSchema: z.object({ id: z.string().min(4).max(100).describe('Id of the finding.') }),
    },
    ({ id }) => request(`The finding is ${JSON.stringify(id)}. ${checkFirst}`),
  )
}

function request(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}
