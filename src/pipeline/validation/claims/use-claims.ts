/** Claims that a name is used nowhere: `unused`, in the repository, and `no-test-calls`, in the tests. */

import { isDocsPath } from '../../../base/file-paths.ts'
import { wordOf } from '../../../base/word-hashes.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import { isScript, languageOf } from '../../../code-index/language-of.ts'
import { identifiersOf } from '../../../code-index/lexical/terms.ts'
import { makingOf, type NameSource } from '../../../code-index/query/made-names.ts'
import { describeUnread, type Occurrence, unreadOf } from '../../../code-index/query/occurrences.ts'
import { unreadCode, unreadFiles } from '../../../code-index/query/unread-files.ts'
import { type ClaimCheck, confirmed, refuted, unverifiable } from '../contract.ts'
import type { Sources } from '../sources.ts'
import { lastName } from './names.ts'

/** `unused`: the name, defined on the line, is used nowhere else in the repository. */
export const checkUnused: ClaimCheck<'unused'> = async ({ name: symbol, path, line }, { sources }) => {
  const name = lastName(symbol)
  const own = await sources.facts('new', path)
  if (!own) return unverifiable(`\`${path}\` is not parsed after the change`)
  const isDefined =
    own.symbols.some((one) => one.name === name && one.nameLine <= line && line <= one.endLine) ||
    own.imports.some((one) => one.local === name && one.line === line) ||
    own.typedNames.some((one) => one.name === name && one.line === line)
  if (!isDefined) {
    const text = (await sources.lines('new', path))?.[line - 1] ?? ''
    return identifiersOf(text).includes(wordOf(name))
      ? unverifiable(`\`${name}\` is local to a function there, which the index does not list`)
      : refuted(`\`${path}:${line}\` does not hold \`${name}\``)
  }
  const use = own.references.find((one) => one.name === name && one.line !== line && one.role !== 'export')
  if (use) return refuted(`\`${path}:${use.line}\` uses \`${name}\``)
  for (const other of new Set([path, ...(await sources.headFilesWith(name))])) {
    const facts = await sources.facts('new', other)
    if (!facts) return unverifiable(`\`${other}\` mentions \`${name}\` and is not parsed`)
    const found =
      other === path
        ? undefined
        : (facts.references.find((one) => one.name === name) ??
          facts.imports.find((one) => one.imported === name))
    if (found) return refuted(`\`${other}:${found.line}\` uses \`${name}\``)
    const unread = await firstUnread(sources, other, name)
    if (unread)
      return unverifiable(`\`${other}:${unread.line}\` holds \`${name}\`: ${describeUnread(unread)}`)
  }
  const unread = await unreadCode(await sources.worldAfter(), [own.language])
  const [large] = unread.length > 0 ? unread : await sources.headLargeFilesWith(name)
  if (large) return unverifiable(`\`${large}\` is too large to be read`)
  const made = await makingOf(wordsOf(sources), name, [own.language], path)
  if (made) return unverifiable(`\`${made.path}:${made.line}\`: ${made.why}`)
  return isOffered(own, name)
    ? unverifiable(`\`${path}\` exports \`${name}\`: others may use it from outside`)
    : confirmed('the code index')
}

/** The words and texts of the head, as questions about names ask for them. */
function wordsOf(sources: Sources): NameSource {
  const mentions = async (words: readonly string[]) => {
    await sources.preload({ base: [], head: [], words })
    const found = await Promise.all(words.map((word) => sources.headFilesWith(word)))
    return new Map(words.map((word, at) => [word, found[at] ?? []]))
  }
  const texts = async (paths: readonly string[]) => {
    const read = await Promise.all(paths.map((path) => sources.text('new', path)))
    return new Map(paths.flatMap((path, at) => (read[at] ? [[path, read[at].text] as const] : [])))
  }
  return { mentions, world: { texts } }
}

/** An occurrence of the name in a parsed file that may be a use although the facts know of none. */
async function firstUnread(sources: Sources, path: string, name: string): Promise<Occurrence | undefined> {
  const facts = await sources.facts('new', path)
  const text = (await sources.text('new', path))?.text
  return facts && text !== undefined ? unreadOf(facts, text, name)[0] : undefined
}

/** Whether code outside the repository may use the name: never an import or a local, but an exported definition. */
function isOffered({ exports, symbols }: FileFacts, name: string): boolean {
  return (
    exports.some((one) => one.local === name || one.exported === name) ||
    symbols.some((one) => one.name === name && one.visibility === 'exported')
  )
}

/** `no-test-calls`: no test file at the head uses the symbol. A name in a comment or a string is a mention, and no call. */
export const checkNoTestCalls: ClaimCheck<'no-test-calls'> = async (
  { symbol, path },
  { sources, isTest },
) => {
  const name = lastName(symbol)
  const own = languageOf(path)
  // Who imports a default export calls it as they like.
  if (name === 'default' && own !== null && isScript(own))
    return unverifiable('`default` is not a word that can be looked for')
  const tests = (await sources.headFilesWith(name)).filter((path) => isTest(path) && !isDocsPath(path))
  for (const test of tests) {
    const facts = await sources.facts('new', test)
    // Where the parser found nothing to say, the name may be a call all the same.
    if (!facts || facts.errorLines.length > 0) return refuted(`\`${test}\` mentions \`${name}\``)
    const use =
      facts.references.find((one) => one.name === name) ?? facts.imports.find((one) => one.imported === name)
    if (use) return refuted(`\`${test}:${use.line}\` uses \`${name}\``)
    const unread = await firstUnread(sources, test, name)
    if (unread) return refuted(`\`${test}:${unread.line}\` holds \`${name}\`: ${describeUnread(unread)}`)
  }
  const [large] = await unreadFiles(
    await sources.worldAfter(),
    (path) => isTest(path) && languageOf(path) !== null,
  )
  if (large) return unverifiable(`\`${large}\` is too large to be read`)
  const [first] = tests
  return confirmed(
    first === undefined
      ? 'a search of every file for the name'
      : `a search of every file for the name: \`${first}\` only mentions it, in a comment or a string`,
  )
}
