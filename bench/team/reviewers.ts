/**
 * Are the people who really reviewed a change among the first three whom Sightline would ask?
 *
 *   node bench/team/reviewers.ts --keep FOLDER [--events 40] REPOSITORY…
 *
 * An event is a landed commit whose message names its reviewers (`Reviewed-by`, `Acked-by`, `Reviewers`), seen from its parent.
 * Its own message is never read by a ranking. Two rankings of the product: without any trailer, as in a repository whose
 * messages name no reviewers, and with the trailers of earlier commits. Beside them the last three people who changed the
 * files, the last three who reviewed changes of them, the three with most of the replaced lines, and the owners that the
 * repository names itself. The author of a change is left out everywhere.
 * What was read of a repository is kept in FOLDER, and read there the next time. Prints the table.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { NamedPerson, TeamCommit } from '../../src/domain/team-history.ts'
import { isProgram, knowPeople } from '../../src/graph/people.ts'
import { rankReviewers } from '../../src/graph/reviewers.ts'
import { type ReviewEvent, type ReviewHistory, readReviewEvents } from './review-events.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, events: { type: 'string', default: '40' } },
})
if (!values.keep) throw new Error('see the head of this file for its options')
mkdirSync(values.keep, { recursive: true })

const first = 3
const columns = [
  'experts',
  'last committers',
  'blame share',
  'owners',
  'with reviews',
  'last reviewers',
] as const
/** Hits of those events about which a column says anything. */
type Row = Record<(typeof columns)[number], { hits: number; of: number }>

type Person = { authorName: string; authorEmail: string }

const emptyRow = () => Object.fromEntries(columns.map((name) => [name, { hits: 0, of: 0 }])) as Row
const all = emptyRow()
console.log(`| repository | events | ${columns.join(' | ')} |`)
console.log(`| --- | ---: |${' ---: |'.repeat(columns.length)}`)
let events = 0
for (const repository of positionals) {
  const name = basename(dirname(repository)).replace('+', '/')
  const history = await readKept(repository, join(values.keep, `${name.replace('/', '+')}.json.gz`))
  const row = emptyRow()
  for (const event of history.events) addEvent(row, event, history.commits.slice(event.from))
  events += history.events.length
  for (const column of columns) {
    all[column].hits += row[column].hits
    all[column].of += row[column].of
  }
  print(name, history.events.length, row)
}
print('**all**', events, all)

function addEvent(row: Row, { commit, blamed, owners }: ReviewEvent, earlier: readonly TeamCommit[]): void {
  const named = [commit, ...earlier].flatMap(({ reviewers }) => reviewers.map(asPerson))
  const nameOf = knowPeople([commit, ...earlier, ...blamed, ...named])
  const author = nameOf(commit)
  const namesOf = (people: readonly Person[]) =>
    [...new Set(people.filter((person) => !isProgram(person)).map(nameOf))].filter((one) => one !== author)
  const reviewers = namesOf(commit.reviewers.map(asPerson))
  if (reviewers.length === 0) return
  const count = (column: (typeof columns)[number], people: readonly string[]) => {
    row[column].of += 1
    row[column].hits += Number(people.slice(0, first).some((one) => reviewers.includes(one)))
  }
  const { paths } = commit
  const own = { name: commit.authorName, email: commit.authorEmail }
  const ranked = (commits: readonly TeamCommit[]) =>
    rankReviewers({ commits, paths, blamed, author: own, limit: first }).map(({ name }) =>
      nameOf(personOf(name)),
    )
  // Names are those of one directory of people, so that two spellings of a person are one in every column.
  const personOf = (name: string): Person =>
    [...earlier, ...named].find((one) => one.authorName.trim() === name) ?? {
      authorName: name,
      authorEmail: '',
    }
  count('experts', ranked(earlier.map((one) => ({ ...one, reviewers: [] }))))
  count('with reviews', ranked(earlier))
  const touching = earlier.filter((one) => one.paths.some((path) => paths.includes(path)))
  count('last committers', namesOf(touching))
  count('last reviewers', namesOf(touching.flatMap((one) => one.reviewers.map(asPerson))))
  const lines = new Map<string, number>()
  for (const each of blamed)
    if (!isProgram(each)) lines.set(nameOf(each), (lines.get(nameOf(each)) ?? 0) + each.lines)
  lines.delete(author)
  count(
    'blame share',
    [...lines].sort((a, b) => b[1] - a[1]).map(([name]) => name),
  )
  if (owners) count('owners', namesOf(owners.map(({ name, account }) => asPerson({ name, email: account }))))
}

async function readKept(repository: string, file: string): Promise<ReviewHistory> {
  if (existsSync(file)) return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as ReviewHistory
  const history = await readReviewEvents(repository, Number(values.events))
  writeFileSync(file, gzipSync(JSON.stringify(history), { level: 1 }))
  return history
}

function asPerson({ name, email }: NamedPerson): Person {
  return { authorName: name, authorEmail: email }
}

function print(name: string, asked: number, row: Row): void {
  const cells = columns.map((column) => {
    const { hits, of } = row[column]
    return of === 0 ? '–' : `${Math.round((100 * hits) / of)} %${of < asked ? ` (${of})` : ''}`
  })
  console.log(`| ${name} | ${asked} | ${cells.join(' | ')} |`)
}
