/** Keeps a catalog up to date with the runs and the ledger of one tenant while somebody looks at it. */

import type { LedgerStore } from '../../ledger/contract.ts'
import { foldLedger } from '../../ledger/fold.ts'
import { outcomeOf } from '../../ledger/outcomes.ts'
import type { Catalog, OutcomeAmount } from '../../storage/catalog/contract.ts'
import { syncCatalog } from '../../storage/catalog/sync.ts'
import type { RunStore } from '../../storage/runs/contract.ts'

export type FreshParts = {
  runs: RunStore
  ledger: LedgerStore
  catalog: Catalog
  onFailure: (error: unknown) => void
}

const everyMs = 2_000
/** What people decide on findings is read again at least so often. */
const ledgerMs = 60_000

export function keepCatalogFresh({ runs, ledger, catalog, onFailure }: FreshParts): {
  stop(): Promise<void>
} {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let ledgerAt = Number.NEGATIVE_INFINITY
  const round = async (): Promise<void> => {
    try {
      const { added } = await syncCatalog(runs, catalog, stopping.signal)
      if (added > 0 || performance.now() - ledgerAt > ledgerMs) {
        await syncOutcomes(ledger, catalog, stopping.signal)
        ledgerAt = performance.now()
      }
    } catch (error) {
      onFailure(error)
    }
    if (!stopping.signal.aborted)
      timer = setTimeout(() => {
        current = round()
      }, everyMs)
  }
  let current = round()
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await current
    },
  }
}

/** Counts what became of findings, of one repository or of all, by the day on which each was first reported. */
export async function syncOutcomes(
  ledger: LedgerStore,
  catalog: Catalog,
  signal: AbortSignal,
  only?: string,
): Promise<void> {
  for (const repository of only === undefined ? await ledger.repositories() : [only]) {
    if (signal.aborted) return
    const folded = foldLedger((await ledger.read(repository)).events)
    const amounts = new Map<string, OutcomeAmount>()
    for (const finding of folded.findings.values()) {
      const outcome = outcomeOf(folded, finding)
      if (outcome === null) continue
      const { plane, rule, model } = finding.facts
      const day = finding.firstSeen.slice(0, 10)
      const groups = [
        ['all', 'all findings'],
        ['plane', plane],
        ['rule', rule],
        ['repository', repository],
        ['model', model ?? 'no model (code checks)'],
      ] as const
      for (const [by, name] of groups) {
        const key = JSON.stringify([day, by, name, outcome])
        const known = amounts.get(key)
        amounts.set(key, { day, by, name, outcome, amount: (known?.amount ?? 0) + 1 })
      }
    }
    await catalog.putOutcomes(repository, [...amounts.values()])
  }
}
