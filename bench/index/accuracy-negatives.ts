/**
 * Conclusive negative answers against everybody else: nothing uses it, nothing calls it, it is defined nowhere, the file
 * does not export it, no test uses it. One witness that contradicts is one too many.
 */
import { isDocsPath, isTestPath } from '../../src/base/file-paths.ts'
import type { FileFacts } from '../../src/code-index/contract.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import type { LanguageServers } from '../../src/code-index/language-servers/contract.ts'
import { key, namePlace, ownLines } from '../../src/code-index/language-servers/served/judge-edge.ts'
import { isDeclaration } from '../../src/code-index/language-servers/served/serve.ts'
import { findCallers } from '../../src/code-index/query/callers.ts'
import type { CodeTree } from '../../src/code-index/query/contract.ts'
import { findDefinitions } from '../../src/code-index/query/definitions.ts'
import { occurrencesOf } from '../../src/code-index/query/occurrences.ts'
import { findReferences } from '../../src/code-index/query/references.ts'
import { usedAs } from '../../src/code-index/query/target-names.ts'
import type { Definition } from '../../src/code-index/resolve/contract.ts'
import { referencesNamed, symbolOf } from '../../src/code-index/resolve/symbols.ts'
import { checkNoTestCalls } from '../../src/pipeline/validation/claims/use-claims.ts'
import type { ClaimContext } from '../../src/pipeline/validation/contract.ts'
import type { Random } from '../../test/helpers/random.ts'
import { familyOf, shuffled } from './accuracy-draw.ts'
import { candidates } from './accuracy-references.ts'
import { formOf, linesWithWords, type Tag, type TextHit } from './accuracy-text.ts'

export type Question = 'no reference' | 'no caller' | 'no definition' | 'no export' | 'no test'
/** How another occurrence of the word is accounted for; all others contradict. */
export type Disagreement = {
  question: Question
  language: string
  name: string
  /** What the answer is about, and where the witness saw the word. */
  about: string
  at: string
  witness: string
  cause: string
  text: string
  /** Contradicts the answer unless somebody who reads it finds otherwise. */
  isOpen: boolean
}
/** By language and question: `TypeScript: no caller`. */
export type Negatives = { conclusive: Record<string, number>; disagreements: Disagreement[] }

export type Repository = {
  folder: string
  tree: CodeTree
  servers: LanguageServers
  tags: readonly Tag[]
  /** Of every file of code. */
  facts: ReadonlyMap<string, FileFacts>
}

type Answered = { question: Question; name: string; language: string; target: Definition | null }

/** About `most` conclusive answers; symbols and names are drawn until there are so many, or none is left. */
export async function checkNegatives(
  repository: Repository,
  most: number,
  random: Random,
): Promise<Negatives> {
  const answered = [
    ...(await drawUnused(repository, most, random)),
    ...(await drawUndefined(repository, Math.ceil(most / 4), random)),
  ]
  const conclusive: Record<string, number> = {}
  for (const { question, language } of answered) {
    const name = `${language}: ${question}`
    conclusive[name] = (conclusive[name] ?? 0) + 1
  }
  const hits = linesWithWords(repository.folder, [...new Set(answered.map(({ name }) => name))])
  const tagged = new Map(Map.groupBy(repository.tags, ({ name }) => name))
  const disagreements: Disagreement[] = []
  for (const one of answered) {
    for (const hit of hits.get(one.name) ?? [])
      disagreements.push(...(await judgeHit(repository, one, hit, tagged.get(one.name) ?? [])))
    disagreements.push(
      ...(await judgeTags(repository, one, tagged.get(one.name) ?? [], hits.get(one.name) ?? [])),
    )
    // Where no text has the word a second time, no server can know better.
    if ((hits.get(one.name)?.length ?? 0) > 1) disagreements.push(...(await askServer(repository, one)))
  }
  return { conclusive, disagreements }
}

