/** Opens a tree for questions; all is closed when the test ends. */
import { expect, onTestFinished } from 'vitest'
import type { CodeTree, ReferencesAnswer } from '../../../src/code-index/query/contract.ts'
import { findTargets } from '../../../src/code-index/query/definitions.ts'
import { openCodeTree } from '../../../src/code-index/query/open-tree.ts'
import type { Definition } from '../../../src/code-index/resolve/contract.ts'
import { refreshTree } from '../../../src/code-index/tree-index/refresh.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { createRepo, type Files } from '../../helpers/git-repo.ts'
import { headOf } from '../../helpers/head-of.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

/** By git: for what asks it how two trees differ. */
export async function snapshotOf(files: Files): Promise<RepoSnapshot> {
  const repo = createRepo()
  repo.commit(files)
  return headOf(repo)
}

/** `indexed`: through an index in memory, instead of passes over the texts. */
export async function treeOf(files: Files, { indexed = false } = {}): Promise<CodeTree> {
  const snapshot = memorySnapshot(files)
  const store = sharedFacts()
  onTestFinished(() => store.close())
  if (!indexed) return openCodeTree(snapshot, store)
  const refreshed = await refreshTree({ snapshot, facts: store, stored: null })
  if (!('tree' in refreshed)) throw new Error(refreshed.why)
  return openCodeTree(snapshot, store, { index: refreshed.tree.index })
}

/** The one definition asked for. */
export async function target(tree: CodeTree, asked: string): Promise<Definition> {
  const [found, ...others] = await findTargets(tree, asked)
  expect(
    others.map(({ path }) => path),
    `others called ${asked}`,
  ).toEqual([])
  if (!found) throw new Error(`no ${asked}`)
  return found
}

/** `b.ts:3 call import 1 in run`. */
export function edges({ references }: ReferencesAnswer): string[] {
  return references.map(({ path, line, role, how, confidence, within }) =>
    [`${path}:${line} ${role} ${how} ${confidence}`, ...(within ? [`in ${within.name}`] : [])].join(' '),
  )
}

export function doubts({ unresolved }: ReferencesAnswer): string[] {
  return unresolved.map(({ path, line, role, why }) => `${path}:${line} ${role} ${why}`)
}
