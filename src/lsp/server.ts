/** The language server: the review of what is being written, over the Language Server Protocol. */
import { PassThrough, type Readable } from 'node:stream'
import { createConnection, type Logger, ProposedFeatures, type WatchDog } from 'vscode-languageserver'
import { createProtocolConnection } from 'vscode-languageserver-protocol/node'
import type { EditorSession } from './contract.ts'
import { openEditorServer } from './editor-server.ts'

/** Resolves when the editor closes its end or asks to exit, or when the session's signal aborts. All output goes to `output`. */
export async function serveEditor(
  session: EditorSession,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<void> {
  const received = input.pipe(new PassThrough())
  const sent = new PassThrough()
  sent.pipe(output)
  const exit = new AbortController()
  // The one of the library for Node ends the process.
  const watchDog: WatchDog = { shutdownReceived: false, initialize() {}, exit: () => exit.abort() }
  const connect = (logger: Logger) => createProtocolConnection(received, sent, logger)
  const connection = createConnection(connect, watchDog, ProposedFeatures.all)
  const server = openEditorServer(session, connection)
  connection.listen()
  await ended(received, AbortSignal.any([exit.signal, session.services.signal]))
  // An editor may wait for our end before it closes its own: reading on would wait for each other.
  input.unpipe(received)
  input.pause()
  await server.close()
  connection.dispose()
}

function ended(input: Readable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve()
    for (const event of ['end', 'close', 'error']) input.once(event, end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted || input.destroyed) end()
  })
}
