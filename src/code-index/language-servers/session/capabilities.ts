/** How we introduce ourselves: a client that reads, and changes nothing. */
import { pathToFileURL } from 'node:url'
import { packageVersion } from '../../../base/package-root.ts'
import type { LanguageServer } from '../contract.ts'

/** The absolute folder that stands for the root; whether the server runs in a sandbox, with process numbers of its own. */
export type Surrounded = { root: string; isConfined: boolean }

/** The parameters of `initialize`. */
export function handshake({ root, isConfined }: Surrounded, server: LanguageServer): object {
  const uri = pathToFileURL(root).href
  return {
    // Servers watch this process and end when it is gone. From inside a sandbox it cannot be seen, which ends them too.
    processId: isConfined ? null : process.pid,
    clientInfo: { name: 'sightline', version: packageVersion },
    rootPath: root,
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
