/**
 * Where the product opens a connection. Whoever adds such a file decides here whom it reaches, and what keeps it from reaching
 * anybody else: docs/privacy.md promises that nothing else is sent or fetched.
 */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseModule, type SourceNode } from '../helpers/source-modules.ts'

const decided: Record<string, string> = {
  'to hosts, through the transport that keeps to one of them, or git with a token for one':
    'src/hosts/remote/transport.ts',
  'to providers of models, by the agreement and the settings': 'src/llm/wire/post.ts',
  'to trackers and MCP servers of the settings': `
    src/assembly/collect-change.ts src/hosts/tickets/registry.ts src/assembly/foreign-tools.ts src/hosts/mcp/connect.ts`,
  'to collectors of the settings': 'src/telemetry/post.ts',
  'to the host of the workflow': 'action/find-change.ts',
  'to the host or the issuer with which somebody signs in': `
    src/server/access/sign-in/code-flow.ts src/server/access/sign-in/host-api.ts`,
  'to the bucket and the database of the settings': `
    src/storage/runs/s3/bucket.ts src/server/database/postgres-database.ts`,
  'on this machine: one database engine for several processes, and the way out of a sandbox to the models': `
    src/server/database/embedded/embedded-database.ts src/server/database/embedded/engine.ts src/server/roles/gate.ts`,
  'listens: the server, and the answer of a browser to a login':
    'src/server/http/listen.ts src/hosts/mcp/login.ts',
}

const modules =
  /(?:from|import\() *'(?:node:(?:net|https?|http2|tls|dgram|dns)|undici|pg|openid-client|@aws-sdk\/[^']+|@modelcontextprotocol\/client[^']*)'/

const isFetch = (node: unknown): boolean => (node as SourceNode | null)?.name === 'fetch'
const valuesIn = (node: SourceNode) => (node.properties as SourceNode[]).map(({ value }) => value)

/** The `fetch` of Node is called or handed on; one that a parameter has is somebody else's. */
function takesOwnFetch(nodes: readonly SourceNode[]): boolean {
  const isGiven = (node: SourceNode) =>
    (node.type === 'ObjectPattern' && valuesIn(node).some(isFetch)) ||
    (/Function/.test(node.type) && (node.params as SourceNode[] | undefined)?.some(isFetch))
  if (nodes.some(isGiven)) return false
  return nodes.some((node) => {
    if (node.type === 'CallExpression')
      return isFetch(node.callee) || (node.arguments as SourceNode[]).some(isFetch)
    if (node.type === 'ObjectExpression') return valuesIn(node).some(isFetch)
    const { type, object, property } = node as { type: string; object?: SourceNode; property?: SourceNode }
    return type === 'MemberExpression' && object?.name === 'globalThis' && isFetch(property)
  })
}

test('every file that opens a connection is decided about', () => {
  const found = globSync(['src/**/*.ts', 'action/*.ts']).filter((path) => {
    const text = readFileSync(path, 'utf8').replace(/^import type .*$/gm, '')
    return modules.test(text) || (/\bfetch\b/.test(text) && takesOwnFetch(parseModule(path, text).nodes))
  })
  const known = Object.values(decided).flatMap((paths) => paths.trim().split(/\s+/))
  expect(found.sort()).toEqual(known.sort())
  expect(new Set(known).size).toBe(known.length)
})
