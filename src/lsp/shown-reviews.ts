/**
 * What the editor shows of each repository: the findings of its latest review, and of those that were asked for, as diagnostics. The
 * editor asks for them, or they are sent.
 */
import type { Connection, Diagnostic, Range, TextDocuments } from 'vscode-languageserver'
import { canonicalJson } from '../base/canonical-json.ts'
import { filePathOf } from '../base/places.ts'
import { remembered } from '../base/remembered.ts'
import type { Finding } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import { AskedReviews } from './asked-reviews.ts'
import type { ReviewedTree } from './contract.ts'
import { diagnosticsOf, type ShownPlaces } from './diagnostics.ts'
import type { Editor } from './editor.ts'
import type { OpenDocument } from './open-documents.ts'
import { type OpenRepository, uriIn } from './repositories.ts'

export type ShownReviews = {
  /** Instead of what was shown of this repository. */
  show(repository: OpenRepository, reviewed: ReviewedTree | null): void
  /** By path. */
  diagnosticsIn(repository: OpenRepository): ReadonlyMap<string, Diagnostic[]>
  diagnosticsAt(repository: OpenRepository, path: string, range: Range): Diagnostic[]
  /** By fingerprint. */
  findingsOf(repository: OpenRepository): ReadonlyMap<string, Finding>
  /** Reviews that a person asked for. */
  askedIn(repository: OpenRepository): AskedReviews
  placesIn(repository: OpenRepository): ShownPlaces
  /** As the editor calls it, where it is open. */
  uriOf(repository: OpenRepository, path: string): string
  documentAt(repository: OpenRepository, path: string): OpenDocument | undefined
}

type Parts = {
  connection: Connection
  documents: TextDocuments<OpenDocument>
  editor: () => Editor
}

export function showReviews({ connection, documents, editor }: Parts): ShownReviews {
  const shown = new Map<OpenRepository, ReadonlyMap<string, Diagnostic[]>>()
  /** URIs with diagnostics that were sent. */
  const sent = new Map<OpenRepository, ReadonlySet<string>>()
  const asked = new Map<OpenRepository, AskedReviews>()
  const diagnosticsIn = (repository: OpenRepository) =>
    shown.get(repository) ?? new Map<string, Diagnostic[]>()

  return { show, diagnosticsIn, diagnosticsAt, findingsOf, askedIn, placesIn, uriOf, documentAt }

  function show(repository: OpenRepository, reviewed: ReviewedTree | null): void {
    const found = new Map<string, Diagnostic[]>()
    for (const review of reviewsOf(repository, reviewed))
      for (const [path, diagnostics] of diagnosticsOf(review, placesIn(repository)))
        remembered(found, path, (): Diagnostic[] => []).push(...diagnostics)
    const before = shown.get(repository)
    shown.set(repository, found)
    if (!editor().pulls) send(repository, reviewed, found)
    else if (canonicalJson([...(before ?? [])]) !== canonicalJson([...found]))
      connection.languages.diagnostics.refresh()
  }

  /** All files with findings, open or not; those without are told so where they had some, or are open. */
  function send(
    repository: OpenRepository,
    reviewed: ReviewedTree | null,
    found: ReadonlyMap<string, Diagnostic[]>,
  ): void {
    const current = new Map(
      [...found].map(([path, diagnostics]) => [uriOf(repository, path), { path, diagnostics }]),
    )
    for (const path of reviewed?.versions.keys() ?? []) {
      const uri = uriOf(repository, path)
      if (!current.has(uri)) current.set(uri, { path, diagnostics: [] })
    }
    for (const [uri, { path, diagnostics }] of current) {
      const version = documentAt(repository, path)?.version
      void connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) })
    }
    for (const uri of sent.get(repository) ?? [])
      if (!current.has(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] })
    sent.set(repository, new Set(current.keys()))
  }

  /** The latest review, and what is still there of those that were asked for. */
  function reviewsOf(repository: OpenRepository, reviewed: ReviewedTree | null): Review[] {
    if (!repository.settings.enabled) return []
    const latest = reviewed ? [reviewed.review] : []
    const known = new Set(latest.flatMap(({ findings }) => findings.map((one) => one.fingerprint)))
    const read = (path: string) => linesOf(documentAt(repository, path)?.text ?? null)
    return [...latest, ...(asked.get(repository)?.current(read, known) ?? [])]
  }

  function findingsOf(repository: OpenRepository): Map<string, Finding> {
    const reviews = reviewsOf(repository, repository.latest.last)
    return new Map(reviews.flatMap(({ findings }) => findings.map((one) => [one.fingerprint, one] as const)))
  }

  function askedIn(repository: OpenRepository): AskedReviews {
    return remembered(asked, repository, () => new AskedReviews())
  }

  function placesIn(repository: OpenRepository): ShownPlaces {
    return {
      encoding: editor().encoding,
      uriOf: (path) => uriOf(repository, path),
      textOf: (path) => documentAt(repository, path)?.text ?? null,
    }
  }

  function diagnosticsAt(repository: OpenRepository, path: string, { start, end }: Range): Diagnostic[] {
    const all = diagnosticsIn(repository).get(path) ?? []
    return all.filter(({ range }) => range.start.line <= end.line && start.line <= range.end.line)
  }

  function uriOf(repository: OpenRepository, path: string): string {
    return documentAt(repository, path)?.uri ?? uriIn(repository.root, path)
  }

  function documentAt({ root }: OpenRepository, path: string): OpenDocument | undefined {
    const file = filePathOf(uriIn(root, path))
    return documents.all().find((one) => one.file === file)
  }
}

function linesOf(text: string | null): string[] | null {
  return text === null ? null : text.split(/\r?\n/)
}
