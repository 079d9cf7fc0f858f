/** What an agent is shown through the MCP server, by each tool and resource that shows code or findings. */
import { connectHere } from '../../helpers/mcp/agent-here.ts'
import { ofPlace, type Place, type Planted } from './plant.ts'

/** Milliseconds for one answer. */
const timeout = 300_000

/** By the name of the tool or the address of the resource. Rejects when one of them answers with an error. */
export async function askAsAgent(
  repository: string,
  env: Record<string, string>,
  planted: readonly Planted[],
): Promise<Map<string, string>> {
  const { client, close } = await connectHere(repository, env)
  const told = new Map<string, string>()
  const mark = (place: Place) => ofPlace(planted, place)[0]?.mark ?? ''
  const calls: [string, Record<string, unknown>][] = [
    ['review_change', { commit: 'HEAD' }],
    ['context_of_change', { commit: 'HEAD' }],
    ['search_code', { query: `password key ${mark('tool')} ${mark('context')}` }],
    ['find_definition', { symbol: mark('evidence') }],
    ['find_references', { symbol: 'connect' }],
    ['callers', { symbol: 'connect' }],
    ['impact', { symbol: 'connect' }],
  ]
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { content, isError } = await client.callTool({ name, arguments: args }, { timeout })
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    if (isError) throw new Error(`${name}: ${text}`)
    return text
  }
  try {
    for (const [name, args] of calls) told.set(name, await call(name, args))
    const ids = [...(told.get('review_change') ?? '').matchAll(/; id ([0-9a-f]{12})/g)].map(([, id]) => id)
    // The gravest quote secrets, the least are told in words of the repository's rule.
    const some = [...ids.slice(0, 5), ...ids.slice(-5)]
    for (const name of ['get_finding', 'explain_finding']) {
      const texts: string[] = []
      for (const id of some) texts.push(await call(name, { id }))
      told.set(name, texts.join('\n'))
    }
    const uri = 'sightline://reviews/last'
    const { contents } = await client.readResource({ uri }, { timeout })
    told.set(uri, contents.map((one) => ('text' in one ? one.text : '')).join('\n'))
    return told
  } finally {
    await close()
  }
}
