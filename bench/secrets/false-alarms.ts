/**
 * How often the search for secrets is wrong on code that somebody landed: the last commits of each repository, compared
 * with their first parents, both sides' whole files, every blob once.
 *
 *   node bench/secrets/false-alarms.ts [--commits 50] [--values] [--out bench/out/secrets.json] GIT_DIRECTORY…
 *
 * Prints a table, and every distinct alarm with its line masked, to be read by a person. `--values` prints the values
 * too: for your own eyes only, since one of them may be real.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findSecrets } from '../../src/base/secrets/find-secrets.ts'
import { hiddenOf, maskRanges } from '../../src/base/secrets/redact.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '50' },
    values: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench/out/secrets.json' },
  },
})

/** What a review reads of a file. */
const fileBytes = 4_194_304
/** A line in the list of alarms. */
const shownWidth = 110
const regularFile = /^100/

type Alarm = {
  path: string
  /** Counted from 1. */
  line: number
  kind: string
  /** A token's form alone; otherwise a value that looks like a secret. */
  certain: boolean
  /** Masked in what is shown, but never reported as a finding. */
  local: boolean
  masked: string
  value?: string
}

type Row = {
  repository: string
  head: string
  commits: number
  /** Sides of changed files. */
  sides: number
  blobs: number
  bytes: number
  cpuMs: number
  alarms: Alarm[]
}

const rows = positionals.map(searchRepository)
console.log('| Repository | Commits | Sides of files | Distinct | MB | Alarms | By kind | ms a MB |')
console.log('|---|---|---|---|---|---|---|---|')
for (const row of rows) console.log(inTable(row))
console.log(inTable(total(rows)))
for (const { repository, alarms } of rows)
  for (const { path, line, kind, masked, value } of alarms)
    console.log(
      `${repository} ${path}:${line} ${kind}: ${masked}${value === undefined ? '' : `  [${value}]`}`,
    )
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, `${JSON.stringify(rows, null, 2)}\n`)

function searchRepository(directory: string): Row {
  const git = (...args: string[]) =>
    execFileSync('git', ['--no-replace-objects', '--git-dir', directory, ...args], { maxBuffer: 1 << 30 })
  const commits = git('rev-list', '--first-parent', '--min-parents=1', '-n', values.commits, 'HEAD')
    .toString()
    .trim()
    .split('\n')
  const sides = commits.flatMap((commit) =>
    sidesOf(git('diff-tree', '-r', '-z', '--no-renames', `${commit}^1`, commit).toString()),
  )
  const pathOf = new Map(sides.map(({ blob, path }) => [blob, path]))
  const batch = execFileSync('git', ['--git-dir', directory, 'cat-file', '--batch'], {
    input: [...pathOf.keys()].join('\n'),
    maxBuffer: 1 << 30,
  })
  let bytes = 0
  let blobs = 0
  const alarms = new Map<string, Alarm>()
  let cpuMs = 0
  for (const [blob, content] of objectsOf(batch)) {
    const path = pathOf.get(blob) ?? ''
    if (content.length > fileBytes || content.includes(0)) continue
    const text = content.toString('utf8')
    blobs++
    bytes += content.length
    const before = process.cpuUsage()
    const found = findSecrets(text)
    const spent = process.cpuUsage(before)
    cpuMs += (spent.user + spent.system) / 1000
    if (found.length === 0) continue
    const lines = maskRanges(text, hiddenOf(found)).split('\n')
    for (const { kind, value, start, certain, local } of found) {
      // Masking keeps the number of lines.
      const line = text.slice(0, start).split('\n').length
      const masked = excerpt(lines[line - 1] ?? '')
      alarms.set(`${path}\0${value}`, {
        path,
        line,
        kind,
        certain,
        local,
        masked,
        ...(values.values ? { value } : {}),
      })
    }
  }
  return {
    repository: basename(resolve(directory).replace(/\/(?:repo|\.git)$/, '')),
    head: commits[0]?.slice(0, 8) ?? '',
    commits: commits.length,
    sides: sides.length,
    blobs,
    bytes,
    cpuMs,
    alarms: [...alarms.values()],
  }
}

/** Of git's raw format, in which each record is followed by its path. */
function sidesOf(raw: string): { blob: string; path: string }[] {
  const parts = raw.split('\0')
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, index) => {
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = ''] = (parts[index * 2] ?? '')
      .slice(1)
      .split(' ')
    const path = parts[index * 2 + 1] ?? ''
    return [
      ...(regularFile.test(oldMode) ? [{ blob: oldBlob, path }] : []),
      ...(regularFile.test(newMode) ? [{ blob: newBlob, path }] : []),
    ]
  }).flat()
}

/** What `cat-file --batch` answers; an object that a partial copy lacks is left out. */
function objectsOf(batch: Buffer): Map<string, Buffer> {
  const objects = new Map<string, Buffer>()
  for (let at = 0; at < batch.length; ) {
    const lineEnd = batch.indexOf('\n', at)
    const [id = '', type = '', size = '0'] = batch.toString('latin1', at, lineEnd).split(' ')
    const start = lineEnd + 1
    const end = type === 'missing' ? start : start + Number(size)
    if (type === 'blob') objects.set(id, batch.subarray(start, end))
    at = type === 'missing' ? end : end + 1
  }
  return objects
}

/** Around the first mask: minified files have a single line. */
function excerpt(line: string): string {
  const at = Math.max(0, line.indexOf('…') - shownWidth / 2)
  return line.slice(at, at + shownWidth).trim()
}

function inTable({ repository, head, commits, sides, blobs, bytes, cpuMs, alarms }: Row): string {
  const kinds = [...Map.groupBy(alarms, ({ kind }) => kind)].map(([kind, of]) => `${of.length} ${kind}`)
  const cells = [
    `${repository} ${head}`.trim(),
    commits,
    sides,
    blobs,
    (bytes / 1e6).toFixed(1),
    alarms.length,
    kinds.join(', ') || '–',
    (cpuMs / (bytes / 1e6)).toFixed(1),
  ]
  return `| ${cells.join(' | ')} |`
}

function total(all: readonly Row[]): Row {
  const sum = (key: 'commits' | 'sides' | 'blobs' | 'bytes' | 'cpuMs') =>
    all.reduce((so, row) => so + row[key], 0)
  return {
    repository: 'all',
    head: '',
    commits: sum('commits'),
    sides: sum('sides'),
    blobs: sum('blobs'),
    bytes: sum('bytes'),
    cpuMs: sum('cpuMs'),
    alarms: all.flatMap(({ alarms }) => alarms),
  }
}
