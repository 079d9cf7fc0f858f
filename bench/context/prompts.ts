/**
 * How large are the questions to a reviewer, and how much of them is repeated?
 *
 *   node bench/context/prompts.ts --mirrors FOLDER [--cache FOLDER] [--json FILE] CASES.jsonl…
 *
 * Over the changes of evaluation cases at depth standard, nothing cut for time. No model is asked: in place of a scout the
 * same calls are made for every change (an outline and a read of each of the first six changed source files, references
 * and definition of the first four changed symbols). Prints for each change the questions, their bytes, and the lines of
 * at least ten characters that are in one question more than once.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { evidenceOf } from '../../src/agent/answer.ts'
import type { ToolCall } from '../../src/agent/contract.ts'
import { openContextTools } from '../../src/assembly/open-context-tools.ts'
import { showContext } from '../../src/assembly/show-context.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { Config } from '../../src/config/schema.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import { openEvidenceBook } from '../../src/domain/evidence.ts'
import type { ReviewContext } from '../../src/domain/review-context.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { type ContextCase, readCases } from './cases.ts'
import { planReview } from './plan-review.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mirrors: { type: 'string' }, cache: { type: 'string' }, json: { type: 'string' } },
})
if (!values.mirrors || positionals.length === 0) throw new Error('see the head of this file for its options')

type Row = { id: string; questions: number; bytes: number; lines: number; repeated: number }

const config = Config.parse({
  review: { depth: 'standard' },
  context: { graphSeconds: 600, historySeconds: 60 },
})
const cacheFolder = values.cache ?? null
const facts = createFactStore({ cacheFolder })
const { signal } = new AbortController()
const rows: Row[] = []
try {
  for (const one of readCases(positionals, values.mirrors)) {
    const row = await measure(one)
    rows.push(row)
    const share = Math.round((100 * row.repeated) / Math.max(1, row.lines))
    console.log(
      `${row.id}: ${row.questions} × ${row.bytes} bytes, ${row.repeated} of ${row.lines} lines (${share} %) again`,
    )
  }
} finally {
  await facts.close()
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`)

async function measure({ id, folder, base, head }: ContextCase & { folder: string }): Promise<Row> {
  const selector = { kind: 'range', range: `${base}..${head}` } as const
  const change = await collectLocal({ folder, selector, limits: config.limits })
  try {
    const { sandbox } = defaultSettings
    const { context } = await showContext({ change, config, facts, signal })
    const tools = openContextTools({ change, facts, cacheFolder, config, journal: null, sandbox, signal })
    const toolbox = await tools.openToolbox()
    const book = openEvidenceBook(context.evidence)
    for (const call of callsFor(context))
      for (const item of evidenceOf(await toolbox.run(call, signal))) book.add(item)
    const questions = await planReview({
      context: { ...context, evidence: [...book.items] },
      head: change.head,
      facts,
      config,
      signal,
    })
    const texts = questions.map(({ instructions, turns }) =>
      [...instructions, ...turns.flatMap(({ parts }) => parts)].map(({ text }) => text).join('\n'),
    )
    const counted = texts.map((text) => linesOf(text))
    return {
      id,
      questions: texts.length,
      bytes: Math.round(
        texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / Math.max(1, texts.length),
      ),
      lines: counted.reduce((sum, lines) => sum + lines.length, 0),
      repeated: counted.reduce((sum, lines) => sum + lines.length - new Set(lines).size, 0),
    }
  } finally {
    await change.close()
  }
}

/** Lines of code as the prompt shows them, without tag, sign, number and bar. */
function linesOf(prompt: string): string[] {
  return prompt
    .split('\n')
    .filter((line) => /^(?:\[[LO]\d+#|\s*\d+\| )/.test(line))
    .map((line) => line.replace(/^(?:\[[LO]\d+#\w{3}\] ?[-+ ]?|\s*\d+\| )/, '').trim())
    .filter((line) => line.length >= 10)
}

function callsFor({ change, symbols }: ReviewContext): ToolCall[] {
  const files = change.files.filter(({ role, newBlob }) => role === 'source' && newBlob !== null).slice(0, 6)
  const names = [...new Set(symbols.flatMap(({ after }) => after?.symbol.name ?? []))].slice(0, 4)
  return [
    ...files.map(({ path }) => ({ tool: 'outline_symbols', args: { path } })),
    ...files.map(({ path, hunks: [first] }) => {
      const start = Math.max(1, (first?.newStart ?? 1) - 40)
      return { tool: 'read_file', args: { path, line_start: start, line_end: start + 120 } }
    }),
    ...names.flatMap((name) => [
      { tool: 'find_references', args: { symbol: name } },
      { tool: 'find_definition', args: { symbol: name } },
    ]),
  ]
}
