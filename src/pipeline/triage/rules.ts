/** What code alone can tell: which categories a file is worth asking about, which are not, and which might be left out. */
import type { FileChange } from '../../domain/change-set.ts'
import { Category } from '../../domain/severity.ts'
import { touchesOnlyComments } from './comment-lines.ts'

export type Weighed = {
  /** Not worth asking about, with the reason. */
  skipped: ReadonlyMap<Category, string>
  /** Asked about, unless a scout says that it is not worth it. */
  open: readonly Category[]
}

/**
 * What a scout may leave out. Never whether the code is right, keeps its promises or is safe: whoever wrote the change
 * also wrote what a scout reads of it.
 */
const mayBeOpen: readonly Category[] = ['performance', 'tests', 'documentation', 'maintainability']

export function weighFile(file: FileChange): Weighed {
  const { only, reason } = worthAsking(file)
  const left = new Set(only ?? Category.options)
  return {
    skipped: new Map(Category.options.flatMap((one) => (left.has(one) ? [] : [[one, reason] as const]))),
    open: only === null ? mayBeOpen : [],
  }
}

/** `only` null: anything may be wrong with it. */
function worthAsking(file: FileChange): { only: readonly Category[] | null; reason: string } {
  if (file.role === 'docs') return { only: ['documentation'], reason: 'a document: nothing in it runs' }
  if (file.role === 'test')
    return {
      only: ['tests', 'correctness', 'documentation', 'maintainability'],
      reason: 'a test: nobody but those who change the code runs it',
    }
  if (file.role === 'data')
    return { only: ['correctness', 'contract', 'security'], reason: 'data: nothing in it runs' }
  if (file.status === 'deleted')
    return {
      only: ['correctness', 'contract', 'security', 'tests'],
      reason: 'the file is gone: what is left to ask is who needed it',
    }
  if (file.role === 'config')
    return {
      only: ['correctness', 'contract', 'security', 'performance', 'maintainability', 'documentation'],
      reason: 'a configuration: no test is written for it',
    }
  if (touchesOnlyComments(file))
    return { only: ['documentation', 'maintainability'], reason: 'only comments and blank lines changed' }
  return { only: null, reason: '' }
}
