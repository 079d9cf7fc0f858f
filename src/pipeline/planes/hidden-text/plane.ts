/** The hidden-text plane: characters in added lines and file names that people cannot see, or take for others. */
import { visibleLine } from '../../../base/visible-text.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import { type AddedText, addedText } from '../added-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { hiddenCharacters } from './characters.ts'
import { describeLines, describeName, type Sighting } from './describe.ts'
import { lookAlikes, spellOut } from './look-alikes.ts'
import type { Problem } from './problems.ts'

export const hiddenTextPlane: Plane = {
  name: 'hidden-text',
  description: 'characters in added lines and file names that people cannot see, or take for others',
  look,
}

/** Where sentences for people stand in source formats too. */
const translations = /(?:^|\/)(?:locales?|i18n|l10n|lang|langs|languages|translations?)\//i

async function look({ context }: PlaneInput): Promise<PlaneReport> {
  const { files } = context.change
  const candidates = files.flatMap((file) => {
    const seen = file.status === 'deleted' ? [] : hiddenInName(file.path)
    return seen.length > 0 ? [describeName(file)] : []
  })
  for (const added of addedText(context.change)) {
    if (added.file.lossyText) continue
    const byProblem = Map.groupBy(sightingsOf(added), ({ problem }) => problem)
    for (const [problem, sightings] of byProblem)
      candidates.push(describeLines(added.file, problem, sightings))
  }
  return { candidates, limits: [] }
}

function hiddenInName(path: string): unknown[] {
  const hidden = hiddenCharacters(path, { isStart: false, isProse: false })
  return [...hidden, ...path.split('/').flatMap(lookAlikes)]
}

function sightingsOf({ file, lines }: AddedText): Sighting[] {
  const isProse = isForPeople(file)
  return lines.flatMap((line) => {
    const text = line.text.replace(/\r$/, '')
    const byKind = Map.groupBy(
      hiddenCharacters(text, { isStart: line.new === 1, isProse }),
      ({ kind }): Problem => kind,
    )
    // Other encodings and recorded output hold control characters by nature.
    if (file.role === 'data') byKind.delete('control')
    const found: Sighting[] = [...byKind].map(([problem, characters]) => ({
      problem,
      line,
      column: characters[0]?.offset ?? 0,
      seen: characters.map(({ character }) => visible(character)),
    }))
    const names = lookAlikes(text)
    const [first] = names
    if (first !== undefined)
      found.push({ problem: 'look-alike', line, column: text.indexOf(first), seen: names.map(spellOut) })
    return found
  })
}

function isForPeople({ path, role }: FileChange): boolean {
  return role === 'docs' || role === 'data' || translations.test(path)
}

/** Selectors count as letters' marks to everybody else, so they are spelled here. */
function visible(character: string): string {
  const shown = visibleLine(character)
  if (shown !== character) return shown
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`
}
