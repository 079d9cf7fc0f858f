/**
 * What the search for secrets costs: processor time a megabyte of the files of each repository's newest commit, ours and
 * secretlint's recommended preset in one process, the best of some rounds.
 *
 *   npm install --prefix node_modules/.cache/secretlint --no-save @secretlint/core @secretlint/secretlint-rule-preset-recommend
 *   node bench/secrets/speed.ts [--kilobytes 400] [--rounds 8] [--against node_modules/.cache/secretlint] GIT_DIRECTORY…
 */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { findSecrets } from '../../src/base/secrets/find-secrets.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kilobytes: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '8' },
    against: { type: 'string' },
  },
})

const texts = positionals.flatMap(textsOf)
const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6
const ours = await bestOf((text) => findSecrets(text))
console.log(`${texts.length} files, ${megabytes.toFixed(2)} MB`)
console.log(`sightline: ${(ours / megabytes).toFixed(1)} ms of processor time a MB`)
if (values.against !== undefined) {
  const theirs = await bestOf(await secretlint(values.against))
  console.log(
    `secretlint: ${(theirs / megabytes).toFixed(1)} ms a MB, ${(theirs / ours).toFixed(1)} times ours`,
  )
}

/** Files of text in the order of their ids, which is no order of paths, up to so many kilobytes. */
function textsOf(directory: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', directory, ...args], { maxBuffer: 1 << 30 })
  const ids = git('ls-tree', '-r', '--format=%(objecttype) %(objectname)', 'HEAD').toString().split('\n')
  const found: string[] = []
  let left = Number(values.kilobytes) * 1000
  for (const line of ids.filter((one) => one.startsWith('blob ')).sort()) {
    if (left <= 0) break
    const content = git('cat-file', 'blob', line.slice(5))
    if (content.includes(0) || content.length > 100_000) continue
    left -= content.length
    found.push(content.toString('utf8'))
  }
  return found
}

async function bestOf(search: (text: string) => unknown): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    const before = process.cpuUsage()
    for (const text of texts) await search(text)
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / 1000)
  }
  return Math.min(...rounds)
}

async function secretlint(folder: string): Promise<(text: string) => unknown> {
  const from = createRequire(pathToFileURL(join(resolve(folder), 'package.json')))
  const load = (name: string) => import(pathToFileURL(from.resolve(name)).href)
  const [{ lintSource }, { creator }] = await Promise.all([
    load('@secretlint/core'),
    load('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] }
  return (content) =>
    lintSource({
      source: { filePath: 'a.txt', content, contentType: 'text' },
      options: { config },
    })
}
