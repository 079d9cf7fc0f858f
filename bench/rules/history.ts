/**
 * Runs built-in rules over the lines that past commits of real repositories added, so that each match can be read by hand.
 * Code at the newest commit was reviewed and released; what it once was shows more of the faults that rules are for.
 *
 *   node bench/rules/history.ts [--rules id,id] [--lines REGEX] [--most 20000] [--out bench/out/rules-history.jsonl] REPOSITORY…
 *
 * `--lines` lets git leave out commits and files without a changed line that the expression (POSIX extended) fits: much faster,
 * and then only the commits that remain are counted.
 * One line of JSON for each repository; a run that was stopped goes on behind the last one. As in a review, a match counts
 * when it covers an added line and the file of the parent commit has none with the same text. The same text in the same
 * repository counts once.
 */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { languageOf } from '../../src/code-index/language-of.ts'
import { createRoleOf } from '../../src/pipeline/diff/file-role.ts'
import { type EngineMatch, questionFor } from '../../src/pipeline/planes/rules/engine/protocol.ts'
import { runQuestions } from '../../src/pipeline/planes/rules/engine/run-questions.ts'
import { builtInRules } from '../../src/pipeline/planes/rules/load-rules.ts'
import type { Rule } from '../../src/pipeline/planes/rules/rule.ts'

