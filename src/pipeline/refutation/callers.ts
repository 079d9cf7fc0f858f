/**
 * Where the definition around a finding is called, if what the finding says depends on what a caller passes: the guard or the
 * constant there is what speaks against it most often.
 */
import { askTool } from '../../agent/ask-tool.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Around } from './code-around.ts'
import { type DossierContext, linesOf } from './sources.ts'

const mostCallers = 3

/** Lines above and below a call: a guard is rarely further up. */
const above = 4
const below = 1

/** Says when it happens by what comes in. */
const onInput =
  /\b(?:if|when|whenever|unless|with|without|given|for)\b[^.\n]{0,80}\b(?:null|undefined|nil|none|empty|missing|absent|unset|blank|negative|zero|nan|no)\b|\b(?:called|invoked) (?:with|without|twice|before|after|concurrently|in parallel)\b|\bcallers?\b|\bpass(?:es|ed|ing)?\b/i

/** A line of `find_references`: `src/b.ts:9 call (import): total(first(prices))`. */
const call = /^(.+?):(\d{1,9}) call \(/gm

/** Empty where nothing of the kind is said, or the repository cannot be searched. Rejects only after an abort. */
export async function callersOf(
  { title, explanation }: Finding,
  [around]: readonly Around[],
  { code, head, signal }: DossierContext,
): Promise<EvidenceDraft[]> {
  if (!code || !around?.symbol || !onInput.test(`${title}\n${explanation}`)) return []
  const { name } = around.symbol
  const toolbox = await code.openToolbox('refute')
  const wanted = { tool: 'find_references', args: { symbol: name, path: around.path } }
  const { evidence, isError } = await askTool(toolbox, wanted, signal)
  if (isError) return []
  const calls = evidence.flatMap(({ text }) => [...text.matchAll(call)])
  const places = calls.slice(0, mostCallers).map(([, path = '', line]) => ({ path, line: Number(line) }))
  const texts = await head.readMany([...new Set(places.map(({ path }) => path))])
  return places.flatMap(({ path, line }) => {
    const source = texts.get(path)
    const range = { startLine: Math.max(1, line - above), endLine: line + below }
    return (source && linesOf(source, { path, side: 'new', ...range }, `a call of \`${name}\``)) ?? []
  })
}
