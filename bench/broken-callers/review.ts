/** Runs collect, diff, symbols and the contract plane, the real ones, on one commit. */
import type { FactStore } from '../../src/code-index/contract.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import type { SymbolChange } from '../../src/domain/code-symbol.ts'
import type { CandidateDraft } from '../../src/domain/finding.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { buildContext } from '../../src/pipeline/context/build-context.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../../src/pipeline/diff/symbol-changes.ts'
import type { BrokenUse } from '../../src/pipeline/planes/contract/breakage.ts'
import { brokenUsesIn, contractPlane } from '../../src/pipeline/planes/contract/plane.ts'

const limits = { changedFiles: 3000, fileBytes: 1_048_576, treeEntries: 1_000_000 }

export async function symbolChanges(
  folder: string,
  commit: string,
  facts: FactStore,
): Promise<SymbolChange[]> {
  const collected = await collectLocal({ folder, selector: { kind: 'commit', commit }, limits })
  try {
    const { base, head } = collected
    const change = await readChangeSet(await collected.diff(), {
      exclude: [],
      generated: [],
      tests: [],
      base,
    })
    return await diffSymbols({ change, base, head, facts })
  } finally {
    await collected.close()
  }
}

export type PlaneRun = {
  candidates: CandidateDraft[]
  /** Every place behind them, also those beyond the cap on evidence. */
  found: BrokenUse[]
  symbols: SymbolChange[]
  limits: string[]
  milliseconds: number
}

export async function runPlane(folder: string, commit: string, facts: FactStore): Promise<PlaneRun> {
  const collected = await collectLocal({ folder, selector: { kind: 'commit', commit }, limits })
  try {
    const { base, head, history, request } = collected
    const change = await readChangeSet(await collected.diff(), {
      exclude: [],
      generated: [],
      tests: [],
      base,
    })
    const symbols = await diffSymbols({ change, base, head, facts })
    const context = buildContext({
      request,
      configHash: '',
      change,
      symbols,
      tests: [],
      evidence: [],
      cuts: [],
    })
    const startedAt = performance.now()
    const { signal } = new AbortController()
    const input = { context, base, head, history, facts, config: defaultConfig, signal }
    const report = await contractPlane.look(input)
    const milliseconds = performance.now() - startedAt
    const { found } = await brokenUsesIn(input)
    return { ...report, found, symbols, milliseconds }
  } finally {
    await collected.close()
  }
}