/** Of symbols in a drawn order, every conclusive answer to the questions about them. */
async function drawUnused({ tree, facts }: Repository, most: number, random: Random): Promise<Answered[]> {
  const found: Answered[] = []
  const context = testContext(tree)
  for (const target of shuffled(candidates(facts), random)) {
    if (found.length >= most) break
    const { kind } = symbolOf(target)
    const language = familyOf(target.facts.language)
    // A constructor is used by the name of its type.
    const name = usedAs(target)
    if (language === null) continue
    const add = (question: Question) => found.push({ question, name, language, target })
    const { references, emptiness } = await findReferences(tree, target)
    if (emptiness?.isEvidence) add('no reference')
    if (kind !== 'function' && kind !== 'method') continue
    if (references.every(({ role }) => role === 'import' || role === 'export')) {
      const callers = await findCallers(tree, target)
      if (callers.emptiness?.isEvidence) add('no caller')
    }
    if (random.chance(0.3)) {
      const { path } = target
      const claim = { kind: 'no-test-calls' as const, symbol: name, path, line: symbolOf(target).nameLine }
      if ((await checkNoTestCalls(claim, context)).status === 'confirmed') add('no test')
    }
  }
  return found
}

/** What the check of a claim reads: of one tree, by its index. */
function testContext({ world, mentions }: CodeTree): ClaimContext {
  const sources = {
    facts: (_: string, path: string) => world.facts(path),
    text: async (_: string, path: string) => ({ text: (await world.text(path)) ?? '' }),
    headFilesWith: async (word: string) => (await mentions([word])).get(word) ?? [],
    worldAfter: async () => world,
  }
  return { sources, isTest: isTestPath } as unknown as ClaimContext
}

async function drawUndefined({ tree, facts }: Repository, most: number, random: Random): Promise<Answered[]> {
  const names = new Map<string, string>()
  for (const file of facts.values())
    for (const { name, shadowed } of file.references)
      if (!shadowed && /^\w{3,}$/.test(name)) names.set(name, familyOf(file.language) ?? '?')
  const found: Answered[] = []
  for (const [name, language] of shuffled([...names].sort(), random)) {
    if (found.length >= most) break
    const { definitions, emptiness } = await findDefinitions(tree, name)
    if (definitions.length === 0 && emptiness?.isEvidence)
      found.push({ question: 'no definition', name, language, target: null })
  }
  return found
}

/** An occurrence of the word that has to be something else. */
async function judgeHit(
  { tree, servers }: Repository,
  { question, name, language, target }: Answered,
  hit: TextHit,
  tags: readonly Tag[],
): Promise<Disagreement[]> {
  const { path, line } = hit
  const form = formOf(hit, name)
  const says = (cause: string, isOpen: boolean): Disagreement[] => [
    {
      question,
      language,
      name,
      about: target ? `${target.path}:${symbolOf(target).nameLine}` : name,
      at: `${path}:${line}`,
      witness: 'text',
      cause,
      text: hit.text.trim().slice(0, 200),
      isOpen,
    },
  ]
  if (question === 'no definition') {
    if (form !== 'definition') return []
    const imports = (await tree.world.facts(path))?.imports ?? []
    // `import { type Name }` has the form of a definition.
    const isImport = imports.some((fact) => fact.imported === name)
    return (isImport && /\btype\s+\w+\s*(?:[,}]|as\b)/.test(hit.text)) || isRequired(hit, name)
      ? says('an import', false)
      : says('looks like a definition', true)
  }
  // No runner takes a document for a test.
  if (question === 'no test' && (!isTestPath(path) || isDocsPath(path))) return []
  if (form === 'comment') return says('a comment', false)
  const facts = await tree.world.facts(path)
  // Data of a test calls nothing; it is read by no parser, and may be too large to be read at all.
  if (!facts && question === 'no test' && languageOf(path) === null) return says('data of a test', false)
  if (!facts)
    return says(
      languageOf(path) === null ? 'in a file that is text only' : 'in a file that is not parsed',
      true,
    )
  if (facts.symbols.some((one) => one.name === name && one.nameLine === line)) return []
  // What our own resolver says of the file of the only definition is no witness: a server is, or somebody who reads it.
  const isOpen =
    target?.path === path &&
    question !== 'no test' &&
    facts.symbols.filter((one) => one.name === name).length === 1 &&
    (await servers.serverFor(facts.language)) === null
  if (question !== 'no test') {
    if (tags.some((tag) => tag.path === path && tag.line === line)) return says('another definition', false)
    const uses = referencesNamed(facts, name).filter((use) => use.line === line)
    if (uses.some(({ shadowed }) => shadowed)) return says('a local', isOpen)
    if (uses.length > 0) return says('resolved to something else', isOpen)
    if (facts.imports.some((fact) => fact.line === line))
      return says(question === 'no caller' ? 'an import' : 'an import of something else', false)
    if (question === 'no caller' && facts.exports.some((fact) => fact.line === line))
      return says('an export', false)
  }
  const text = (await tree.world.text(path)) ?? ''
  const kinds = new Set(
    occurrencesOf(facts, text, name).flatMap((one) => (one.line === line ? [one.kind] : [])),
  )
  for (const kind of ['unread', 'string', 'read'] as const)
    if (kinds.has(kind)) return says(`an occurrence that is ${kind}`, true)
  if (kinds.has('local')) return says('a local', isOpen)
  if (kinds.has('prose')) return says('words of a string', false)
  if (kinds.has('comment')) return says('a comment', false)
  return isInLongerNames(hit.text, name, facts.language)
    ? says('part of longer names with dollars', false)
    : says('no occurrence of ours', true)
}

