/**
 * The secrets plane: tokens, keys and passwords in added lines. The collector found them in whole files and masked them, so
 * that not even this plane sees one.
 */
import { isTestMaterialPath } from '../../../base/file-paths.ts'
import { encryptedKey } from '../../../base/secrets/key-blocks.ts'
import { type AddedSecret, type FileChange, unreadRoles } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { tagOf } from '../../../domain/line-tag.ts'
import type { Severity } from '../../../domain/severity.ts'
import { type AddedLine, allAddedText } from '../changed-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { withPlaces } from '../one-cause.ts'

export const secretsPlane: Plane = {
  name: 'secrets',
  description: 'tokens, keys and passwords in added lines',
  wrongIf: 'it opens nothing: an example, a test value, or revoked already',
  look,
}

async function look({ context }: PlaneInput): Promise<PlaneReport> {
  const candidates: CandidateDraft[] = []
  for (const { file, lines } of allAddedText(context.change)) {
    if (!file.secrets) continue
    const added = new Map(lines.map((line) => [line.new, line]))
    const located = file.secrets
      .filter((one) => !isExpected(one, file) && !isReplacedExample(one, file, added))
      .flatMap((one) => locate(one, added))
    for (const [kind, alike] of Map.groupBy(located, ({ secret }) => secret.kind))
      candidates.push(describeSecrets(file, kind, alike))
  }
  return { candidates: perCause(candidates), limits: [] }
}

/** Files that hold the same kind of secret, each a finding of its own; more than these have one reason. */
const mostAlike = 3

function perCause(candidates: readonly CandidateDraft[]): CandidateDraft[] {
  const groups = Map.groupBy(candidates, ({ rule, severity }) => `${rule} ${severity}`)
  return [...groups.values()].flatMap(([first, ...others]) =>
    first && others.length >= mostAlike ? [withPlaces(first, others)] : first ? [first, ...others] : [],
  )
}

/** A key of an example whose header was there before: it takes the place of another one. */
function isReplacedExample(
  { kind, line }: AddedSecret,
  { path }: FileChange,
  added: ReadonlyMap<number, AddedLine>,
): boolean {
  return isKey(kind) && examples.test(path) && !added.has(line)
}

/** On the first of its lines that is new: the header of a key that replaces another was there before. */
function locate(secret: AddedSecret, added: ReadonlyMap<number, AddedLine>): LocatedSecret[] {
  for (let at = secret.line; at <= (secret.endLine ?? secret.line); at++) {
    const line = added.get(at)
    if (line) return [{ secret, line }]
  }
  return []
}

type LocatedSecret = { secret: AddedSecret; line: AddedLine }

/** Characters of a line that are quoted. */
const longestQuote = 300
const mostLines = 40

/** One candidate for the secrets of one kind in a file. It quotes their lines, in which they are masked. */
function describeSecrets(file: FileChange, kind: string, located: readonly LocatedSecret[]): CandidateDraft {
  const certain = located.some(({ secret }) => secret.certain)
  const lines = [...new Map(located.map((one) => [one.line, one])).values()]
  const shown = lines.slice(0, mostLines)
  const where = lines.length === 1 ? '' : ` on ${lines.length} lines`
  return {
    plane: 'secrets',
    rule: `secrets/${kind.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    severity: severityOf(kind, file, certain),
    category: 'security',
    // A manual, a test or an example may show one of the true form that was never issued, or that opens a demonstration.
    confidence: certain && !isShown(file) ? 'certain' : 'likely',
    title: `${capital(article(kind))} is committed${kind === encryptedKey ? '' : ' in plain text'}${where}`,
    explanation: `Anyone who can read the repository, now or later, can ${kind === encryptedKey ? 'guess its passphrase' : 'use it'}: a later commit that deletes the line does not take it out of the history.`,
    remedy: 'Revoke it where it was issued, then read the new one from the environment or a secret store.',
    anchor: { path: file.path, tags: shown.map(({ line }) => tagOf(line)) },
    claims: shown.map((one) => ({
      kind: 'line-contains',
      side: 'new',
      path: file.path,
      line: one.line.new,
      text: quoteOf(one),
    })),
    suggestion: null,
    preExisting: false,
    evidence: shown.map((one) => ({
      item: {
        source: 'tool',
        trust: 'own',
        title: `line with ${article(kind)}, masked`,
        path: file.path,
        blob: file.newBlob,
        side: 'new',
        startLine: one.line.new,
        endLine: one.line.new,
        text: quoteOf(one),
      },
      quote: quoteOf(one),
    })),
  }
}

function quoteOf({ line }: LocatedSecret): string {
  return line.text.slice(0, longestQuote)
}

function severityOf(kind: string, file: FileChange, certain: boolean): Severity {
  return certain && kind !== encryptedKey && !isShown(file) ? 'critical' : 'medium'
}

function isKey(kind: string): boolean {
  return kind === 'private key' || kind === encryptedKey
}

function article(kind: string): string {
  return /^[AEIOaeio]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const examples = /(?:^|\/)examples?\//i

function isShown(file: FileChange): boolean {
  return file.role === 'docs' || examples.test(file.path) || isMadeUpMaterial(file)
}

function isMadeUpMaterial({ path, role }: FileChange): boolean {
  return role === 'test' || isTestMaterialPath(path)
}

/** Tests and manuals contain made-up values, and tests the keys of their own servers. */
function isExpected({ kind, certain }: AddedSecret, file: FileChange): boolean {
  // Made of hashes and other people's values, of which some look random.
  if (unreadRoles.has(file.role) && !certain) return true
  if (isMadeUpMaterial(file)) return !certain || isKey(kind)
  return !certain && (file.role === 'docs' || examples.test(file.path))
}
