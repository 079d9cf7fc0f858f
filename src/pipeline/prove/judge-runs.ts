/** Whether runs of a test reproduce a finding: decided by code alone, from results on both sides of the change. */
import type { Finding } from '../../domain/finding.ts'
import type { TestRun } from '../../domain/reproduction.ts'

export type JudgedRuns = {
  finding: Pick<Finding, 'anchor' | 'startLine' | 'endLine' | 'places'>
  test: string
  /** Words that the failure was to hold, written before the test ran. */
  predicted: string
  /** Names of the definitions around the cited lines. */
  symbols: readonly string[]
  head: readonly TestRun[]
  /** Null where the cited file is new: then the code did not exist. */
  base: readonly TestRun[] | null
}

/** A shorter prediction is true of too many failures. */
export const shortestPrediction = 6

/**
 * What a test may not do, because it would tell the two sides apart without running the code: read files, start programs,
 * look at the environment.
 */
const forbidden: readonly [RegExp, string][] = [
  [
    /\b(?:node:)?(?:fs|child_process|worker_threads|net|http|https|vm|os|process)(?:\/promises)?['"]/,
    'a module of the system',
  ],
  [/\bprocess\s*\.\s*(?!nextTick\b|hrtime\b|emitWarning\b|on\b|off\b|once\b|listeners\b)/, 'the process'],
  [/\b(?:execSync|spawnSync|readFileSync)\b/, 'files or programs'],
  [/(?<![\w.])(?:open|exec|eval|compile)\s*\(/, 'files or generated code'],
  [/\b(?:subprocess|inspect|pathlib|importlib|linecache|socket)\b/, 'files or programs'],
  // Go, Rust and Java.
  [
    /"(?:io\/ioutil|os\/exec|embed|syscall|path\/filepath|runtime(?:\/debug)?)"|\/\/go:embed\b/,
    'files, programs or generated code',
  ],
  [
    /\bstd::(?:fs|env|process|net|os)\b|\b(?:include|include_str|include_bytes|env|option_env)!\s*[([{]/,
    'files, programs or the environment',
  ],
  [
    /\bjava\.(?:io\.(?:File|RandomAccess)|nio\.file|net)\b|\b(?:ProcessBuilder|Runtime)\b/,
    'files, programs or the network',
  ],
  [/\bSystem\s*\.\s*(?:getenv|getProperty|exit)\b/, 'the environment'],
  [/\bos\s*\.\s*(?:environ|system|popen|path|listdir|walk)\b/, 'the system'],
  [
    /\.toString\s*\(\s*\)\s*\.\s*(?:includes|match|indexOf)|__code__|__file__|co_code/,
    'the text of the code',
  ],
]

/** Null when the test may run; otherwise what it would use, in words. */
export function whyNotRun(test: string): string | null {
  const found = forbidden.find(([pattern]) => pattern.test(test))
  return found
    ? `the test uses ${found[1]}, which could tell the two sides apart without running the code`
    : null
}

/** Null when it is reproduced; otherwise the first thing that is missing, in words. */
export function whyNotReproduced(runs: JudgedRuns): string | null {
  const { head, base, predicted } = runs
  const [first] = head
  const broken = head.find(({ status }) => status === 'broken')
  if (broken) return `on the head, ${broken.why}`
  if (!first || head.some(({ status }) => status === 'passed')) return 'the test passes on the head'
  if (new Set(head.map(failureOf)).size > 1) return 'the test does not fail the same way each time'
  const failure = first.failures.find(({ message, details }) => holds(`${message}\n${details}`, predicted))
  if (!failure) return 'the test fails on the head for another reason than was predicted'
  if (!reaches(failure.details, runs))
    return 'neither the test nor its failure reaches the code of the finding'
  if (base === null) return null
  const lost = base.find(({ status }) => status !== 'passed')
  if (lost) return lost.status === 'failed' ? 'the test fails on the base too' : `on the base, ${lost.why}`
  if (!base.every(({ passed }) => passed.includes(failure.name))) return 'another test passes on the base'
  return null
}

/** Numbers differ from run to run: times, addresses such as `0x7fe8a8d2fb90`. */
function failureOf({ failures }: TestRun): string {
  const plain = (message: string) => message.replaceAll(/\b0x[\da-f]+|\d+/gi, '0')
  return JSON.stringify(failures.map(({ name, message }) => [name, plain(message)]))
}

function holds(text: string, words: string): boolean {
  const plain = (one: string) => one.toLowerCase().replaceAll(/\s+/g, ' ').trim()
  return words.trim().length >= shortestPrediction && plain(text).includes(plain(words))
}

/** The stack goes through a cited line, or the test itself names the definition or the file that holds it. */
function reaches(details: string, { finding, symbols, test }: JudgedRuns): boolean {
  const { anchor, startLine, endLine, places = [] } = finding
  const cited = [{ path: anchor.path, startLine, endLine }, ...places]
  const isOnStack = cited.some(({ path, startLine: from, endLine: to }) =>
    linesOf(details, path).some((line) => line >= from && line <= to),
  )
  if (isOnStack) return true
  const words = new Set(test.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [])
  return symbols.some((name) => words.has(name))
}

/** Line numbers behind this path: `src/a.ts:12:3`, `src/a.py:12: in f`. */
function linesOf(stack: string, path: string): number[] {
  return stack
    .split(`${path}:`)
    .slice(1)
    .map((rest) => Number.parseInt(rest, 10))
    .filter(Number.isInteger)
}
