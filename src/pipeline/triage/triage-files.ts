/**
 * Triage: which categories are worth asking about in which file. Rules first; a scout is asked once about what they leave
 * open. Whatever is not certain is asked about.
 */
import type { Fence } from '../../base/untrusted/untrusted.ts'
import type { FileChange } from '../../domain/change-set.ts'
import type { SkippedPair, Triage } from '../../domain/coverage.ts'
import type { EventListener } from '../../domain/events.ts'
import type { Candidate } from '../../domain/finding.ts'
import type { EstimateOf } from '../../domain/model-report.ts'
import { Category } from '../../domain/severity.ts'
import type { Gateway } from '../../llm/contract.ts'
import { askScout, type LeftOut, triageQuestion } from './ask-scout.ts'
import { type Weighed, weighFile } from './weigh-file.ts'

export type TriageInput = {
  /** Those that a person would read. */
  files: readonly FileChange[]
  /** What the planes that will be asked speak of; nothing else is worth a question. */
  categories: ReadonlySet<Category>
  /** Of planes of code: what they found something of is asked about. */
  candidates: readonly Pick<Candidate, 'anchor' | 'category'>[]
  /** False: what rules leave open is asked about. */
  scout: boolean
  /** The change as a scout may see it, fenced. */
  change: string
  gateway: Gateway
  fence: Fence
  onEvent: EventListener
  signal: AbortSignal
}

/** Never fails for what a model does. In path order, whichever file was weighed first. */
export async function triageFiles(input: TriageInput): Promise<Triage> {
  const weighed = weighAll(input)
  const leftOut: LeftOut = input.scout
    ? await askScout({ ...input, files: openFiles(weighed, input.categories) })
    : new Map()
  const triage: Triage = { files: [], skipped: [] }
  for (const [path, { skipped }] of weighed) {
    const said = leftOut.get(path) ?? new Map<Category, string>()
    const pairs = Category.options.flatMap((category): SkippedPair[] => {
      const [rule, scout] = [skipped.get(category), said.get(category)]
      if (rule !== undefined) return [{ path, category, by: 'rule', reason: rule }]
      return scout === undefined ? [] : [{ path, category, by: 'scout', reason: scout }]
    })
    const gone = new Set(pairs.map(({ category }) => category))
    const categories = Category.options.filter((category) => !gone.has(category))
    triage.files.push({ path, categories, by: said.size > 0 ? 'scout' : 'rule' })
    triage.skipped.push(...pairs.filter(({ category }) => input.categories.has(category)))
  }
  const byScout = triage.skipped.filter(({ by }) => by === 'scout').length
  const { files, skipped } = triage
  input.onEvent({ type: 'triage', files: files.length, skipped: skipped.length, byScout })
  return triage
}

/** What the scout's question would take at most; null when nothing is left to ask. Sends nothing. */
export function estimateTriage(input: Omit<TriageInput, 'onEvent'>): EstimateOf | null {
  const files = openFiles(weighAll(input), input.categories)
  if (!input.scout || files.length === 0 || !input.gateway.modelOf('scout')) return null
  return { calls: 1, ...input.gateway.estimate(triageQuestion({ ...input, files })) }
}

function weighAll({ files, candidates }: Pick<TriageInput, 'files' | 'candidates'>): Map<string, Weighed> {
  const found = new Map<string, Set<Category>>()
  for (const { anchor, category } of candidates)
    found.set(anchor.path, (found.get(anchor.path) ?? new Set<Category>()).add(category))
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  return new Map(inOrder.map((file) => [file.path, weighFile(file, found.get(file.path))]))
}

function openFiles(weighed: ReadonlyMap<string, Weighed>, categories: ReadonlySet<Category>) {
  return [...weighed].flatMap(([path, { open }]) => {
    const asked = open.filter((category) => categories.has(category))
    return asked.length === 0 ? [] : [{ path, open: asked }]
  })
}
