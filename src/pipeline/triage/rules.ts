/**
 * What code alone can tell of a file: a table of rules, of which the first that fits speaks. It names what is worth asking
 * about, and the words with which coverage says why the rest is not.
 */
import type { FileChange } from '../../domain/change-set.ts'
import type { Category } from '../../domain/severity.ts'
import { changesNothing, touchesOnlyComments, touchesOnlyImports } from './line-kinds.ts'
import { runsAsWorkflow, speaksToModels } from './special-paths.ts'

export type TriageRule = {
  /** As docs/quality/triage.md counts it. */
  name: string
  fits: (file: FileChange) => boolean
  worth: readonly Category[]
  reason: string
}

const untilRead: readonly TriageRule[] = ['lock', 'generated', 'vendored', 'minified'].map((role) => ({
  name: role,
  fits: (file) => file.role === role,
  worth: [],
  reason: `${role === 'lock' ? 'a lock file' : role}: nobody wrote these lines by hand`,
}))

/** What none of these fits is source, of which anything may be asked. */
export const triageRules: readonly TriageRule[] = [
  ...untilRead,
  {
    name: 'moved',
    fits: changesNothing,
    worth: ['contract', 'security'],
    reason: 'moved, or another mode, without a changed line',
  },
  {
    name: 'for models',
    fits: ({ role, path }) => role === 'docs' && speaksToModels(path),
    worth: ['correctness', 'security', 'documentation', 'maintainability'],
    reason: 'instructions for models: they steer, but run no code of their own',
  },
  {
    name: 'document',
    fits: ({ role }) => role === 'docs',
    // Whether its commands and claims are right is asked as documentation.
    worth: ['documentation', 'maintainability'],
    reason: 'a document: nothing in it runs',
  },
  {
    name: 'test',
    fits: ({ role }) => role === 'test',
    worth: ['tests', 'correctness', 'documentation', 'maintainability'],
    reason: 'a test: nobody but those who change the code runs it',
  },
  {
    name: 'data',
    // Statements of a database, and notebooks, run: whatever may be wrong with code may be wrong with them.
    fits: ({ role, path }) => role === 'data' && !/\.(?:sql|ipynb)$/i.test(path),
    worth: ['correctness', 'contract', 'security'],
    reason: 'data: nothing in it runs',
  },
  {
    name: 'deleted',
    fits: ({ status }) => status === 'deleted',
    worth: ['correctness', 'contract', 'security', 'tests'],
    reason: 'the file is gone: what is left to ask is who needed it',
  },
  {
    name: 'workflow',
    fits: ({ role, path }) => role === 'config' && runsAsWorkflow(path),
    worth: ['correctness', 'security', 'maintainability'],
    reason: 'it builds or ships the code, and is no part of what the code does',
  },
  {
    name: 'configuration',
    fits: ({ role }) => role === 'config',
    worth: ['correctness', 'contract', 'security', 'performance', 'maintainability', 'documentation'],
    reason: 'a configuration: no test is written for it',
  },
  {
    name: 'comments',
    fits: touchesOnlyComments,
    worth: ['documentation', 'maintainability'],
    reason: 'only comments and blank lines changed',
  },
  {
    name: 'imports',
    fits: touchesOnlyImports,
    worth: ['correctness', 'contract', 'security', 'maintainability'],
    reason: 'only imports changed',
  },
]
