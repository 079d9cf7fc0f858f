/** Tools that ask a language server beside the index: what it adds, when the index has to do, and the time for it. */
import { expect, onTestFinished, test } from 'vitest'
import { textOf } from '../../src/agent/answer.ts'
import { openToolServers } from '../../src/assembly/servers-on-demand.ts'
import { findSandbox } from '../../src/base/sandbox/probe.ts'
import type { LanguageServers } from '../../src/code-index/language-servers/contract.ts'
import { openLanguageServers } from '../../src/code-index/language-servers/open-language-servers.ts'
import { codeTools } from '../../src/tools/registry.ts'
import { createToolbox } from '../../src/tools/toolbox.ts'
import { openScope } from './open-toolbox.ts'

const { signal } = new AbortController()
// `countItems` is called through a parameter whose type only a server follows.
const files = {
  'tsconfig.json': '{}',
  'src/cart.ts': 'export class Cart {\n  count(): number {\n    return 1\n  }\n}\n',
  'src/other.ts': 'export class Other {\n  count(): number {\n    return 2\n  }\n}\n',
  'src/each.ts':
    "import type { Cart } from './cart.ts'\nexport function each<Answer>(ask: (one: Cart) => Answer): Answer[] {\n  return []\n}\n",
  'src/use.ts':
    "import { each } from './each.ts'\nexport function all(): number[] {\n  return each((one) => one.count())\n}\n",
}

test('uses, callers and definitions name the server that vouches for them', async () => {
  const ask = await toolsWith((servers) => openToolServers(() => servers, 60))
  const uses = await ask('find_references', { symbol: 'Cart.count' })
  expect(uses).toMatch(/^src\/use\.ts:3 call \(language server\): /m)
  expect(uses).toMatch(/\(1 use of src\/cart\.ts:2, from the index and typescript 7\./)
  const callers = await ask('find_callers', { symbol: 'Cart.count' })
  expect(callers).toMatch(/^src\/use\.ts:2 function .*all\(\).* \(language server\)$/m)
  expect(callers).toMatch(/\(1 direct caller of src\/cart\.ts:2, from the index and typescript 7\./)
  const definitions = await ask('find_definition', { symbol: 'count' })
  expect(definitions).toMatch(/\(2 definitions, from the index and typescript 7\./)
})

test('without time, and without a server, the index answers', async () => {
  const late = await toolsWith((servers) => openToolServers(() => servers, 0))
  expect(await late('find_references', { symbol: 'Cart.count' })).toMatch(
    /uses? of src\/cart\.ts:2, from the index\)/,
  )
  const slow = await toolsWith(() => openToolServers(() => hanging, 0.05))
  expect(await slow('find_references', { symbol: 'Cart.count' })).toMatch(
    /uses? of src\/cart\.ts:2, from the index\)/,
  )
  const none = await toolsWith(() => null)
  expect(await none('find_callers', { symbol: 'Cart.count' })).toMatch(/of src\/cart\.ts:2, from the index\)/)
})

const never = () => new Promise<never>(() => {})
const hanging: LanguageServers = {
  serverFor: never,
  references: never,
  definition: never,
  callers: never,
  symbols: never,
  symbolsNamed: never,
  diagnostics: never,
  type: never,
  close: async () => {},
}

async function toolsWith(
  serve: (servers: LanguageServers) => ReturnType<typeof openToolServers> | null,
): Promise<(tool: string, args: Record<string, string>) => Promise<string>> {
  const scope = await openScope(files)
  const confinement = { findSandbox: () => findSandbox(undefined, signal), isOptional: true }
  const around = { environment: process.env, foreignFolders: [], settings: {} }
  const servers = openLanguageServers({ ...around, snapshot: scope.head, confinement })
  onTestFinished(() => servers.close())
  const toolbox = createToolbox({ tools: codeTools, scope: { ...scope, servers: serve(servers) } })
  return async (tool, args) => textOf(await toolbox.run({ tool, args: { depth: 1, ...args } }, signal))
}
