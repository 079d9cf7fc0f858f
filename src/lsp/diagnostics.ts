/** Findings as the diagnostics of an editor: on the lines that the review names. */
import {
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type PositionEncodingKind,
  type Range,
  uinteger,
} from 'vscode-languageserver'
import { visibleText } from '../base/visible-text.ts'
import type { Finding } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import { sarifLevel } from '../pipeline/publish/sarif.ts'
import { documentedWords, relatedPlaces } from '../pipeline/publish/words.ts'
import { Lines } from './positions.ts'

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const

/** What an editor needs of a review, besides it. Paths are from the root of the repository. */
export type ShownPlaces = {
  encoding: PositionEncodingKind
  uriOf(path: string): string
  /** The text in the editor; null for a file that is not open. */
  textOf(path: string): string | null
}

/** By path, in the order of the review. */
export function diagnosticsOf(review: Review, places: ShownPlaces): Map<string, Diagnostic[]> {
  const rangeOf = rangesIn(places)
  const found = new Map<string, Diagnostic[]>()
  for (const finding of review.findings) {
    const { path } = finding.anchor
    const diagnostics = found.get(path) ?? []
    diagnostics.push({
      range: rangeOf(path, ...linesOf(finding)),
      severity: severities[sarifLevel[finding.severity]],
      source: 'sightline',
      code: finding.rule,
      message: messageOf(finding),
      ...tagsOf(finding),
      relatedInformation: relatedPlaces(review, finding).map(({ title, path, startLine, endLine }) => ({
        location: { uri: places.uriOf(path), range: rangeOf(path, startLine, endLine) },
        message: visibleText(title),
      })),
      data: { finding: finding.fingerprint },
    })
    found.set(path, diagnostics)
  }
  return found
}

/** Of the head, from 1. A line that the change removed is shown where it was. */
export function linesOf({ side, startLine, endLine, excerpt }: Finding): [start: number, end: number] {
  if (side === 'new') return [startLine, endLine]
  const at = excerpt.findIndex((line) => line.old === startLine && line.new === null)
  const near = excerpt.slice(Math.max(at, 0)).find((line) => line.new !== null)
  const line = near?.new ?? excerpt.findLast((one) => one.new !== null)?.new ?? 1
  return [line, line]
}

export type RangeOf = (path: string, startLine: number, endLine: number) => Range

/** Lines from 1, both included. */
export function rangesIn({ textOf, encoding }: ShownPlaces): RangeOf {
  const files = new Map<string, Lines | null>()
  return (path, startLine, endLine) => {
    if (!files.has(path)) {
      const text = textOf(path)
      files.set(path, text === null ? null : new Lines(text))
    }
    return (
      files.get(path)?.rangeOf(startLine, endLine, encoding) ?? {
        start: { line: startLine - 1, character: 0 },
        // Whoever opens the file takes it for the end of the line.
        end: { line: endLine - 1, character: uinteger.MAX_VALUE },
      }
    )
  }
}

function messageOf(finding: Finding): string {
  const { title, explanation, remedy } = finding
  const parts = [title, explanation, documentedWords(finding), remedy ?? '']
  return visibleText(parts.filter((part) => part !== '').join('\n\n'))
}

function tagsOf({ claims }: Finding): Pick<Diagnostic, 'tags'> {
  return claims.some(({ kind }) => kind === 'unused') ? { tags: [DiagnosticTag.Unnecessary] } : {}
}
