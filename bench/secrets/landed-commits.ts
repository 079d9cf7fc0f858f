/**
 * How often the check for secrets raises a false alarm: commits that somebody landed, drawn with a seed from repositories
 * that were never used for its rules, each reviewed by the check as in a review.
 *
 *   node bench/secrets/landed-commits.ts [--seed 1] [--commits 200] GIT_DIRECTORY…
 *
 * Prints every finding with its masked line, to be read by a person.
 */
import { execFileSync } from 'node:child_process'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { buildContext } from '../../src/pipeline/context/build-context.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { secretsPlane } from '../../src/pipeline/planes/secrets/plane.ts'
import { Random } from '../../test/helpers/random.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, commits: { type: 'string', default: '200' } },
})

/** Of each repository its youngest ones are drawn from. */
const mostRecent = 2000
const facts = createFactStore({ cacheFolder: null })
const random = new Random(Number(values.seed))
const pools = positionals.map((directory) => ({ directory, commits: commitsOf(directory) }))
let [reviewed, alarms, files] = [0, 0, 0]
while (reviewed < Number(values.commits)) {
  const { directory, commits } = random.pick(pools)
  const [commit] = commits.splice(random.between(0, commits.length - 1), 1)
  if (commit === undefined) continue
  try {
    for (const line of await alarmsOf(directory, commit)) {
      alarms++
      console.log(line)
    }
    reviewed++
  } catch (error) {
    console.error(`not reviewed: ${nameOf(directory)} ${commit.slice(0, 8)}: ${error}`)
  }
}
console.log(
  `seed ${values.seed}: ${reviewed} commits of ${pools.length} repositories, ${files} changed files, ${alarms} findings`,
)
await facts.close()

function commitsOf(directory: string): string[] {
  const args = [
    'rev-list',
    '--first-parent',
    '--no-merges',
    '--min-parents=1',
    '-n',
    String(mostRecent),
    'HEAD',
  ]
  return execFileSync('git', ['--git-dir', directory, ...args], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

async function alarmsOf(directory: string, commit: string): Promise<string[]> {
  const signal = AbortSignal.timeout(120_000)
  const config = defaultConfig
  const selector = { kind: 'commit', commit } as const
  const collected = await collectLocal({ folder: directory, selector, limits: config.limits, signal })
  try {
    const { request, base, head, history } = collected
    const change = await readChangeSet(await collected.diff(), { ...config.paths, base })
    files += change.files.length
    const context = buildContext({
      request,
      configHash: '',
      change,
      symbols: [],
      tests: [],
      evidence: [],
      cuts: [],
    })
    const { candidates } = await secretsPlane.look({ context, base, head, history, facts, config, signal })
    return candidates.map(({ rule, anchor, claims }) => {
      const quotes = claims.flatMap((claim) =>
        'text' in claim ? [String(claim.text).trim().slice(0, 140)] : [],
      )
      return `${nameOf(directory)} ${commit.slice(0, 8)} ${anchor.path} ${rule}: ${quotes.slice(0, 3).join(' | ')}`
    })
  } finally {
    await collected.close()
  }
}

function nameOf(directory: string): string {
  return basename(dirname(resolve(directory, 'x')).replace(/\/(?:repo|\.git)$/, ''))
}
