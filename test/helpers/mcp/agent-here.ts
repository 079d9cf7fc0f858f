/** The official client of `sightline mcp`, which runs inside the test's process, where modules and parsers are warm. */
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { runCommand } from '../../../src/cli/main.ts'
import { sharedFacts } from '../shared-facts.ts'
import { environment } from '../sightline.ts'

/** Both ends of a pipe speak alike, so the client takes the transport that is meant for servers. */
export async function connectHere(
  repository: string,
  env: Record<string, string>,
): Promise<{ client: Client; close: () => Promise<void> }> {
  const [asked, answered] = [new PassThrough(), new PassThrough()]
  const shell = {
    environment: environment(env),
    folder: repository,
    stdin: asked,
    stdout: answered,
    stderr: new PassThrough().resume(),
    facts: sharedFacts(),
  }
  const stop = new AbortController()
  const served = runCommand(['mcp', '--repo', repository], shell, stop.signal)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioServerTransport(answered, asked))
  return {
    client,
    async close() {
      await client.close()
      asked.end()
      await served
    },
  }
}
