/** Secrets of one kind in one file as a candidate. It quotes their lines, which show them masked. */
import type { AddedSecret, FileChange } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { tagOf } from '../../../domain/line-tag.ts'
import type { Severity } from '../../../domain/severity.ts'
import type { AddedLine } from '../added-lines.ts'
import { isMadeUpMaterial } from './expected.ts'

export type SecretPlace = { secret: AddedSecret; line: AddedLine }

/** Of a long line so much is quoted. */
const longestQuote = 300
const mostLines = 40

export function describeSecrets(
  file: FileChange,
  kind: string,
  places: readonly SecretPlace[],
): CandidateDraft {
  const certain = places.some(({ secret }) => secret.certain)
  const lines = [...new Map(places.map((place) => [place.line, place])).values()]
  const shown = lines.slice(0, mostLines)
  const where = lines.length === 1 ? '' : ` on ${lines.length} lines`
  return {
    plane: 'secrets',
    rule: `secrets/${kind.toLowerCase().replace(/[^a-z]+/g, '-')}`,
    severity: severityOf(file, certain),
    category: 'security',
    confidence: certain ? 'certain' : 'likely',
    title: `${capital(article(kind))} is committed in plain text${where}`,
    explanation:
      'Whoever can read the repository, now or at any later time, can use it: a later commit that deletes the line does not take it out of the history.',
    remedy: 'Revoke it where it was issued, then read the new one from the environment or a secret store.',
    anchor: { path: file.path, tags: shown.map(({ line }) => tagOf(line)) },
    claims: shown.map((place) => ({
      kind: 'line-contains',
      side: 'new',
      path: file.path,
      line: place.line.new,
      text: quoteOf(place),
    })),
    suggestion: null,
    preExisting: false,
    evidence: shown.map((place) => ({
      item: {
        source: 'tool',
        trust: 'own',
        title: `line with ${article(kind)}, masked`,
        path: file.path,
        blob: file.newBlob,
        side: 'new',
        startLine: place.line.new,
        endLine: place.line.new,
        text: quoteOf(place),
      },
      quote: quoteOf(place),
    })),
  }
}

function quoteOf({ line }: SecretPlace): string {
  return line.text.slice(0, longestQuote)
}

function severityOf(file: FileChange, certain: boolean): Severity {
  if (isMadeUpMaterial(file) || file.role === 'docs') return 'medium'
  return certain ? 'critical' : 'medium'
}

function article(kind: string): string {
  return /^[AEIOaeio]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
