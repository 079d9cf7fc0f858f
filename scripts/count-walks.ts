/**
 * Counts the files that a reader opens to follow one feature through the product. `node scripts/count-walks.ts` prints
 * them; test/scripts/count-walks.test.ts holds the limits, and ARCHITECTURE.md says what the walks are.
 *
 * A walk is a list of named stops in `walks.ts`. Each stop after the first must be reached by calls from an earlier one.
 * These files count, each once:
 *
 * - the file of every stop;
 * - every file on the shortest chain of calls from an earlier stop to it, so that no file between two stops is skipped;
 * - every file in the same folder as a stop with a function that the stop itself calls, except at a hand-over.
 *
 * A call is any mention of an imported value in the text of a function or constant, so a table of steps calls its steps.
 * Types are not calls. `src/base`, `src/domain` and `src/config` are vocabulary and
 * never count. Of a family, such as the planes or the output formats, only the members that are stops count: a registry
 * names its members by calling them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { registries, type Walk, walks } from './walks.ts'

const root = join(import.meta.dirname, '..')
const vocabulary = /^src\/(?:base|domain|config)\//

type Module = {
  /** Names of this file, each with its source text. */
  declared: ReadonlyMap<string, string>
  /** Local names of imported values, each as `file#name`. */
  imported: ReadonlyMap<string, string>
}

/** The counted files in the order in which the walk meets them. Throws for a stop that does not exist or is not called. */
export function filesOf({ name, stops, handOvers }: Walk): string[] {
  const counted = new Set<string>()
  for (const [at, stop] of stops.entries()) {
    if (!moduleOf(fileOf(stop)).declared.has(nameOf(stop))) throw new Error(`${name}: no ${stop}`)
    const chain = at === 0 ? [stop] : chainTo(stop, stops.slice(0, at))
    if (!chain) throw new Error(`${name}: no earlier stop calls ${stop}`)
    for (const step of chain) counted.add(fileOf(step))
    if (handOvers?.includes(stop)) continue
    for (const called of callsOf(stop))
      if (dirname(fileOf(called)) === dirname(fileOf(stop))) counted.add(fileOf(called))
  }
  const own = new Set(stops.map(fileOf))
  const members = new Set(registries.flatMap((registry) => callsOf(registry).map(fileOf)))
  return [...counted].filter((file) => own.has(file) || !(vocabulary.test(file) || members.has(file)))
}

/** The shortest chain of calls from one of the earlier stops, with both ends; null when there is none. */
function chainTo(stop: string, earlier: readonly string[]): string[] | null {
  const from = new Map<string, string | null>(earlier.toReversed().map((one) => [one, null]))
  for (const step of from.keys()) {
    if (step === stop) break
    for (const called of callsOf(step)) if (!from.has(called)) from.set(called, step)
  }
  if (!from.has(stop)) return null
  const chain: string[] = []
  for (let at: string | null = stop; at !== null; at = from.get(at) ?? null) chain.unshift(at)
  return chain
}

/** What a function or constant calls, in its own file and in others, as `file#name`. */
function callsOf(step: string): string[] {
  const file = fileOf(step)
  const { declared, imported } = moduleOf(file)
  const words = declared.get(nameOf(step))?.match(/[A-Za-z_$][\w$]*/g) ?? []
  return words.flatMap((word) => imported.get(word) ?? (declared.has(word) ? [`${file}#${word}`] : []))
}

const modules = new Map<string, Module>()

function moduleOf(file: string): Module {
  const known = modules.get(file)
  if (known) return known
  const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const made = { declared: declarationsIn(code), imported: importsIn(code, file) }
  modules.set(file, made)
  return made
}

/** The formatter begins every declaration of a file at the margin, and nothing inside one. */
function declarationsIn(code: string): Map<string, string> {
  const head = /^(?:export )?(?:async )?(?:function\*?|const|class) ([A-Za-z_$][\w$]*)/
  const parts = code.split(/^(?=(?:export |async |function|const |class |type |interface |import |if ))/m)
  return new Map(
    parts.flatMap((part) => {
      const name = head.exec(part)?.[1]
      return name === undefined ? [] : [[name, part.slice(head.exec(part)?.[0].length)] as const]
    }),
  )
}

function importsIn(code: string, file: string): Map<string, string> {
  const found = new Map<string, string>()
  const add = (names: string, specifier: string): void => {
    const target = relative(root, resolve(root, dirname(file), specifier))
    for (const one of names.split(',').map((name) => name.trim())) {
      const [, name, local] = /^([\w$]+)(?:(?: as|:) ([\w$]+))?$/.exec(one) ?? []
      if (name !== undefined) found.set(local ?? name, original(`${target}#${name}`))
    }
  }
  for (const [, names = '', specifier = ''] of code.matchAll(/^import \{([^}]*)\} from '(\.[^']+)'/gm))
    add(names, specifier)
  for (const [, names = '', specifier = ''] of code.matchAll(
    /\{([^{}]*)\} = await import\(\s*'(\.[^']+)',?\s*\)/g,
  ))
    add(names, specifier)
  return found
}

/** Where a name that a file only passes on is declared. */
function original(name: string): string {
  const file = fileOf(name)
  const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
  for (const [, names = '', specifier = ''] of text.matchAll(/^export \{([^}]*)\} from '(\.[^']+)'/gm))
    if (names.split(',').some((one) => one.trim() === nameOf(name)))
      return original(`${relative(root, resolve(root, dirname(file), specifier))}#${nameOf(name)}`)
  return name
}

function fileOf(step: string): string {
  return step.slice(0, step.indexOf('#'))
}

function nameOf(step: string): string {
  return step.slice(step.indexOf('#') + 1)
}

if (import.meta.main)
  for (const walk of walks) {
    const files = filesOf(walk)
    console.log(`${walk.name}: ${files.length} files, at most ${walk.most}`)
    for (const file of files) console.log(`  ${file}`)
  }
