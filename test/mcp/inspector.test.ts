/** Our server, asked by the inspector's command: `npm run test:mcp` installs it and sets SIGHTLINE_MCP_SERVERS to its folder. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { entry, environment } from '../helpers/sightline.ts'

const installed = process.env.SIGHTLINE_MCP_SERVERS

test('tools, resources and prompts, and an answer of a tool', {
  ...needs('npm run test:mcp'),
  timeout: 600_000,
}, async () => {
  const repo = createRepo()
  repo.commit({
    'price.py': 'def price(text):\n    return int(text)\n',
    'cart.py': 'from price import price\n\n\ndef total(a):\n    return price(a)\n',
  })
  const home = temporaryFolder()
  const script = join(
    ...[installed ?? '', 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'],
  )
  const ask = async (...asked: string[]) => {
    const server = [process.execPath, entry, 'mcp', '--repo', repo.path]
    const env = environment({ HOME: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home })
    // A busy machine starts a program late.
    const args = [script, '--cli', ...server, '--connect-timeout', '60000', '--method', ...asked]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 100_000 })
    return JSON.parse(stdout)
  }
  const { tools } = await ask('tools/list')
  const names = tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['review_change', 'check_new_code', 'find_references']))
  expect(tools.every((tool: { annotations: object }) => 'readOnlyHint' in tool.annotations)).toBe(true)
  const found = await ask('tools/call', '--tool-name', 'find_references', '--tool-arg', 'symbol=price')
  expect(found.isError ?? false).toBe(false)
  expect(found.content[0].text).toContain('cart.py:5')
  await expect(ask('tools/call', '--tool-name', 'find_references', '--tool-arg', 'line=1')).rejects.toThrow(
    'find_references',
  )
  const { resources } = await ask('resources/list')
  expect(resources.map(({ uri }: { uri: string }) => uri)).toContain('sightline://findings')
  const { prompts } = await ask('prompts/list')
  expect(prompts.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['review_my_work', 'before_i_change', 'check_finding']),
  )
})
