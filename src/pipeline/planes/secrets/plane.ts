/** The secrets plane: tokens, keys and passwords in added lines. What it reports never shows the secret itself. */
import type { SecretMatch } from '../../../base/secrets/contract.ts'
import { findSecrets } from '../../../base/secrets/find-secrets.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { tagOf } from '../../../domain/line-tag.ts'
import type { Severity } from '../../../domain/severity.ts'
import { type AddedLine, type AddedText, addedText } from '../added-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'

export const secretsPlane: Plane = {
  name: 'secrets',
  description: 'tokens, keys and passwords in added lines',
  look,
}

type Place = { match: SecretMatch; line: AddedLine; column: number }

async function look({ context }: PlaneInput): Promise<PlaneReport> {
  const candidates: CandidateDraft[] = []
  for (const added of addedText(context.change)) {
    const places = await secretsOf(added)
    for (const [kind, group] of Map.groupBy(places, ({ match }) => match.kind))
      candidates.push(describe(added.file, kind, group))
  }
  return { candidates, limits: [] }
}

/** Added lines are searched together, so that a key over several lines is seen whole. */
async function secretsOf({ file, lines }: AddedText): Promise<Place[]> {
  // Hashes of packages look random, and a lock file holds nothing else.
  if (file.role === 'lock' || file.role === 'generated') return []
  const text = lines.map((line) => line.text).join('\n')
  const starts: number[] = []
  let offset = 0
  for (const line of lines) {
    starts.push(offset)
    offset += line.text.length + 1
  }
  return (await findSecrets(file.path, text)).flatMap((match) => {
    const index = starts.findLastIndex((start) => start <= match.start)
    const line = lines[index]
    return line && !isExpected(match, file)
      ? [{ match, line, column: match.start - (starts[index] ?? 0) }]
      : []
  })
}

/** Tests and manuals hold made-up values, and tests hold keys of their own servers. */
function isExpected({ kind, certain }: SecretMatch, file: FileChange): boolean {
  if (file.role === 'test') return !certain || kind === 'private key'
  return file.role === 'docs' && !certain
}

function describe(file: FileChange, kind: string, places: readonly Place[]): CandidateDraft {
  const [first] = places
  const certain = first?.match.certain ?? false
  const where = places.length === 1 ? '' : ` on ${places.length} lines`
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
    anchor: { path: file.path, tags: places.map(({ line }) => tagOf(line)) },
    claims: places.map(({ line, column }) => ({
      kind: 'line-contains',
      side: 'new',
      path: file.path,
      line: line.new,
      text: harmlessPart(line.text, column),
    })),
    suggestion: null,
    preExisting: false,
    evidence: places.map(({ line, column }) => ({
      item: {
        source: 'diff',
        trust: 'foreign',
        title: `line with ${article(kind)}`,
        path: file.path,
        blob: file.newBlob,
        side: 'new',
        startLine: line.new,
        endLine: line.new,
        text: line.text,
      },
      quote: harmlessPart(line.text, column),
    })),
  }
}

/** What may be shown of the line: all before the secret, and its first four characters. */
function harmlessPart(text: string, column: number): string {
  return text.slice(0, column + 4)
}

function severityOf(file: FileChange, certain: boolean): Severity {
  if (file.role === 'test' || file.role === 'docs') return 'medium'
  return certain ? 'critical' : 'medium'
}

function article(kind: string): string {
  return /^[AEIOaeio]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
