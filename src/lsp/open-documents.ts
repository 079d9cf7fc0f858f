/** The texts that an editor holds, and which of them are not what is on disk. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  type PositionEncodingKind,
  type TextDocumentContentChangeEvent,
  TextDocuments,
} from 'vscode-languageserver'
import { readBelow } from '../base/below.ts'
import { filePathOf, pathFrom } from '../base/places.ts'
import type { UnsavedFile } from '../hosts/contract.ts'
import { Lines } from './positions.ts'

export type OpenDocument = {
  readonly uri: string
  /** The absolute path from `realFileOf`; null without a file, as in a new document that was never saved. */
  readonly file: string | null
  version: number
  text: string
  /** Since it was opened or saved. */
  isEdited: boolean
}

export function openDocuments(encoding: () => PositionEncodingKind): TextDocuments<OpenDocument> {
  const documents = new TextDocuments<OpenDocument>({
    create: (uri, _language, version, text) => ({
      uri,
      file: realFileOf(uri),
      version,
      text,
      isEdited: false,
    }),
    update(document, changes, version) {
      const text = changes.reduce((before, change) => changed(before, change, encoding()), document.text)
      return Object.assign(document, { version, text, isEdited: true })
    },
  })
  documents.onDidSave(({ document }) => {
    document.isEdited = false
  })
  return documents
}

function changed(
  text: string,
  change: TextDocumentContentChangeEvent,
  encoding: PositionEncodingKind,
): string {
  if (!('range' in change)) return change.text
  const lines = new Lines(text)
  const { start, end } = change.range
  return (
    text.slice(0, lines.offsetAt(start, encoding)) + change.text + text.slice(lines.offsetAt(end, encoding))
  )
}

/** Git hashes no larger ones either. */
const largestFile = 20_000_000
const byteOrderMark = '\uFEFF'

/** What saving the document would write; null where that is on disk already. `root`: of the repository, a real path. */
export function unsavedText(
  { file, text, isEdited }: OpenDocument,
  path: string,
  root: string,
): UnsavedFile | null {
  if (file === null) return null
  const bytes = readBelow(root, path, largestFile)
  if (bytes === null) return { path, text }
  const onDisk = bytes.toString('utf8')
  // An editor shows other encodings as text too, and would write them back as they were.
  if (!Buffer.from(onDisk).equals(bytes)) return isEdited ? { path, text } : null
  const hasMark = onDisk.startsWith(byteOrderMark) && !text.startsWith(byteOrderMark)
  const saved = hasMark ? byteOrderMark + text : text
  return saved === onDisk ? null : { path, text: saved }
}

/** As it was saved; null where there is none, or it cannot be read. `root`: of the repository, a real path. */
export function textOnDisk(root: string, path: string): string | null {
  return readBelow(root, path, largestFile)?.toString('utf8') ?? null
}

/** From the root of the repository, with `/`; null for what lies elsewhere, or in its git directory. */
export function pathIn(root: string, file: string): string | null {
  const path = pathFrom(root, file)
  return path === null || path === '' || /^\.git(?:\/|$)/i.test(path) ? null : path
}

/** The absolute path with the links of its folders resolved; the file itself may be a link. Null where the URI names no file. */
export function realFileOf(uri: string): string | null {
  const file = filePathOf(uri)
  if (file === null) return null
  const folder = realOrNull(dirname(file))
  return folder === null ? file : join(folder, basename(file))
}

export function realOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
