/** How we introduce ourselves: a client that reads, and changes nothing. */
import { pathToFileURL } from 'node:url'
import { packageVersion } from '../../../base/package-root.ts'
import type { LanguageServer } from '../contract.ts'

/** The parameters of `initialize`. `folder` is the absolute folder that stands for the root. */
export function handshake(folder: string, server: LanguageServer): object {
  const uri = pathToFileURL(folder).href
  return {
    // Servers watch this process and end when it is gone.
    processId: process.pid,
    clientInfo: { name: 'sightline', version: packageVersion },
    rootPath: folder,
    rootUri: uri,
    workspaceFolders: [{ uri, name: 'workspace' }],
    initializationOptions: server.initializationOptions ?? {},
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      window: { workDoneProgress: true },
      workspace: {
        configuration: true,
        workspaceFolders: true,
        didChangeConfiguration: { dynamicRegistration: false },
        symbol: { dynamicRegistration: false },
      },
      textDocument: {
        synchronization: { didSave: false },
        definition: { linkSupport: true },
        references: {},
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        hover: { contentFormat: ['plaintext', 'markdown'] },
        publishDiagnostics: { versionSupport: true },
        diagnostic: {},
      },
    },
  }
}
