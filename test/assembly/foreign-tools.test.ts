/** The operator's MCP servers in a review: trusted by a code, asked through the toolbox, and never by a replay. */
import { McpServer } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { textOf } from '../../src/agent/answer.ts'
import { foreignParts, openForeignTools, trustForeign } from '../../src/assembly/foreign-tools.ts'
import { Settings } from '../../src/config/settings/schema.ts'
import type { ForeignTools } from '../../src/hosts/mcp/contract.ts'
import type { ToolScope } from '../../src/tools/contract.ts'
import { toolsFor } from '../../src/tools/registry.ts'
import { createToolbox } from '../../src/tools/toolbox.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { startMcpServer } from '../helpers/mcp/http-server.ts'
import { noTalk } from '../tools/open-toolbox.ts'
import { memoryJournal } from './memory-journal.ts'

const { signal } = new AbortController()
const tree = 'a'.repeat(40)

function toolboxOf(foreign: ForeignTools | null) {
  const scope = { ...noTalk, foreign } as unknown as ToolScope
  return createToolbox({ ...toolsFor(scope), scope })
}

test('a tool of an MCP server is offered once it is trusted, answers like any other, and is on record', async () => {
  let about = 'Finds pages of the handbook.'
  let calls = 0
  const { url } = await startMcpServer(() => {
    const server = new McpServer({ name: 'docs', version: '1' })
    const inputSchema = z.object({ query: z.string() })
    server.registerTool('find', { description: about, inputSchema }, async ({ query }) => {
      calls++
      return {
        content: [
          { type: 'text', text: Array.from({ length: 200 }, (_, at) => `${query} ${at}`).join('\n') },
        ],
      }
    })
    return server
  })
  const settings = Settings.parse({
    journal: { folder: temporaryFolder() },
    mcp: { servers: { docs: { url, tools: ['find'] } } },
  })
  const services = { settings, environment: {}, signal }
  const journal = memoryJournal()
  const open = (isReplay: boolean) =>
    openForeignTools(isReplay ? null : foreignParts(services), { journal, isReplay, tree, signal })
  const untrusted = toolboxOf(await open(false))
  expect(untrusted.guide).toContain(
    '- not here: `docs_find`: the operator has not trusted it yet (`sightline mcp trust docs`)',
  )
  const shown = await trustForeign('docs', services, null)
  expect(shown).toContain('find: new\n  | Finds pages of the handbook.\n  arguments: {')
  const code = /--accept ([0-9a-f]{12})/.exec(shown)?.[1] ?? ''
  about = 'Another one.'
  await expect(trustForeign('docs', services, code)).rejects.toThrow('not those that had the code')
  about = 'Finds pages of the handbook.'
  expect(await trustForeign('docs', services, code)).toBe('1 tool of docs trusted: find\n')
  const live = await open(false)
  const toolbox = toolboxOf(live)
  expect(toolbox.guide).toContain(
    '`docs_find(query)` [dear; 120 lines, 6 KB]: Asks the server docs of the operator',
  )
  const checked = toolbox.check({ tool: 'docs_find', args: { query: 'retry' } })
  if (!checked.ok) throw new Error(checked.detail)
  const answer = textOf(await toolbox.run(checked.call, signal))
  expect(answer).toContain('retry 0\nretry 1')
  expect(answer).toContain('(as the server docs says)\n(80 of 200 lines are left out; ask for less)')
  expect(toolbox.check({ tool: 'docs_find', args: {} })).toMatchObject({ ok: false, fault: 'bad-arguments' })
  journal.sealed = true
  const replayed = toolboxOf(await open(true))
  expect(replayed.guide).toBe(toolbox.guide)
  const refused = await replayed.run(checked.call, signal)
  expect([refused.isError, refused.remarks, calls]).toEqual([
    true,
    ['the tool failed: a replay asks no server'],
    1,
  ])
  const none = memoryJournal()
  none.sealed = true
  const without = await openForeignTools(null, { journal: none, isReplay: true, tree, signal })
  expect(toolboxOf(without).guide).toBe(toolboxOf(null).guide)
  await expect(trustForeign('other', services, null)).rejects.toThrow('there is no server other')
})
