/** What is found around a change of files in memory, and what of it a bundle shows. */
import { trimPassages } from '../../../src/pipeline/context/gather.ts'
import { retrieveGraph } from '../../../src/pipeline/context/retrieval/retrieve-graph.ts'
import { readChange, type Texts } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

export async function around(files: Texts, changed: Texts) {
  const { change, set } = await readChange(files, changed)
  const { base, head } = change
  const input = { change: set, base, head, facts: sharedFacts(), isOutOfTime: () => false }
  const { lists, passages } = await retrieveGraph(input)
  const texts = await head.readMany([...new Set(passages.map(({ path }) => path))])
  const { kept } = trimPassages(passages, texts, 8_000)
  return { lists, shown: kept.flatMap(({ drafts }) => drafts) }
}