/** What an added line must contain for a rule to be tried on its file: parsing every file of every commit takes days. */
const words: Readonly<Record<string, RegExp>> = {
  'go/body-not-closed': /\bhttp\.(Get|Post|DefaultClient\.Do)\(/,
  'go/copied-lock': /\(.*\bsync\.(Mutex|RWMutex|WaitGroup|Once|Cond)\s*[,)]/,
  'go/nil-map-write': /\bvar \w+ map\[/,
  'go/quoted-sql-interpolation': /Sprintf\(.*["`]\s*(select\s|insert\s+into\s|update\s|delete\s+from\s)/i,
  'go/rows-not-closed': /\.Query(Context)?\(/,
  'go/sql-concatenation': /["`]\s*(select\s|insert\s+into\s|update\s|delete\s+from\s)/i,
  'java/empty-catch': /catch\s*\(\s*(final\s+)?(Exception|Throwable)\b/,
  'java/foreign-object': /new ObjectInputStream\(/,
  'java/interrupt-swallowed': /catch\s*\(.*\bInterruptedException\b/,
  'java/quoted-sql-interpolation': /format\(.*"\s*(select\s|insert\s+into\s|update\s|delete\s+from\s)/i,
  'java/sql-concatenation': /"\s*(select\s|insert\s+into\s|update\s|delete\s+from\s)/i,
  'js/case-falls-through': /^\s*(case\b.*|default\s*):/,
  'js/dynamic-code': /\beval\(/,
  'js/guessable-secret': /Math\.random\(\)/,
  'js/inner-html': /\b(inner|outer)HTML\b|document\.write\(/,
  'js/promise-not-awaited': /^\s*Promise\.(all|allSettled|race|any)\(/,
  'js/quoted-sql-interpolation': /`\s*(select\s|insert\s+into\s|update\s|delete\s+from\s)/i,
  'js/sql-concatenation': /["'`]\s*(select\s|insert\s+into\s|update\s|delete\s+from\s)/i,
  'py/certificate-unchecked': /\b(verify|verify_ssl|ssl)\s*=\s*False|_create_unverified_context/,
  'py/dynamic-code': /(^|[^.\w])eval\(/,
  'py/mktemp': /\bmktemp\b/,
  'py/pickle-foreign': /(pickle|dill)\.loads\(/,
  'py/quoted-sql-interpolation': /["']\s*(select\s|insert\s+into\s|update\s|delete\s+from\s)/i,
  'py/shell-interpolation': /os\.(system|popen)\(|shell\s*=\s*True/,
  'py/silent-bare-except': /except\s*:/,
  'py/sql-concatenation': /["']\s*(select\s|insert\s+into\s|update\s|delete\s+from\s)/i,
  'py/weak-password-hash': /hashlib\.\w+\(/,
  'py/yaml-load': /yaml\.load\(/,
}

const endings: Readonly<Record<string, readonly string[]>> = {
  python: ['py'],
  go: ['go'],
  java: ['java'],
  javascript: ['js', 'jsx', 'mjs'],
  typescript: ['ts', 'mts'],
  tsx: ['tsx'],
}

function filesOf(languages: Iterable<string>): string[] {
  return [...languages].flatMap((language) => (endings[language] ?? []).map((ending) => `*.${ending}`))
}

/** These are about two neighbouring lines: the first always leaves the block, the second has the same indentation. */
const unreachable: ReadonlySet<string> = new Set(['js/unreachable', 'py/unreachable', 'go/unreachable'])
const leaves = /^\s*(return|throw|raise|continue|break)\b/
const continues = /^\s*[\w$(]/
const label = /^\s*(case|default|else|elif|except|finally|catch)\b|:\s*$|^\s*\w+:/

type Match = { rule: string; commit: string; path: string; line: number; text: string }
type Searched = { repository: string; commits: number; files: number; matches: Match[] }
/** A file of a commit on which some rules are tried. */
type Trial = { commit: string; path: string; language: string; rules: Set<Rule>; added: Set<number> }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rules: { type: 'string' },
    most: { type: 'string', default: '20000' },
    lines: { type: 'string' },
    out: { type: 'string', default: 'bench/out/rules-history.jsonl' },
  },
})
const wanted = values.rules?.split(',')
const rules = builtInRules().filter(
  ({ id }) => (wanted?.includes(id) ?? true) && (id in words || unreachable.has(id)),
)
const byLanguage = new Map<string, Rule[]>()
for (const rule of rules)
  for (const language of rule.languages) byLanguage.set(language, [...(byLanguage.get(language) ?? []), rule])
const roleOf = createRoleOf({ generated: [], tests: [] })
const largest = 100_000
const filesAtOnce = 200
/** A commit with more files imports, formats or moves them. */
const mostFilesOfCommit = 150

mkdirSync(dirname(values.out), { recursive: true })
const known = new Set(readSearched().map(({ repository }) => repository))
for (const folder of positionals) {
  const repository = basename(dirname(folder)) || basename(folder)
  if (known.has(repository)) continue
  const searched = await search(folder, repository)
  appendFileSync(values.out, `${JSON.stringify(searched)}\n`)
  process.stderr.write(
    `${repository}: ${searched.commits} commits, ${searched.files} files, ${searched.matches.length} matches\n`,
  )
}

const all = readSearched()
console.log(
  `${all.length} repositories, ${sum(all.map(({ commits }) => commits))} commits, ${sum(all.map(({ files }) => files))} files tried`,
)
for (const { id } of rules) {
  const matches = all.flatMap(({ repository, matches }) =>
    matches.filter(({ rule }) => rule === id).map((match) => ({ repository, ...match })),
  )
  console.log(`\n${id}: ${matches.length}`)
  for (const { repository, commit, path, line, text } of matches)
    console.log(
      `  ${repository} ${commit.slice(0, 10)} ${path}:${line}\n    ${text.replaceAll('\n', '\n    ')}`,
    )
}

async function search(folder: string, repository: string): Promise<Searched> {
  const matches: Match[] = []
  const seen = new Set<string>()
  let [commits, files, waiting]: [number, number, Trial[]] = [0, 0, []]
  const tryAll = async () => {
    files += waiting.length
    for (const [language, ofLanguage] of byLanguage)
      for (const rule of ofLanguage) {
        const trials = waiting.filter((one) => one.language === language && one.rules.has(rule))
        if (trials.length === 0) continue
        for (const match of await matchesOf(folder, language, rule, trials)) {
          const key = `${match.rule} ${match.text.replace(/\s+/g, ' ')}`
          if (!seen.has(key)) matches.push(match)
          seen.add(key)
        }
      }
    waiting = []
  }
  for await (const trials of readTrials(folder)) {
    commits++
    if (trials.length <= mostFilesOfCommit) waiting.push(...trials)
    if (waiting.length >= filesAtOnce) await tryAll()
  }
  await tryAll()
  return { repository, commits, files, matches }
}

/** Of each commit without merges, the files that are worth trying; read from git's own patch. */
async function* readTrials(folder: string): AsyncGenerator<Trial[]> {
  const log = spawn(
    'git',
    // biome-ignore format: one argument vector
    ['-C', folder, '-c', 'core.quotePath=false', 'log', '--no-merges', `--max-count=${values.most}`, '--format=commit %H',
      '-p', '-U1', '-M', '--no-color', ...(values.lines ? ['-E', `-G${values.lines}`] : []), '--', ...filesOf(byLanguage.keys())],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let commit = ''
  let trials: Trial[] = []
  let trial: Trial | null = null
  let [number, before]: [number, { text: string; added: boolean }] = [0, { text: '', added: false }]
  for await (const line of createInterface({ input: log.stdout })) {
    if (line.startsWith('commit ')) {
      if (commit !== '') yield trials.filter((one) => one.rules.size > 0)
      commit = line.slice(7)
      trials = []
      trial = null
    } else if (line.startsWith('+++ b/')) {
      const path = line.slice(6).replace(/\t$/, '')
      const language = languageOf(path)
      const role = roleOf(path, [], null)
      const isRead = language !== null && byLanguage.has(language) && (role === 'source' || role === 'test')
      trial = isRead ? { commit, path, language, rules: new Set(), added: new Set() } : null
      if (trial) trials.push(trial)
    } else if (line.startsWith('@@ ')) {
      number = Number(/\+(\d+)/.exec(line)?.[1] ?? 0)
      before = { text: '', added: false }
    } else if (trial && (line.startsWith('+') || line.startsWith(' '))) {
      const [text, added] = [line.slice(1), line.startsWith('+')]
      if (added) trial.added.add(number)
      noteRules(trial, { text, added }, before)
      if (text.trim() !== '') before = { text, added }
      number++
    }
  }
  if (commit !== '') yield trials.filter((one) => one.rules.size > 0)
}

type Line = { text: string; added: boolean }

function noteRules(trial: Trial, line: Line, before: Line): void {
  if (line.text.length > 2_000) return
  for (const rule of byLanguage.get(trial.language) ?? []) {
    if (trial.rules.has(rule)) continue
    const isWorthIt = unreachable.has(rule.id)
      ? (line.added || before.added) && mayBeUnreachable(line.text, before.text)
      : line.added && words[rule.id]?.test(line.text)
    if (isWorthIt) trial.rules.add(rule)
  }
}

function mayBeUnreachable(text: string, before: string): boolean {
  const isLeft = leaves.test(before) && continues.test(text) && !label.test(text)
  return isLeft && indentation(text) === indentation(before)
}

function indentation(text: string): string {
  return /^\s*/.exec(text)?.[0] ?? ''
}

async function matchesOf(
  folder: string,
  language: string,
  rule: Rule,
  trials: readonly Trial[],
): Promise<Match[]> {
  const signal = new AbortController().signal
  const texts = readTexts(
    folder,
    trials.flatMap(({ commit, path }) => [`${commit}:${path}`, `${commit}^:${path}`]),
  )
  const { texts: answers } = await runQuestions(language, [questionFor(rule)], texts, signal)
  return trials.flatMap((trial, at) => {
    const [head, base] = [answers[at * 2], answers[at * 2 + 1]]
    const isTest = roleOf(trial.path, [], null) === 'test'
    if (
      head?.type !== 'matched' ||
      (rule.audience !== 'everywhere' && (rule.audience === 'tests') !== isTest)
    )
      return []
    const old = new Set(base?.type === 'matched' ? base.matches.map(keyOf) : [])
    const lines = (texts[at * 2] ?? '').split('\n')
    return head.matches
      .filter((match) => !old.has(keyOf(match)) && touches(match, trial.added))
      .map(({ startLine, endLine }) => ({
        rule: rule.id,
        commit: trial.commit,
        path: trial.path,
        line: startLine,
        text: lines
          .slice(Math.max(0, startLine - 3), Math.min(endLine, startLine + 9) + 2)
          .map((text) => text.slice(0, 200))
          .join('\n'),
      }))
  })
}

function touches({ startLine, endLine }: EngineMatch, added: ReadonlySet<number>): boolean {
  for (let line = startLine; line <= endLine; line++) if (added.has(line)) return true
  return false
}

function keyOf({ text }: EngineMatch): string {
  return text.replace(/\s+/g, ' ')
}

/** Of one round trip to git; empty for what does not exist or is too large. */
function readTexts(folder: string, names: readonly string[]): string[] {
  const out = execFileSync('git', ['-C', folder, 'cat-file', '--batch'], {
    input: names.map((name) => `${name}\n`).join(''),
    maxBuffer: 2 ** 31 - 1,
  })
  const texts: string[] = []
  let at = 0
  for (const _ of names) {
    const end = out.indexOf(10, at)
    const size = Number(/ blob (\d+)$/.exec(out.toString('utf8', at, end))?.[1] ?? Number.NaN)
    at = end + 1
    texts.push(size <= largest ? out.toString('utf8', at, at + size) : '')
    if (!Number.isNaN(size)) at += size + 1
  }
  return texts
}

function readSearched(): Searched[] {
  if (!existsSync(values.out)) return []
  const lines = readFileSync(values.out, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Searched)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
