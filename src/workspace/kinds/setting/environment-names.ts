/** Where code reads an environment variable by a name that is written there. */

const name = `([A-Z][A-Z\\d_]{3,60})`
const reads = new RegExp(
  [
    `(?:process|import\\.meta)\\.env\\??\\.${name}\\b`,
    `(?:process\\.env|os\\.environ|ENV)\\[\\s*["'\`]${name}["'\`]`,
    `(?:os\\.environ\\.get|os\\.environ\\.setdefault|os\\.getenv|getenv|os\\.Getenv|os\\.LookupEnv|env::var(?:_os)?|ENV\\.fetch|Deno\\.env\\.get|Environment\\.GetEnvironmentVariable|(?<![\\w.>$])env)\\(\\s*["'\`]${name}["'\`]`,
  ].join('|'),
  'g',
)

/** `end`: behind the name and its quote. */
export type NamedRead = { name: string; start: number; end: number }

export function environmentReads(line: string): NamedRead[] {
  return [...line.matchAll(reads)].flatMap((match) => {
    const [whole, one, two, three] = match
    const found = one ?? two ?? three
    return found === undefined ? [] : [{ name: found, start: match.index, end: match.index + whole.length }]
  })
}
