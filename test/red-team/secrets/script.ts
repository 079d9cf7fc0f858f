/**
 * The models of the secrets cube. The scout asks tools for every line of the files beside the change; the reviewer repeats in
 * findings what it was shown of each place, so that every output has to say it.
 */
import { z } from 'zod'
import type { Call } from '../../helpers/fakes/contract.ts'
import { fitted } from '../../helpers/fakes/scenario/fitting.ts'
import type { CodedStep } from '../../helpers/fakes/scenario/script.ts'
import { judgedAlike } from '../../helpers/judge-answer.ts'
import { ofPlace, type Planted, places, type ToolMaterial } from './plant.ts'

export const scoutTools = [
  'list_dir',
  'read_file',
  'grep',
  'outline_symbols',
  'find_references',
  'find_callers',
  'find_definition',
] as const
export type ScoutTool = (typeof scoutTools)[number]

type ToolCall = { tool: ScoutTool; args: Record<string, unknown> }

/** One step for all of them: what is asked for tells who is asked. */
export function scriptModels(planted: readonly Planted[], material: ToolMaterial): CodedStep[] {
  const rounds = roundsOf(material)
  const answerFrom = (call: Call): unknown => {
    const names = argumentNames(call)
    if (names) return nextStep(rounds, names, call)
    const statements = [...passagesIn(call.prompt).values()].map((text) => ({ text, quotes: [] }))
    const { judgements } = judgedAlike(call.prompt, { quotes: [], reason: '', judgement: 'undecided' })
    return fitted({ findings: findingsIn(call, planted), judgements, statements }, call)
  }
  return [{ answer: 'good', times: 'always', answerFrom }]
}

/** Of `callsPerIteration` in the repository's configuration. */
const callsOfRound = 20

function roundsOf({ texts, code, functions, names }: ToolMaterial): ToolCall[][] {
  const ask = (tool: ScoutTool, args: ToolCall['args']): ToolCall => ({ tool, args })
  const calls = [
    ask('list_dir', { path: names }),
    ...texts.map((path) => ask('read_file', { path })),
    ...texts.map((path) => ask('grep', { path, query: '\\S', regex: true })),
    ...code.map(({ path }) => ask('outline_symbols', { path })),
    ...code.map(({ path, opens }) => ask('find_references', { path, symbol: opens })),
    ...code.map(({ path, opens }) => ask('find_callers', { path, symbol: opens })),
    ...functions.map((symbol) => ask('find_definition', { symbol })),
  ]
  return Array.from({ length: Math.ceil(calls.length / callsOfRound) }, (_, index) =>
    calls.slice(index * callsOfRound, (index + 1) * callsOfRound),
  )
}

const ScoutSchema = z.object({
  properties: z.object({
    tools: z.object({
      items: z.object({
        properties: z.object({ args: z.object({ properties: z.record(z.string(), z.unknown()) }) }),
      }),
    }),
  }),
})

/** The arguments of all tools that are offered, each of which a call must have; null when no scout is asked. */
function argumentNames({ schema }: Call): string[] | null {
  const read = ScoutSchema.safeParse(schema?.schema)
  return read.success ? Object.keys(read.data.properties.tools.items.properties.args.properties) : null
}

/** The first round whose words the conversation does not have yet. */
function nextStep(rounds: readonly ToolCall[][], names: readonly string[], { prompt }: Call): object {
  const wordsOf = (round: number) => `round ${round + 1} of what lies beside the change`
  const round = rounds.findIndex((_, at) => !prompt.includes(wordsOf(at)))
  const noArguments = Object.fromEntries(names.map((name) => [name, null]))
  const calls = round < 0 ? [] : (rounds[round] ?? [])
  return {
    reasoning: wordsOf(round),
    tools: calls.map(({ tool, args }) => ({ tool, args: { ...noArguments, ...args } })),
    done: round < 0,
  }
}

/** One for each canary of the diff, on its line, with what is shown of the canaries of all places with its number. */
function findingsIn({ prompt }: Call, planted: readonly Planted[]): object[] {
  const passages = passagesIn(prompt)
  return ofPlace(planted, 'diff').flatMap(({ mark }, index) => {
    const quote = `# ${mark}`
    const tag = new RegExp(`\\[(L\\d{1,9}#[0-9a-z]{3})\\] \\+ *${quote}$`, 'm').exec(prompt)?.[1]
    if (tag === undefined) return []
    const shown = places.flatMap((place) => passages.get(`Q${place}${index}Q`) ?? [])
    return [
      {
        file: 'conf/diff.conf',
        tags: [tag],
        evidence: [{ id: tag, quote }],
        explanation: shown.join('\n\n'),
        title: `Value ${index} is repeated`,
        category: 'correctness',
        severity: 'low',
        confidence: 'likely',
        claims: [],
        remedy: null,
        suggestion: null,
      },
    ]
  })
}

/** All of them together must fit into one answer of a model. */
const longestPassage = 150
const linesOfPassage = 4

/** Tags and numbers before lines; the first character of a number may be that of a key. */
const lineStart = /^ *(?:\[[LO]\d{1,9}#[0-9a-z]{3}\] ?[-+ ]?|\d{1,9}[|:] ?)/

/** The line with each mark and a few below it, up to the next mark or the end of what was quoted. */
function passagesIn(prompt: string): Map<string, string> {
  const passages = new Map<string, string>()
  const lines = prompt.split('\n')
  for (const [at, line] of lines.entries())
    for (const [mark] of line.matchAll(/Q[a-z]+\d+Q/g)) {
      if (passages.has(mark)) continue
      const below = lines.slice(at + 1, at + linesOfPassage)
      const end = below.findIndex((one) => /Q[a-z]+\d+Q|^<<<|^>>>/.test(one))
      const rest = below.slice(0, end < 0 ? undefined : end).map((one) => one.replace(lineStart, ''))
      const from = line.slice(Math.max(0, line.indexOf(mark) - 2))
      passages.set(mark, [from, ...rest].join('\n').slice(0, longestPassage))
    }
  return passages
}

/** What each tool told the scout: the text between the delimiters, without the call that they name. */
export function toldByTools(prompts: readonly string[]): Map<ScoutTool, string> {
  const told = new Map<ScoutTool, Set<string>>(scoutTools.map((tool) => [tool, new Set<string>()]))
  const answer = /^<<<foreign \S+ "answer of (\w+)::.*"\n([\s\S]*?)\n>>>end /gm
  for (const prompt of prompts)
    for (const [, name, text = ''] of prompt.matchAll(answer)) {
      const tool = scoutTools.find((one) => one === name)
      if (tool) told.get(tool)?.add(text)
    }
  return new Map([...told].map(([tool, texts]) => [tool, [...texts].join('\n')]))
}
