/** `not-exported`: the line imports the name from a file that does not export it, nor passes it on. */
import type { FileFacts } from '../../../code-index/contract.ts'
import { resolveImport } from '../../../code-index/resolve/resolve.ts'
import type { Sources } from '../sources.ts'
import { confirmed, type Refuter, refuted, unverifiable } from './contract.ts'
import { isUnparsed } from './names.ts'

export const checkNotExported: Refuter<'not-exported'> = async ({ name, from, path, line }, { sources }) => {
  const importer = await sources.facts('new', path)
  if (!importer) return unverifiable(`\`${path}\` is not parsed after the change`)
  if (!importsOn(importer, name, line))
    return isUnparsed(importer, line)
      ? unverifiable(`\`${path}:${line}\` could not be parsed`)
      : refuted(`\`${path}:${line}\` does not import \`${name}\``)
  const text = await sources.text('new', from)
  if (!text) {
    return (await sources.headPaths()).has(from)
      ? unverifiable(`\`${from}\` cannot be read`)
      : confirmed('the tree: the file is gone')
  }
  const exporter = await sources.facts('new', from)
  if (!exporter) return unverifiable(`\`${from}\` is not parsed`)
  if (offers(exporter, name)) return refuted(`\`${from}\` does export \`${name}\``)
  const passed = await followed(importer, { name, path, line }, sources)
  if (passed !== null) return refuted(`\`${from}\` passes on \`${name}\` of \`${passed}\``)
  if (exporter.errorLines.length > 0) return unverifiable(`\`${from}\` could not be parsed in full`)
  if (exporter.imports.some((fact) => fact.imported === '*' && fact.reexport))
    return unverifiable(`\`${from}\` passes on everything of another file`)
  if (decidesAtRunTime(exporter, text.text))
    return unverifiable(`\`${from}\` decides at run time what it exports`)
  return confirmed('the code index')
}

/** Where the imported name is defined, re-exports followed; null when they lead nowhere. */
async function followed(
  facts: FileFacts,
  { name, path, line }: { name: string; path: string; line: number },
  sources: Sources,
): Promise<string | null> {
  const fact = facts.imports.find((one) => one.line === line && one.imported === name)
  if (!fact) return null
  const world = await sources.worldAfter()
  const place = { path, facts, enclosing: null, text: await world.text(path) }
  const meaning = await resolveImport(world, place, fact)
  return meaning.kind === 'defined' ? (meaning.definitions[0]?.path ?? null) : null
}

function importsOn(facts: FileFacts, name: string, line: number): boolean {
  return (
    facts.imports.some((fact) => fact.imported === name && fact.line === line) ||
    // `module.name` reaches for an export too.
    facts.references.some(
      (ref) => ref.name === name && ref.line === line && (ref.role === 'import' || ref.receiver !== null),
    )
  )
}

function offers(facts: FileFacts, name: string): boolean {
  const isPython = facts.language === 'python'
  return (
    facts.exports.some((fact) => fact.exported === name) ||
    facts.imports.some((fact) => fact.local === name && (fact.reexport || isPython)) ||
    facts.symbols.some(
      (symbol) =>
        symbol.name === name && symbol.scope === '' && (isPython || symbol.visibility === 'exported'),
    )
  )
}

function decidesAtRunTime({ language, symbols }: FileFacts, text: string): boolean {
  if (language === 'python') return symbols.some(({ name, scope }) => name === '__getattr__' && scope === '')
  return /script|tsx/.test(language) && /\bmodule\.exports\b|\bexports\.|\bexport\s*=/.test(text)
}
