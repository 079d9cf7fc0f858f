/**
 * What a file exports, by the index and by the type checker: names are imported from it in a text of our own, and both
 * say of each whether it is there. Half of them are drawn from what the file mentions, so many are not exported.
 */
import { isDeclarationFile } from '../../src/base/file-paths.ts'
import type { FileFacts } from '../../src/code-index/contract.ts'
import type { LanguageServers } from '../../src/code-index/language-servers/contract.ts'
import { languages } from '../../src/code-index/languages/registry.ts'
import { readerOf } from '../../src/code-index/parsing/parse-file.ts'
import type { CodeTree } from '../../src/code-index/query/contract.ts'
import { hiddenExport } from '../../src/code-index/resolve/hidden-exports.ts'
import { resolveImport } from '../../src/code-index/resolve/resolve.ts'
import type { Random } from '../../test/helpers/random.ts'
import { familyOf, shuffled } from './accuracy-draw.ts'
import type { Disagreement } from './accuracy-negatives.ts'

export type ExportCounts = {
  /** Both say that it is there, and both that it is not. */
  there: number
  absent: number
  /** The index leaves it open. */
  open: number
  disagreements: Disagreement[]
}

const namesAFile = 12
const writers: Readonly<Record<string, { ending: RegExp; write(module: string, name: string): string }>> = {
  TypeScript: { ending: /\.tsx?$/, write: (module, name) => `import { ${name} } from './${module}.js'` },
  Python: { ending: /\.py$/, write: (module, name) => `from .${module} import ${name}` },
}

export async function compareExports(
  {
    tree,
    servers,
    facts,
  }: { tree: CodeTree; servers: LanguageServers; facts: ReadonlyMap<string, FileFacts> },
  family: string,
  mostFiles: number,
  random: Random,
): Promise<ExportCounts> {
  const counts: ExportCounts = { there: 0, absent: 0, open: 0, disagreements: [] }
  const writer = writers[family]
  if (!writer) return counts
  const files = [...facts].filter(
    ([path, { language }]) =>
      familyOf(language) === family &&
      writer.ending.test(path) &&
      /^[\w-]+$/.test(stemOf(path)) &&
      !isDeclarationFile(path),
  )
  for (const [path, own] of shuffled(files, random).slice(0, mostFiles))
    await compareFile(tree, servers, { path, own, family, facts, writer }, random, counts)
  return counts
}

async function compareFile(
  tree: CodeTree,
  servers: LanguageServers,
  {
    path,
    own,
    family,
    facts,
    writer,
  }: {
    path: string
    own: FileFacts
    family: string
    facts: ReadonlyMap<string, FileFacts>
    writer: (typeof writers)[string]
  },
  random: Random,
  counts: ExportCounts,
): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  // A file of the same project has to stand in as the importer; of declarations a checker may be told to say nothing.
  const importer = [...facts].find(
    ([other, { language }]) =>
      other !== path &&
      !isDeclarationFile(other) &&
      language === own.language &&
      other.slice(0, other.lastIndexOf('/') + 1) === folder,
  )
  const table = languages.get(own.language)
  if (!importer || !table || !writer) return
  const mentioned = [...own.symbols.map(({ name }) => name), ...own.references.map(({ name }) => name)]
  const names = shuffled(
    [...new Set(mentioned)].filter((name) => /^[A-Za-z_]\w{2,}$/.test(name)),
    random,
  ).slice(0, namesAFile)
  const text = `${names.map((name) => writer.write(stemOf(path), name)).join('\n')}\n`
  const [place] = importer
  const { found, state } = await servers.diagnostics(place, text)
  if (state === 'silent') return
  const read = (await readerOf(table)).read(text, table.variantOf?.(place) ?? '', () => true)
  if (!read) return
  const exporterText = (await tree.world.text(path)) ?? ''
  for (const [at, name] of names.entries()) {
    const fact = read.imports.find((one) => one.line === at + 1)
    if (!fact) continue
    // Of a module that it does not find the checker says nothing about names.
    if (found.some(({ line, message }) => line === at + 1 && /find module|not be resolved/.test(message)))
      continue
    const complaint = found.find(({ line, message }) => line === at + 1 && isAbsent(message))
    const meaning = await resolveImport(tree.world, { path: place, facts: read, enclosing: null, text }, fact)
    const isMissing =
      meaning.kind === 'missing' &&
      meaning.missing === 'export' &&
      hiddenExport(own, exporterText, name) === null
    if (isMissing === (complaint !== undefined) && (isMissing || meaning.kind !== 'missing')) {
      if (isMissing) counts.absent++
      else counts.there++
      continue
    }
    if (!isMissing && meaning.kind !== 'defined') {
      counts.open++
      continue
    }
    counts.disagreements.push({
      question: 'no export',
      language: family,
      name,
      about: path,
      at: place,
      witness: 'type checker',
      cause: isMissing ? 'the checker finds the export' : 'the checker finds no export',
      text: complaint?.message.slice(0, 200) ?? '',
      isOpen: isMissing,
    })
  }
}

function isAbsent(message: string): boolean {
  return /has no exported member|declares .* locally, but|is unknown import symbol|is not a module|is not exported|no default export/.test(
    message,
  )
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
}
