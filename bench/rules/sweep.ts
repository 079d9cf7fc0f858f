/**
 * Runs built-in rules over every file of real repositories at their newest commit, so that each match can be read by hand.
 *
 *   node bench/rules/sweep.ts [--rules id,id] [--most 3000] [--out bench/out/rules.jsonl] REPOSITORY…
 *
 * One line of JSON for each repository; a run that was stopped goes on behind the last one. Prints the matches with their
 * lines. Files of tests, examples and generated code are left out where the rule is for product code.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { languageOf } from '../../src/code-index/language-of.ts'
import { questionFor } from '../../src/pipeline/planes/rules/engine/protocol.ts'
import { runQuestions } from '../../src/pipeline/planes/rules/engine/run-questions.ts'
import { builtInRules } from '../../src/pipeline/planes/rules/load-rules.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rules: { type: 'string' },
    most: { type: 'string', default: '3000' },
    out: { type: 'string', default: 'bench/out/rules.jsonl' },
  },
})
const wanted = values.rules?.split(',')
const rules = builtInRules().filter(({ id }) => wanted?.includes(id) ?? true)
const largest = 300_000
const aside =
  /(^|\/)(tests?|__tests__|spec|specs|e2e|examples?|fixtures?|testdata|vendor|node_modules|dist|benchmarks?)\/|[._-](test|spec)\.\w+$|_test\.go$|(^|\/)test_\w+\.py$|\.min\.js$/

type Match = { rule: string; path: string; line: number; text: string }
type Swept = { repository: string; files: number; matches: Match[] }

mkdirSync(dirname(values.out), { recursive: true })
const known = new Set(readSwept().map(({ repository }) => repository))
for (const folder of positionals) {
  const repository = basename(dirname(folder)) || basename(folder)
  if (known.has(repository)) continue
  const swept = await sweep(folder, repository)
  appendFileSync(values.out, `${JSON.stringify(swept)}\n`)
  process.stderr.write(`${repository} ${swept.files} files, ${swept.matches.length} matches\n`)
}

const all = readSwept()
console.log(`${all.length} repositories, ${all.reduce((sum, { files }) => sum + files, 0)} files`)
for (const { id } of rules) {
  const matches = all.flatMap(({ repository, matches }) =>
    matches.filter(({ rule }) => rule === id).map((match) => ({ repository, ...match })),
  )
  console.log(`\n${id}: ${matches.length}`)
  for (const { repository, path, line, text } of matches)
    console.log(`  ${repository} ${path}:${line}\n    ${text.trim().replaceAll('\n', '\n    ')}`)
}

async function sweep(folder: string, repository: string): Promise<Swept> {
  const paths = git(folder, 'ls-tree', '-r', '-z', '--name-only', 'HEAD').toString().split('\0')
  const byLanguage = Map.groupBy(paths.filter(Boolean), (path) => languageOf(path))
  const matches: Match[] = []
  let files = 0
  for (const [language, all] of byLanguage) {
    const spoken = rules.filter(({ languages }) => language !== null && languages.includes(language))
    if (language === null || spoken.length === 0) continue
    const isProduct = spoken.every(({ audience }) => audience === 'product-code')
    const read = readFiles(
      folder,
      all.filter((path) => !isProduct || !aside.test(path)).slice(0, Number(values.most)),
    )
    files += read.length
    const { texts } = await runQuestions(
      language,
      spoken.map(questionFor),
      read.map(({ text }) => text),
      new AbortController().signal,
    )
    for (const [at, answer] of texts.entries()) {
      const file = read[at]
      if (!file || answer.type !== 'matched') continue
      for (const { question, startLine, endLine } of answer.matches) {
        const rule = spoken[question]
        if (!rule || (rule.audience === 'product-code' && aside.test(file.path))) continue
        const lines = file.text.split('\n').slice(startLine - 1, Math.min(endLine, startLine + 7))
        matches.push({
          rule: rule.id,
          path: file.path,
          line: startLine,
          text: lines.join('\n').slice(0, 600),
        })
      }
    }
  }
  return { repository, files, matches }
}

/** Of one round trip to git. */
function readFiles(folder: string, paths: readonly string[]): { path: string; text: string }[] {
  if (paths.length === 0) return []
  const names = paths.filter((path) => !path.includes('\n'))
  const out = execFileSync('git', ['-C', folder, 'cat-file', '--batch'], {
    input: names.map((path) => `HEAD:${path}\n`).join(''),
    maxBuffer: 2 ** 31 - 1,
  })
  const files: { path: string; text: string }[] = []
  let at = 0
  for (const path of names) {
    const end = out.indexOf(10, at)
    const [, , size] = out.toString('utf8', at, end).split(' ')
    at = end + 1
    if (size === undefined || Number.isNaN(Number(size))) continue
    if (Number(size) <= largest) files.push({ path, text: out.toString('utf8', at, at + Number(size)) })
    at += Number(size) + 1
  }
  return files
}

function readSwept(): Swept[] {
  if (!existsSync(values.out)) return []
  const lines = readFileSync(values.out, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Swept)
}

function git(folder: string, ...args: string[]): Buffer {
  return execFileSync('git', ['-C', folder, ...args], { maxBuffer: 1 << 30 })
}
