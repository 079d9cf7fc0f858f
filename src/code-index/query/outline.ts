/** What a file defines, nested as it is written. */
import type { FileFacts } from '../contract.ts'
import { languageOf } from '../language-of.ts'
import type { CodeTree, OutlineAnswer, OutlineEntry } from './contract.ts'
import { siteOf } from './site.ts'

/** Never throws for a file that cannot be read: `state` tells. */
export async function outlineFile(tree: CodeTree, path: string): Promise<OutlineAnswer> {
  const empty = { path, language: languageOf(path), lines: null, symbols: [], errorLines: [] }
  if (!tree.world.paths.has(path))
    return { ...empty, state: 'absent', why: 'no file stands at this path in the tree' }
  const facts = await tree.world.facts(path)
  if (facts)
    return {
      path,
      state: 'indexed',
      why: null,
      language: facts.language,
      lines: facts.lineCount,
      symbols: nest(path, facts),
      errorLines: facts.errorLines.map((range) => ({ ...range })),
    }
  const text = await tree.world.text(path)
  if (text === null)
    return { ...empty, state: 'unparsed', why: 'it is binary, too large, or its object is missing' }
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (empty.language === null)
    return {
      ...empty,
      lines,
      state: 'text only',
      why: 'its language is not indexed; it can be searched as text',
    }
  const failure = tree.failures.find((one) => one.path === path)
  return { ...empty, lines, state: 'unparsed', why: `the parser gave up: ${failure?.reason ?? 'unknown'}` }
}

function nest(path: string, facts: FileFacts): OutlineEntry[] {
  const entries = facts.symbols.map((symbol, index) => ({
    ...siteOf({ path, facts, index }),
    doc: symbol.doc,
    members: [] as OutlineEntry[],
  }))
  return entries.filter((entry, index) => {
    const holder = facts.parents[index] ?? null
    const around = holder === null || holder === index ? undefined : entries[holder]
    around?.members.push(entry)
    return around === undefined
  })
}
