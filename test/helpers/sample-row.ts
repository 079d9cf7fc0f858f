/** A row of the catalog, as an ordinary review has it. */
import type { RunRow } from '../../src/storage/catalog/contract.ts'

export function sampleRow(more: Partial<RunRow> & Pick<RunRow, 'run' | 'startedAt'>): RunRow {
  return {
    ...{ kind: 'review', repository: 'github.com/acme/shop', change: 7, url: null },
    ...{ label: 'pull request 7', title: 'Fix the cart', place: 'github.com/acme/shop/7' },
    ...{ depth: 'standard', state: 'finished', word: 'APPROVE', headline: null, complete: true },
    ...{ findings: { critical: 0, high: 0, medium: 0, low: 0 }, candidates: 0, calls: 0, cachedCalls: 0 },
    ...{ tokens: { input: 0, cacheRead: 0, output: 0 }, usd: 0, unpricedCalls: 0, durationMs: 1_000 },
    damage: null,
    ...more,
  }
}
