/**
 * Values computed from a prompt, for scenarios that answer about a real commit: `{ $tagAt: 'return total' }` becomes the
 * tag of the first line that holds these words. An unknown generator, or one that finds nothing, is a fault of the
 * scenario and throws.
 */
import type { Call } from '../contract.ts'
import { isObject } from '../json-schema.ts'
import { fitted } from './fitting.ts'

type Generator = (call: Call, argument: string) => unknown

const tag = /\[((?:[LO]\d{1,9}|F)#[0-9a-z]{3})\]/

const generators: Readonly<Record<string, Generator>> = {
  /** `L42#k7f` of the first tagged line with these words. */
  $tagAt: (call, words) => tag.exec(lineWith(call, words, tag))?.[1],
  /** The number of that line. */
  $lineAt: (call, words) => Number(/[LO](\d+)#/.exec(lineWith(call, words, tag))?.[1]),
  /** That line without what stands before and in its tag, and without the mark of a diff. */
  $quoteAt: (call, words) => {
    const line = lineWith(call, words, tag)
    return line
      .slice(line.indexOf(']') + 1)
      .replace(/^ ?[-+ ]?/, '')
      .trim()
  },
  /** The id of the last evidence that is named before these words: `E3`. */
  $evidenceAt: (call, words) => {
    const before = call.prompt.slice(0, placeOf(call, words))
    return [...before.matchAll(/\bE[1-9]\d{0,5}\b/g)].at(-1)?.[0]
  },
  $model: (call) => call.model,
  $promptBytes: (call) => Buffer.byteLength(call.prompt),
  /** The first line that the change adds and that has words: its tag, its text, and the file it is in. */
  $addedTag: (call) => addedLine(call)?.tag,
  $addedQuote: (call) => addedLine(call)?.text,
  $addedFile: (call) => addedLine(call)?.file,
}

/** Those whose argument is a value: it is generated itself first, or not at all. */
const composers: Readonly<Record<string, (call: Call, argument: unknown) => unknown>> = {
  /** What fits the schema of the request, with these values for keys of these names where they fit. */
  $fitting: (call, wanted) => {
    const made = generate(wanted, call)
    return fitted(isObject(made) ? made : {}, call)
  },
  /** The list where the prompt shows a line that the change adds, else no items. */
  $whereAdded: (call, list) => (addedLine(call) ? generate(list, call) : []),
}

/** A copy of the value with every `{ $name: argument }` replaced. */
export function generate(value: unknown, call: Call): unknown {
  if (Array.isArray(value)) return value.map((item) => generate(item, call))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0].startsWith('$')) return run(first[0], first[1], call)
  return Object.fromEntries(entries.map(([key, item]) => [key, generate(item, call)]))
}

function run(name: string, argument: unknown, call: Call): unknown {
  const composer = Object.hasOwn(composers, name) ? composers[name] : undefined
  if (composer) return composer(call, argument)
  const generator = Object.hasOwn(generators, name) ? generators[name] : undefined
  if (!generator) throw new Error(`There is no generator ${name}.`)
  const made = generator(call, String(argument))
  if (made === undefined || Number.isNaN(made)) throw new Error(`${name} found nothing for "${argument}".`)
  return made
}

function lineWith(call: Call, words: string, shape: RegExp): string {
  const line = call.prompt.split('\n').find((candidate) => candidate.includes(words) && shape.test(candidate))
  if (line === undefined) throw new Error(`The prompt has no tagged line with "${words}".`)
  return line
}

function placeOf(call: Call, words: string): number {
  const place = call.prompt.indexOf(words)
  if (place < 0) throw new Error(`The prompt does not hold "${words}".`)
  return place
}

function addedLine({ prompt }: Call): { tag: string; text: string; file: string } | null {
  const found = /^\[(L\d{1,9}#[0-9a-z]{3})\] \+ *(\S.*)$/m.exec(prompt)
  const [, tag, text] = found ?? []
  const [, file] = [...prompt.slice(0, found?.index ?? 0).matchAll(/^file (.+?): /gm)].at(-1) ?? []
  return tag === undefined || text === undefined || file === undefined ? null : { tag, text, file }
}
