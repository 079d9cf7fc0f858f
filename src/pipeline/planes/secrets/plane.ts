/**
 * The secrets plane: tokens, keys and passwords in added lines. The collector found them on whole files and masked them,
 * so that not even this plane sees one.
 */
import type { AddedSecret } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { type AddedLine, addedText } from '../added-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { describeSecrets, type SecretPlace } from './describe.ts'
import { isExpected } from './expected.ts'

export const secretsPlane: Plane = {
  name: 'secrets',
  description: 'tokens, keys and passwords in added lines',
  look,
}

async function look({ context }: PlaneInput): Promise<PlaneReport> {
  const candidates: CandidateDraft[] = []
  for (const { file, lines } of addedText(context.change)) {
    // Hashes of packages look random, and a lock file holds nothing else.
    if (!file.secrets || file.role === 'lock' || file.role === 'generated') continue
    const added = new Map(lines.map((line) => [line.new, line]))
    const places = file.secrets.filter((one) => !isExpected(one, file)).flatMap((one) => placeOf(one, added))
    for (const [kind, alike] of Map.groupBy(places, ({ secret }) => secret.kind))
      candidates.push(describeSecrets(file, kind, alike))
  }
  return { candidates, limits: [] }
}

/** Part of a line that was there before, or of a key whose first line was, it is nothing new. */
function placeOf(secret: AddedSecret, added: ReadonlyMap<number, AddedLine>): SecretPlace[] {
  const line = added.get(secret.line)
  return line ? [{ secret, line }] : []
}
