/** The secrets plane: tokens, keys and passwords in added lines. What it reports never shows the secret itself. */
import type { SecretMatch } from '../../../base/secrets/contract.ts'
import { findSecrets } from '../../../base/secrets/find-secrets.ts'
import type { ChangeSet, DiffLine } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { type AddedLine, type AddedText, addedText } from '../added-lines.ts'
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
  let before: ReadonlySet<string> | null = null
  for (const added of addedText(context.change)) {
    // Hashes of packages look random, and a lock file holds nothing else.
    if (added.file.role === 'lock' || added.file.role === 'generated') continue
    const matches = await secretsIn(added)
    if (matches.length === 0) continue
    before ??= await secretsBefore(context.change)
    const fresh = matches.filter(({ match }) => !before?.has(match.value))
    for (const [kind, places] of Map.groupBy(fresh, ({ match }) => match.kind))
      candidates.push(describeSecrets(added.file, kind, places))
  }
  return { candidates, limits: [] }
}

/** Added lines are searched together, so that a key over several lines is seen whole. */
async function secretsIn({ file, lines }: AddedText): Promise<SecretPlace[]> {
  const places = await findPlaces(file.path, lines)
  const firstOnLine = new Map<DiffLine, number>()
  for (const { line, column } of places)
    firstOnLine.set(line, Math.min(column, firstOnLine.get(line) ?? column))
  return places
    .filter(({ match }) => !isExpected(match, file))
    .map((place) => ({ ...place, column: firstOnLine.get(place.line) ?? place.column }))
}

/** What the change only moved was known already: the values in the lines it removes or leaves. */
async function secretsBefore({ files }: ChangeSet): Promise<ReadonlySet<string>> {
  const values = new Set<string>()
  for (const file of files) {
    const lines = file.hunks.flatMap((hunk) => hunk.lines.filter(({ kind }) => kind !== 'added'))
    if (lines.length === 0) continue
    for (const { match } of await findPlaces(file.oldPath ?? file.path, lines)) values.add(match.value)
  }
  return values
}

type Found<Line> = { match: SecretMatch; line: Line; column: number }

async function findPlaces<Line extends DiffLine | AddedLine>(
  path: string,
  lines: readonly Line[],
): Promise<Found<Line>[]> {
  const starts: number[] = []
  let offset = 0
  for (const line of lines) {
    starts.push(offset)
    offset += line.text.length + 1
  }
  const matches = await findSecrets(path, lines.map((line) => line.text).join('\n'))
  return matches.flatMap((match) => {
    const index = starts.findLastIndex((start) => start <= match.start)
    const line = lines[index]
    return line ? [{ match, line, column: match.start - (starts[index] ?? 0) }] : []
  })
}
