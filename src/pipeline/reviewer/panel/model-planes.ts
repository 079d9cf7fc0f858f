/** The planes that a model is asked for: one prompt file each, with a head of a few keys above the instructions. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../../base/errors.ts'
import { packageRoot } from '../../../base/package-root.ts'
import { readYaml } from '../../../config/read-yaml.ts'
import { Category } from '../../../domain/severity.ts'

/** The plane of depths quick and standard, which has no file here. */
export const reviewerName = 'reviewer'

/** One way of looking that a model is asked for. Read from one file; see `prompts/planes`. */
export type ModelPlane = {
  /** As users know it; a deterministic plane with the same concern has the same name. */
  name: string
  /** Which prompt file: `planes/security@1`. */
  prompt: string
  /** What it looks for, in half a sentence. */
  description: string
  /** What its findings are about; a file where triage left none of these is not asked about. */
  categories: readonly Category[]
  /**
   * Which of the two questions about a group it is part of: the first is a whole review, the second is about what else the
   * other planes ask, beyond what the first one found. Each plane keeps its name in findings, coverage and configuration.
   */
  question: 'first' | 'second'
  /** False: only when it is asked for by name. */
  byDefault: boolean
  /** Whether it compares the change with what its author says; the first question shows these words in any case. */
  seesAuthorsWords: boolean
  /** Whether it puts the change in words for people; one plane does. */
  writesWalkthrough: boolean
  /** A question takes the highest of its planes. Providers keep what they have read apart by effort. */
  effort: 'low' | 'medium' | 'high'
  /** Instructions for this plane only; empty when the common ones are enough. */
  text: string
}

/** Their names in words: `correctness and contract`. */
export function namePlanes(planes: readonly ModelPlane[]): string {
  return listFormat.format(planes.map(({ name }) => name))
}

const listFormat = new Intl.ListFormat('en')

const ownFolder = join(packageRoot, 'prompts', 'planes')
const read = new Map<string, readonly ModelPlane[]>()

/**
 * By their `order`, then by name; of one name the highest version counts. Read once in a process. Throws
 * `prompt-invalid` for a file that is none.
 */
export function listModelPlanes(folder = ownFolder): readonly ModelPlane[] {
  const known = read.get(folder)
  if (known) return known
  const latest = new Map<string, ReadPlane>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
    const found = readPlane(file, readFileSync(join(folder, file), 'utf8'))
    const { name } = found.plane
    if (found.version > (latest.get(name)?.version ?? 0)) latest.set(name, found)
  }
  const planes = [...latest.values()]
    .sort((a, b) => a.order - b.order || (a.plane.name < b.plane.name ? -1 : 1))
    .map(({ plane }) => plane)
  read.set(folder, planes)
  return planes
}

const Head = z.strictObject({
  description: z.string().min(1).max(120),
  order: z.int().min(0).max(1000),
  categories: z.array(Category).min(1),
  question: z.enum(['first', 'second']).default('second'),
  default: z.boolean().default(true),
  authors_words: z.boolean().default(false),
  walkthrough: z.boolean().default(false),
  effort: z.enum(['low', 'medium', 'high']).default('medium'),
})

type ReadPlane = { plane: ModelPlane; order: number; version: number }

const fileName = /^([a-z][a-z-]{0,39})\.v([1-9]\d{0,3})\.md$/
const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/

/** `file`: its name or path, such as `security.v1.md`. Throws `prompt-invalid` with all that is wrong. */
export function readPlane(file: string, text: string): ReadPlane {
  const named = fileName.exec(basename(file))
  const [, name = '', version = ''] = named ?? []
  if (!named || name === reviewerName) fail(file, ['its name is not NAME.vNUMBER.md or is already used'])
  const [, head, body] = parts.exec(text.replaceAll('\r\n', '\n')) ?? []
  if (head === undefined || body === undefined)
    fail(file, ['it does not begin with a header between two `---` lines'])
  const yaml = readYaml(head)
  if (yaml.problems.length > 0)
    fail(
      file,
      yaml.problems.map(({ line, message }) => `line ${line + 1}: ${message}`),
    )
  const parsed = Head.safeParse(yaml.value)
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `\`${path.join('.') || 'the head'}\`: ${message}`)
  if (body.trim() === '') problems.push('it has no text below its header')
  if (!parsed.success || problems.length > 0) fail(file, problems)
  const { description, order, categories, question, effort, ...rest } = parsed.data
  return {
    order,
    version: Number(version),
    plane: {
      name,
      prompt: `planes/${name}@${version}`,
      description,
      categories,
      question,
      byDefault: rest.default,
      seesAuthorsWords: rest.authors_words,
      writesWalkthrough: rest.walkthrough,
      effort,
      text: body.trim(),
    },
  }
}

function fail(file: string, problems: readonly string[]): never {
  throw new UserError('prompt-invalid', `${file}: ${problems.join('; ')}`)
}
