/**
 * Definitions against Universal Ctags: how many of its tags the index has too, by name and line, per language and kind.
 * Usage: node --liftoff-only bench/index/accuracy.ts WORK_TREE… [--misses N]. Kinds that ctags counts and the index
 * means to leave out (locals, imports, lambdas) show up as misses: read the samples before the figures.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { languageOf } from '../../src/code-index/language-of.ts'
import { languages } from '../../src/code-index/languages/registry.ts'
import { readerOf, refusal } from '../../src/code-index/parsing/parse-file.ts'

/** What ctags calls our languages. It has no parser for Scala and Swift. */
const ctagsNames: Readonly<Record<string, string>> = {
  bash: 'Sh',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  go: 'Go',
  java: 'Java',
  kotlin: 'Kotlin',
  php: 'PHP',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  typescript: 'TypeScript',
}

type Tag = { _type: string; name: string; path: string; line: number; kind: string; pattern?: string }
type Count = { found: number; all: number; misses: Tag[] }

const biggestOutput = 2 ** 30
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: 'string', default: '0' } },
})
for (const tree of positionals) await compare(tree)

async function compare(tree: string): Promise<void> {
  const listed = run('git', ['-C', tree, 'ls-files', '-z']).split('\0')
  const files = listed.flatMap((path) => {
    const text = readText(join(tree, path))
    const language = text === null ? null : languageOf(path, text)
    return text === null || language === null || refusal(text) ? [] : [{ path, text, language }]
  })
  for (const [language, group] of Map.groupBy(files, (file) => file.language)) {
    const table = languages.get(language)
    const ctagsName = ctagsNames[language]
    if (!table || ctagsName === undefined || group.length < 3) continue
    const reader = await readerOf(table)
    const known = new Map<string, Set<string>>()
    let withErrors = 0
    for (const { path, text } of group) {
      const facts = reader.read(text, table.variantOf?.(path) ?? '', () => true)
      if (!facts) continue
      if (facts.errorLines.length > 0) withErrors++
      known.set(path, new Set(facts.symbols.map(({ name, nameLine }) => `${nameLine} ${name}`)))
    }
    const counts = countTags(tagsOf(tree, ctagsName, [...known.keys()]), known)
    console.log(`\n${basename(tree)} · ${language} · ${known.size} files, ${withErrors} with syntax errors`)
    console.table(
      Object.fromEntries(
        [...counts].map(([kind, { found, all }]) => [kind, { found, all, share: found / all }]),
      ),
    )
    for (const { kind, path, line, name, pattern } of sample([...counts.values()].flatMap((c) => c.misses)))
      console.log(`  ${kind} ${name} · ${path}:${line} · ${pattern ?? ''}`)
  }
}

/** ctags may give the line of a definition's first word where we give that of its name. */
function countTags(
  tags: readonly Tag[],
  known: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, Count> {
  const counts = new Map<string, Count>()
  for (const tag of tags.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))) {
    const count = counts.get(tag.kind) ?? { found: 0, all: 0, misses: [] }
    counts.set(tag.kind, count)
    const name = tag.name.replace(/^operator (?=\W)/, 'operator')
    const isKnown = [0, 1, -1].some((by) => known.get(tag.path)?.has(`${tag.line + by} ${name}`))
    count.all++
    if (isKnown) count.found++
    else count.misses.push(tag)
  }
  return counts
}

function tagsOf(tree: string, language: string, paths: readonly string[]): Tag[] {
  const flags = ['--output-format=json', '--fields=+nK', '--extras=-{anonymous}', `--languages=${language}`]
  const forced = language === 'C++' ? ['--map-C++=+.h'] : []
  const output = run('ctags', [...flags, ...forced, '-f', '-', ...paths], tree)
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Tag => JSON.parse(line))
    .filter((tag) => tag._type === 'tag')
}

function sample<T>(misses: readonly T[]): T[] {
  const wanted = Number(values.misses)
  const step = Math.max(1, Math.ceil(misses.length / Math.max(1, wanted)))
  return wanted === 0 ? [] : misses.filter((_, at) => at % step === 0)
}

function run(command: string, flags: readonly string[], cwd?: string): string {
  const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'ignore']
  return execFileSync(command, [...flags], { cwd, encoding: 'utf8', maxBuffer: biggestOutput, stdio })
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
