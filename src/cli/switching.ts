/** `sightline init --from FILE`: what to write from another review tool's configuration, and the report on every setting. */
import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { stringify } from 'yaml'
import { UserError } from '../base/errors.ts'
import { linkStatOrNull, readData } from '../base/git/read-data.ts'
import { pathFrom } from '../base/places.ts'
import { redactText } from '../base/secrets/redact.ts'
import { visibleLine } from '../base/visible-text.ts'
import { configFileNames } from '../config/file-names.ts'
import { parseConfig } from '../config/load.ts'
import type { Conversion, ReviewTool } from '../config/switching/contract.ts'
import { reviewTools, toolOf } from '../config/switching/registry.ts'

/** Relative to the root of the repository, with slashes. */
export type NewFile = { path: string; text: string }
export type Switch = { files: NewFile[]; report: string }

const largestFile = 256 * 1024
/** As `paths.exclude` takes at most. */
const mostGlobs = 500
/** As instructions are cut when they are read: docs/context.md. */
const longestText = 4_000

/** `file` is absolute. Writes nothing. Throws `usage` when the file is not one of a known tool, or cannot be read. */
export function planSwitch(root: string, file: string): Switch {
  const path = pathInRepository(root, file)
  const tool = toolOf(path)
  const shown = visibleLine(path)
  if (!tool) throw new UserError('usage', `${shown} is not a configuration file of ${knownTools()}.`)
  // A link could name any file of the machine, whose text would then be committed as instructions.
  const isLink = linkStatOrNull(file)?.isSymbolicLink() === true
  const text = isLink ? null : (readData(file, largestFile)?.toString('utf8') ?? null)
  if (text === null)
    throw new UserError('usage', `${shown} cannot be read: it must be a regular file of at most 256 KB.`)
  const conversion = convert(tool, text, path)
  const instructions = instructionFiles(instructionName(tool.id, path), conversion)
  const files = [...configFile(tool, path, conversion), ...instructions]
  return { files, report: report(tool, shown, conversion, files) }
}

/** A path outside the repository counts by its name alone. */
function pathInRepository(root: string, file: string): string {
  return pathFrom(realpathSync(root), file) ?? basename(file)
}

function knownTools(): string {
  const names = reviewTools.map(({ name, files }) => `${name} (${files[0]})`)
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function convert(tool: ReviewTool, text: string, path: string): Conversion {
  try {
    return tool.read(text.replace(/^\uFEFF/, ''), path)
  } catch (error) {
    const detail = (error as Error).message
    throw new UserError('usage', `${path} cannot be read as a file of ${tool.name}: ${detail}`, {
      cause: error,
    })
  }
}

function configFile(tool: ReviewTool, from: string, { config, notCarried }: Conversion): NewFile[] {
  const globs = config['paths.exclude'] ?? []
  if (globs.length > mostGlobs)
    notCarried.push(`${globs.length - mostGlobs} of ${globs.length} globs of paths (join them with {a,b})`)
  const limited = globs.length > 0 ? { ...config, 'paths.exclude': globs.slice(0, mostGlobs) } : config
  const sections: Record<string, Record<string, unknown>> = {}
  for (const [key, value] of Object.entries(limited)) {
    const [section = '', name = ''] = key.split('.')
    sections[section] = { ...sections[section], [name]: value }
  }
  if (Object.keys(sections).length === 0) return []
  const [path] = configFileNames
  const text = `# Carried over from ${visibleLine(from)} (${tool.name}). \`sightline config\` lists all keys.\n\n${stringify(sections)}`
  parseConfig(text, path)
  return [{ path, text }]
}

/** Each file of a tool, in each folder, has a name of its own: `greptile`, `greptile-rules`, `greptile-rules-apps-web`. */
function instructionName(id: string, path: string): string {
  const folders = path.split('/').filter((part) => !part.startsWith('.'))
  const stem = basename(path).replace(/^\./, '').split('.')[0] ?? ''
  const file = stem.replaceAll('_', '-').toLowerCase()
  const above = folders.at(-1) === basename(path) ? folders.slice(0, -1) : folders
  return [id, ...(file === id ? [] : [file]), ...above]
    .join('-')
    .replaceAll(/[^\w-]+/g, '-')
    .slice(0, 100)
}

/** One file for all paths, and one for each set of paths. */
function instructionFiles(base: string, { instructions, notCarried }: Conversion): NewFile[] {
  const groups = Map.groupBy(instructions, ({ paths }) => paths.join('\n'))
  const scoped = [...groups.keys()].filter((key) => key !== '')
  const files = [...groups].map(([key, parts]) => {
    const name = key === '' ? base : `${base}-${scoped.indexOf(key) + 1}`
    const body = parts.map(({ text }) => text).join('\n\n')
    const lines = key.split('\n').map((glob) => `  - "${glob}"\n`)
    const front = key === '' ? '' : `---\npaths:\n${lines.join('')}---\n\n`
    return { path: `.sightline/instructions/${name}.md`, text: `${front}${body}\n` }
  })
  for (const { path, text } of files)
    if (text.length > longestText)
      notCarried.push(`${path} beyond its first ${longestText.toLocaleString('en')} characters`)
  return files
}

function report(
  tool: ReviewTool,
  from: string,
  { carried, notCarried }: Conversion,
  files: readonly NewFile[],
): string {
  const parts: string[] = []
  const shown = (text: string) => visibleLine(redactText(text))
  const rows = carried.map(({ setting, where }) => `  ${shown(setting)}\n    ${shown(where)}\n`)
  if (rows.length > 0) parts.push(`Carried over\n${rows.join('')}`)
  if (notCarried.length > 0)
    parts.push(`Not carried over\n${[...new Set(notCarried)].map((text) => `  ${shown(text)}\n`).join('')}`)
  if (parts.length === 0) parts.push('It sets nothing.\n')
  const written =
    files.length > 0
      ? `Wrote ${files.map(({ path }) => path).join(', ')}. Commit what was written: a review reads it from the commit that the change is based on.\n`
      : 'Nothing to write. `sightline init` without --from writes a starter configuration.\n'
  return [`${from} (${tool.name})\n`, ...parts, written].join('\n')
}
