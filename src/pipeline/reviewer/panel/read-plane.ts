/** Reads one plane from its prompt file: a head of a few keys, and below it what the model is told. */
import { basename } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../../base/errors.ts'
import { readYaml } from '../../../config/read-yaml.ts'
import { Category } from '../../../domain/severity.ts'
import type { ModelPlane } from './contract.ts'

/** The plane of depths quick and standard, which is no file here. */
export const reviewerName = 'reviewer'

const Head = z.strictObject({
  description: z.string().min(1).max(120),
  order: z.int().min(0).max(1000),
  categories: z.array(Category).min(1),
  default: z.boolean().default(true),
  authors_words: z.boolean().default(false),
  effort: z.enum(['low', 'medium', 'high']).default('medium'),
})

export type ReadPlane = { plane: ModelPlane; order: number; version: number }

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
  const { description, order, categories, effort, ...rest } = parsed.data
  return {
    order,
    version: Number(version),
    plane: {
      name,
      prompt: `planes/${name}@${version}`,
      description,
      categories,
      byDefault: rest.default,
      seesAuthorsWords: rest.authors_words,
      effort,
      text: body.trim(),
    },
  }
}

function fail(file: string, problems: readonly string[]): never {
  throw new UserError('prompt-invalid', `${file}: ${problems.join('; ')}`)
}
