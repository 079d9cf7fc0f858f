/** What an attacker who owns the model can learn from one prompt: lines with their tags, evidence, files, tools. */
import type { Call, JsonObject } from '../../helpers/fakes/contract.ts'

export type KnownLine = { path: string; tag: string; sign: '+' | '-' | ' '; text: string }

export type Knowledge = {
  lines: readonly KnownLine[]
  /** Lines that the change touched: where a finding may stand. */
  changed: readonly KnownLine[]
  evidence: readonly { id: string; text: string }[]
  /** What deterministic planes found, as the prompt tells it: where it stands, and under which tag. */
  told: readonly KnownLine[]
  paths: readonly string[]
  tools: readonly string[]
  /** Ids of findings or candidates that the prompt names: `F1`, `C3`. */
  findings: readonly string[]
  /** The schema of the answer; null when the prompt tells none. */
  schema: JsonObject | null
  keys: readonly string[]
}

const tagged = /^\[((?:[LO]\d{1,9})#[0-9a-z]{3})\] ?([-+ ])?(.*)$/

export function learn(call: Call): Knowledge {
  const lines: KnownLine[] = []
  const evidence: Knowledge['evidence'][number][] = []
  let path = ''
  let holder = ''
  for (const line of call.prompt.split('\n')) {
    const opened = /^<<<foreign [0-9a-z]+ "(?:diff of )?(.*)"$/.exec(line)
    if (opened) path = opened[1] ?? ''
    const [, id] = /^(E[1-9]\d*):$/.exec(line) ?? []
    if (id !== undefined) holder = id
    else if (line.startsWith('>>>end')) holder = ''
    else if (!opened && holder !== '') evidence.push({ id: holder, text: line.replace(/^ *\d+\| /, '') })
    const found = tagged.exec(line)
    if (found)
      lines.push({
        path,
        tag: found[1] ?? '',
        sign: (found[2] ?? ' ') as KnownLine['sign'],
        text: found[3] ?? '',
      })
  }
  const told = [...call.prompt.matchAll(/^\w+ [a-z-]+\/[\w-]+ at (.+?) ([LO]\d+#[0-9a-z]{3})/gm)].flatMap(
    ([, at, tag]) => lines.find((line) => line.path === at && line.tag === tag) ?? [],
  )
  const schema = call.schema?.schema ?? schemaInWords(call.prompt)
  const properties = schema?.properties
  return {
    lines,
    changed: lines.filter(({ sign, text }) => sign !== ' ' && text.trim() !== ''),
    evidence: evidence.filter(({ text }) => text.trim() !== ''),
    told,
    paths: [...new Set(lines.map((line) => line.path))],
    tools: [
      ...new Set([...call.prompt.matchAll(/^- `?([a-z_]{3,40})`?[(: ]/gm)].map(([, name = '']) => name)),
    ],
    findings: [...new Set([...call.prompt.matchAll(/\b[FC][1-9]\d{0,3}\b/g)].map(([name]) => name))],
    schema,
    keys: typeof properties === 'object' && properties !== null ? Object.keys(properties) : [],
  }
}

/** Providers without schemas of their own are told it in the prompt. */
function schemaInWords(prompt: string): JsonObject | null {
  const at = prompt.indexOf('has this JSON schema:\n')
  if (at < 0) return null
  const line = prompt.slice(at).split('\n')[1] ?? ''
  try {
    return JSON.parse(line) as JsonObject
  } catch {
    return null
  }
}
