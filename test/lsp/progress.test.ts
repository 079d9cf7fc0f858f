/** The progress of a review, as an editor is told of it: only where the review takes long enough to be noticed. */
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node'
import {
  createProtocolConnection,
  InitializeRequest,
  WorkDoneProgress,
  WorkDoneProgressCreateRequest,
} from 'vscode-languageserver-protocol/node'
import { showProgress } from '../../src/lsp/progress.ts'

/** What an editor hears, in words. */
async function startEditor() {
  const [toServer, toEditor] = [new PassThrough(), new PassThrough()]
  const server = createConnection(ProposedFeatures.all, toServer, toEditor)
  const editor = createProtocolConnection(toEditor, toServer)
  const heard: string[] = []
  editor.onRequest(WorkDoneProgressCreateRequest.type, ({ token }) => {
    editor.onProgress(WorkDoneProgress.type, token, (value) => {
      const words = value.kind === 'begin' ? `${value.title}: ${value.message}` : value.message
      heard.push(words === undefined ? value.kind : `${value.kind} ${words}`)
    })
    heard.push('created')
  })
  server.onInitialize(() => ({ capabilities: {} }))
  server.listen()
  editor.listen()
  const capabilities = { window: { workDoneProgress: true } }
  await editor.sendRequest(InitializeRequest.type, { processId: null, rootUri: null, capabilities })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    editor.dispose()
    server.dispose()
    vi.useRealTimers()
  })
  return { server, heard }
}

const stage = (name: 'planes' | 'conclude') => ({ type: 'stage-start', stage: name }) as const

test('a long review is shown with its stages, and its end', async () => {
  const { server, heard } = await startEditor()
  const { onEvent, end } = showProgress(server, true)
  onEvent(stage('planes'))
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.waitUntil(() => heard.length === 2)
  onEvent(stage('conclude'))
  end()
  await vi.waitUntil(() => heard.length === 4)
  expect(heard).toEqual(['created', 'begin Sightline: planes', 'report conclude', 'end'])
})

test('a short review is not, nor one for an editor that cannot show it', async () => {
  const { server, heard } = await startEditor()
  for (const isShown of [true, false]) {
    const { onEvent, end } = showProgress(server, isShown)
    onEvent(stage('planes'))
    if (isShown) end()
    await vi.advanceTimersByTimeAsync(5_000)
    end()
  }
  expect(heard).toEqual([])
})
