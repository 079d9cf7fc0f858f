/** What the editor said of itself when it started: what it can show, and which folders it has open. */
import { type InitializeParams, MarkupKind, type PositionEncodingKind } from 'vscode-languageserver'
import { filePathOf } from '../base/places.ts'
import { EditorSettings } from './contract.ts'
import { realOrNull } from './open-documents.ts'
import { chooseEncoding } from './positions.ts'

export type Editor = {
  encoding: PositionEncodingKind
  /** It asks for diagnostics; else they are sent. */
  pulls: boolean
  hasConfiguration: boolean
  /** It tells of changes only who asked to be told. */
  registersConfiguration: boolean
  hasFolders: boolean
  watchesFiles: boolean
  showsProgress: boolean
  isVersioned: boolean
  opensPlaces: boolean
  showsMarkdown: boolean
  settings: EditorSettings
}

export function editorOf({ capabilities, initializationOptions }: InitializeParams): Editor {
  const { general, textDocument, workspace, window } = capabilities
  return {
    encoding: chooseEncoding(general?.positionEncodings),
    // An editor that does not ask again after a review would show an old one.
    pulls: textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true,
    hasConfiguration: workspace?.configuration === true,
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    hasFolders: workspace?.workspaceFolders === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    showsProgress: window?.workDoneProgress === true,
    isVersioned: workspace?.workspaceEdit?.documentChanges === true,
    opensPlaces: window?.showDocument?.support === true,
    showsMarkdown: textDocument?.hover?.contentFormat?.includes(MarkupKind.Markdown) === true,
    settings: EditorSettings.parse(initializationOptions ?? {}),
  }
}

export function foldersOf({ workspaceFolders, rootUri }: InitializeParams): string[] {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : [])
  return uris.flatMap((uri) => folderOf(uri) ?? [])
}

export function folderOf(uri: string): string | null {
  const folder = filePathOf(uri)
  return folder === null ? null : (realOrNull(folder) ?? folder)
}
