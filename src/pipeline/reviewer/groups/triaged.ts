/** Which plane is asked about which file, by what triage left. */
import type { Triage } from '../../../domain/coverage.ts'
import type { ModelPlane } from '../panel/contract.ts'

export type AsksAbout = (plane: ModelPlane, path: string) => boolean

/** Without triage every plane is asked about every file, and so is a file that triage says nothing of. */
export function readTriage(triage: Triage | null): AsksAbout {
  const categoriesOf = new Map(triage?.files.map(({ path, categories }) => [path, categories]))
  return ({ categories }, path) => {
    const left = categoriesOf.get(path)
    return !left || categories.some((category) => left.includes(category))
  }
}
