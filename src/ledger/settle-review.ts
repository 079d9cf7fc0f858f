/** Which findings of a review do not count, because they were dismissed before. */
import { UserError } from '../base/errors.ts'
import { type ChangeSet, pathAfterRenames } from '../domain/change-set.ts'
import type { Verdict } from '../domain/finding.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { emptyView, type LedgerView, type Settled, settleFindings } from './settle.ts'

/** What was dismissed in the ledger, by the team's file of the base, or by a comment beside the code does not count. */
export async function settleReview(
  verdicts: readonly Verdict[],
  { base, head }: CollectedChange,
  { files }: ChangeSet,
  { view = emptyView, model }: { view?: LedgerView | undefined; model: string | null },
): Promise<Settled> {
  const anchors = verdicts.flatMap(({ finding }) => (finding ? [finding.anchor.path] : []))
  const paths = [...new Set(anchors)]
  const [old, fresh] = await Promise.all([readTexts(base, paths), readTexts(head, paths)])
  return settleFindings({
    view,
    verdicts,
    model,
    textOf: (side, path) => (side === 'old' ? old : fresh).get(path) ?? null,
    pathNow: pathAfterRenames(files),
  })
}

/** A replay of an earlier version's run may lack some of them. */
async function readTexts(tree: RepoSnapshot, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  try {
    return new Map([...(await tree.readMany(paths))].map(([path, { text }]) => [path, text]))
  } catch (error) {
    if (error instanceof UserError && error.code === 'run-unreadable') return new Map()
    throw error
  }
}
