/** What a server asks and tells us. Every request gets an answer, else servers wait for it and hang. */
import { pathToFileURL } from 'node:url'
import type { MessageConnection } from 'vscode-jsonrpc/node'
import { z } from 'zod'
import type { LanguageServer } from '../contract.ts'
import type { Progress } from './progress.ts'
import { type Published, PublishedDiagnostics } from './shapes.ts'

type Ears = {
  server: LanguageServer
  folder: string
  progress: Progress
  published: Map<string, Published>
}

const ConfigurationRequest = z.object({
  items: z.array(z.object({ section: z.string().optional() })).max(1000),
})

/** Files whose published diagnostics are kept. */
const mostPublished = 1000

export function answerServer(connection: MessageConnection, { server, folder, progress, published }: Ears) {
  connection.onRequest('workspace/configuration', (parameters: unknown) => {
    const asked = ConfigurationRequest.safeParse(parameters)
    return (asked.data?.items ?? []).map(({ section }) => server.configuration(section ?? '') ?? null)
  })
  connection.onRequest('workspace/workspaceFolders', () => [
    { uri: pathToFileURL(folder).href, name: 'workspace' },
  ])
  // Nothing is ever changed, shown or run for it.
  connection.onRequest('workspace/applyEdit', () => ({ applied: false }))
  connection.onRequest('window/showDocument', () => ({ success: false }))
  connection.onRequest(() => null)
  connection.onUnhandledProgress(({ token, value }) => progress.hear(token, value))
  connection.onNotification('textDocument/publishDiagnostics', (parameters: unknown) => {
    const read = PublishedDiagnostics.safeParse(parameters)
    if (!read.success || published.size >= mostPublished) return
    const { uri, version, diagnostics } = read.data
    published.set(uri, { version: version ?? null, diagnostics, at: performance.now() })
  })
  connection.onNotification(() => {})
}
