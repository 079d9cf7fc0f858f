/** Which rules look at which files. */
import { matchGlobs } from '../../../base/globs.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { Rule } from './rule.ts'

export type RuleScope = (rule: Rule, file: FileChange) => boolean

export function createScope(): RuleScope {
  const compiled = new Map<Rule, { isIn: (path: string) => boolean; isOut: (path: string) => boolean }>()
  return (rule, file) => {
    if (rule.audience === 'tests' && file.role !== 'test') return false
    if (rule.audience === 'product-code' && file.role === 'test') return false
    let globs = compiled.get(rule)
    if (!globs) {
      globs = {
        isIn: rule.files.length === 0 ? () => true : matchGlobs(rule.files),
        isOut: matchGlobs(rule.ignores),
      }
      compiled.set(rule, globs)
    }
    return globs.isIn(file.path) && !globs.isOut(file.path)
  }
}
