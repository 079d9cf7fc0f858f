/** What agents may read by address: the findings of the repository, and recorded reviews. */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { openLedgerOf } from '../assembly/ledgers.ts'
import { type Fence, Untrusted } from '../base/untrusted/untrusted.ts'
import { formats } from '../pipeline/publish/registry.ts'
import { renderAnswer } from './answer.ts'
import type { AgentSession, AgentText } from './contract.ts'
import { readOwnRun } from './own-runs.ts'
import { openFindingsText } from './tools/get-finding.ts'

/** As in a report for people, where no limit was asked for. */
const maxInline = 100

export function registerResources(server: McpServer, session: AgentSession, fence: Fence): void {
  const { folder, services } = session
  const plain = { mimeType: 'text/plain' }
  const contents = (uri: URL, text: AgentText) => ({
    contents: [{ uri: uri.href, ...plain, text: renderAnswer(text, fence) }],
  })
  const review = async (uri: URL, run: string | undefined) => {
    const found = await readOwnRun(run, session)
    const text = formats.markdown(found.review, { color: false, width: 100, explain: false, maxInline })
    return contents(uri, [`Review on record as run ${found.run}.`, new Untrusted('review', text)])
  }
  server.registerResource(
    'open-findings',
    'sightline://findings',
    { title: 'Open findings', description: 'Findings of this repository that are still open.', ...plain },
    async (uri) => {
      const { ledger } = await openLedgerOf({
        folder,
        environment: services.environment,
        signal: services.signal,
      })
      return contents(uri, openFindingsText([...ledger.findings.values()]))
    },
  )
  server.registerResource(
    'last-review',
    'sightline://reviews/last',
    { title: 'Last review', description: 'The last recorded review of this repository.', ...plain },
    (uri) => review(uri, undefined),
  )
  server.registerResource(
    'review',
    new ResourceTemplate('sightline://reviews/{run}', { list: undefined }),
    { title: 'Review', description: 'A recorded review of this repository, by its run.', ...plain },
    (uri, { run }) => review(uri, typeof run === 'string' ? run : undefined),
  )
}