/** Where a dollar is part of a name, the words of a text are not the names of the language. */
function isInLongerNames(text: string, name: string, language: string): boolean {
  if (!/script|tsx|java/.test(language)) return false
  const places = [...text.matchAll(new RegExp(`(?<!\\w)${name.replace(/[^\w]/g, '\\$&')}(?!\\w)`, 'g'))]
  return places.every(({ index }) => text[index - 1] === '$' || text[index + name.length] === '$')
}

/** `const name = require('module')` binds what a module has, and defines nothing. */
function isRequired({ path, text }: TextHit, name: string): boolean {
  const form = new RegExp(
    `\\b(?:const|let|var|import)\\s+${name}\\s*=\\s*require\\(\\s*['"][^'"]+['"]\\s*\\)`,
  )
  // `use function name;` of PHP.
  if (path.endsWith('.php')) return /^\s*use\s/.test(text) && !new RegExp(`\\bas\\s+${name}\\b`).test(text)
  return /\.[cm]?[jt]sx?$/.test(path) && form.test(text)
}

async function judgeTags(
  { tree }: Repository,
  { question, name, language }: Answered,
  tags: readonly Tag[],
  hits: readonly TextHit[],
): Promise<Disagreement[]> {
  if (question !== 'no definition') return []
  // Of imports ctags makes definitions.
  const required = new Set(hits.flatMap((hit) => (isRequired(hit, name) ? [`${hit.path}:${hit.line}`] : [])))
  const defining: Tag[] = []
  for (const tag of tags) {
    const { kind, path, line } = tag
    // `impl Trait for other::Type`
    if (/^(?:unknown|namespace|implementation)$/.test(kind) || required.has(`${path}:${line}`)) continue
    const imports = (await tree.world.facts(path))?.imports ?? []
    if (!imports.some(({ imported, local }) => imported === name || local === name)) defining.push(tag)
  }
  return defining.map(({ path, line, kind }) => ({
    question,
    language,
    name,
    about: name,
    at: `${path}:${line}`,
    witness: 'ctags',
    cause: `a ${kind} of ctags`,
    text: '',
    isOpen: true,
  }))
}

/** Uses that the server lists of what the index says nothing uses. */
async function askServer({ tree, servers }: Repository, one: Answered): Promise<Disagreement[]> {
  const { question, name, language, target } = one
  if (target === null || question === 'no test') return []
  if ((await servers.serverFor(target.facts.language)) === null) return []
  const text = await tree.world.text(target.path)
  const place = text === null ? null : namePlace(target, text)
  const answer = place && (await servers.references(place))
  if (!place || !answer || answer.state === 'silent') return []
  const own = await ownLines(servers, target, place)
  const found: Disagreement[] = []
  for (const use of answer.found) {
    if (own.has(key(use.path, use.line))) continue
    const [facts, told] = [await tree.world.facts(use.path), await tree.world.text(use.path)]
    const isUse = facts?.references.some(({ line, column }) => line === use.line && column === use.column)
    if (facts && !isUse && isDeclaration(facts, told, use.line, use.column)) continue
    const passes =
      question === 'no caller' &&
      (facts?.imports.some((fact) => fact.line === use.line) ||
        facts?.exports.some((fact) => fact.line === use.line))
    if (passes) continue
    found.push({
      question,
      language,
      name,
      about: `${target.path}:${place.line}`,
      at: key(use.path, use.line),
      witness: answer.source ?? 'server',
      cause: 'the server lists a use',
      text: told?.split('\n')[use.line - 1]?.trim().slice(0, 200) ?? '',
      isOpen: true,
    })
  }
  return found
}
