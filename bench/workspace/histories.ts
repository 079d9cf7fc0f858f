/**
 * Who else broke, in public histories: each pair of a library and a user of it (`pairs.ts`) is collected with the user, as it
 * was when the library changed, as its workspace. What the product names is compared with what was read by hand.
 *
 *   node bench/workspace/histories.ts --mirrors FOLDER [--set first|second] [--only WORDS]
 *
 * `--mirrors`: a folder with OWNER+NAME/repo, as for evaluations. Every miss and every false place is listed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runGit } from '../../evals/base/git.ts'
import { collectView, openParts } from './measure.ts'
import { type Pair, pairSets } from './pairs.ts'

const { values } = parseArgs({
  options: { mirrors: { type: 'string' }, only: { type: 'string', default: '' }, set: { type: 'string' } },
})
if (values.mirrors === undefined) throw new Error('Name a folder that holds OWNER+NAME/repo with --mirrors.')
const mirrors = resolve(values.mirrors)
const pairs = Object.entries(pairSets).flatMap(([name, own]) => ((values.set ?? name) === name ? own : []))
const root = mkdtempSync(join(tmpdir(), 'workspace-histories-'))
const sum = { places: 0, found: 0, wrong: 0, fits: 0 }

const mirrorOf = (name: string) => join(mirrors, name.replace('/', '+'), 'repo')

const words = async (folder: string, ...args: string[]) => (await runGit(folder, args)).toString().trim()

/** A bare copy of its mirror, whose `main` is that commit; the path of its folder. */
async function at(name: string, commit: string, where: string): Promise<string> {
  const folder = join(root, where, name)
  const full = await words(mirrorOf(name), 'rev-parse', commit)
  await runGit(mirrorOf(name), ['clone', '-q', '--bare', '--local', mirrorOf(name), folder], {
    env: { GIT_ALLOW_PROTOCOL: 'file' },
  })
  await runGit(folder, ['update-ref', 'refs/heads/main', full])
  await runGit(folder, ['symbolic-ref', 'HEAD', 'refs/heads/main'])
  await runGit(folder, ['config', 'remote.origin.url', `https://github.com/${name}`])
  return folder
}

async function measure(pair: Pair, where: string): Promise<void> {
  const { provider, user, commit, places, fits = {} } = pair
  const date = await words(mirrorOf(provider), 'log', '-1', '--format=%cI', commit)
  const then = await words(mirrorOf(user), 'rev-list', '-1', `--before=${date}`, 'HEAD')
  const [library, member] = [await at(provider, commit, where), await at(user, then, where)]
  const parts = openParts(join(root, where), [member])
  try {
    const { breaks, repositories } = await collectView(library, `${commit}~1..${commit}`, parts)
    const said = breaks.flatMap(({ kind, name, uses }) =>
      uses.map((use) => ({ ...use, of: `${kind} ${name}` })),
    )
    const isFound = ([path, lines]: [string, readonly number[]]) =>
      said.some((use) => use.path === path && lines.some((line) => use.line <= line && line <= use.endLine))
    const all = Object.entries(places)
    const missed = all.filter((place) => !isFound(place))
    const wrong = said.filter(({ path }) => !(path in places))
    sum.places += all.length
    sum.found += all.length - missed.length
    sum.wrong += wrong.length
    sum.fits += Object.keys(fits).length
    console.log(
      `| ${provider} ${commit} | ${pair.what} | ${user} ${then.slice(0, 10)} | ${all.length} | ${all.length - missed.length} | ${wrong.length} |`,
    )
    for (const { trouble } of repositories) if (trouble !== null) console.log(`  trouble: ${trouble}`)
    for (const [path, lines] of missed) console.log(`  missed: ${path}:${lines.join(',')}`)
    for (const { path, line, name, how, confidence, of } of wrong)
      console.log(
        `  false${path in fits ? ` (${fits[path]})` : ''}: ${path}:${line} ${name}, ${how} (${confidence}), of ${of}`,
      )
  } finally {
    await parts.facts.close()
  }
}

try {
  console.log('| Library | What went | User | Places | Found | False |\n|---|---|---|---:|---:|---:|')
  for (const [number, pair] of pairs.entries())
    if (`${pair.provider} ${pair.user} ${pair.what}`.includes(values.only))
      await measure(pair, String(number))
  console.log(
    `\n${sum.found} of ${sum.places} places found, ${sum.wrong} false; ${sum.fits} files look like uses and are none`,
  )
} finally {
  rmSync(root, { recursive: true, force: true })
}
