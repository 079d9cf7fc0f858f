/** What code makes of one file: what is not asked about, and what a scout may still leave out. */
import type { FileChange } from '../../domain/change-set.ts'
import { Category } from '../../domain/severity.ts'
import { hintedCategories } from './hints.ts'
import { triageRules } from './rules.ts'

export type Weighed = {
  /** Not worth asking about, with the reason. */
  skipped: ReadonlyMap<Category, string>
  /** Asked about, unless a scout says that it is not worth it. */
  open: readonly Category[]
  /** Name of the rule that spoke; null where none fits. */
  rule: string | null
}

/**
 * What a scout may leave out. Never whether the code is right, keeps its promises or is safe: whoever wrote the change
 * also wrote what a scout reads of it.
 */
const mayBeOpen: readonly Category[] = ['performance', 'tests', 'documentation', 'maintainability']

/** `found`: categories of what planes of code found in the file; these are asked about, whatever a rule or a scout says. */
export function weighFile(file: FileChange, found: ReadonlySet<Category> = new Set()): Weighed {
  const rule = triageRules.find(({ fits }) => fits(file))
  if (rule) {
    const pointless = Category.options.filter((one) => !rule.worth.includes(one) && !found.has(one))
    return { skipped: new Map(pointless.map((one) => [one, rule.reason])), open: [], rule: rule.name }
  }
  const hinted = hintedCategories(file)
  const open = mayBeOpen.filter((one) => !found.has(one) && !hinted.has(one))
  return { skipped: new Map(), open, rule: null }
}
