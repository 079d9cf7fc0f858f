/**
 * What do language servers add to the contract plane, and what do they cost? The cut commits of `run.ts` are reviewed
 * offline twice, without servers and with them.
 *
 *   node bench/broken-callers/checked.ts --language python [--cases 8] [--commits 800] GIT_DIRECTORY…
 *
 * Prints, for each case, how many places the servers confirmed, denied and left open, with the reason of every denial,
 * and the seconds of both reviews.
 */
import { rmSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import type { Review } from '../../src/domain/review.ts'
import { reviewChange } from '../../src/sightline.ts'
import { casesOf } from './cases.ts'
import { openScratch } from './git.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', default: 'typescript' },
    cases: { type: 'string', default: '8' },
    commits: { type: 'string', default: '800' },
  },
})

type Count = { places: number; confirmed: number; denied: number; open: number }

for (const repository of positionals) {
  const gitDir = resolve(repository)
  const scratch = openScratch(gitDir)
  const facts = createFactStore({ cacheFolder: null })
  const range = { skip: 0, commits: Number(values.commits), only: null }
  const name = basename(dirname(gitDir))
  const sums = { cases: 0, places: 0, confirmed: 0, denied: 0, open: 0, without: 0, with: 0 }
  for await (const { head, commit } of casesOf(gitDir, scratch, values.language, facts, range)) {
    const without = await timed(scratch, head, 'off')
    const candidates = without.review.verdicts.filter(({ outcome }) => outcome !== 'dropped')
    if (candidates.length === 0) continue
    const checked = await timed(scratch, head, 'always')
    const found = countPlaces(without.review, checked.review)
    sums.cases++
    sums.without += without.seconds
    sums.with += checked.seconds
    for (const key of ['places', 'confirmed', 'denied', 'open'] as const) sums[key] += found[key]
    const seconds = `${without.seconds.toFixed(1)} s, with servers ${checked.seconds.toFixed(1)} s`
    console.log(`${name} ${commit.slice(0, 10)}  ${JSON.stringify(found)}  ${seconds}`)
    for (const { reason } of checked.review.verdicts)
      if (/ (?:takes|finds) /.test(reason)) console.log(`  ${reason.slice(0, 400)}`)
    if (sums.cases >= Number(values.cases)) break
  }
  await facts.close()
  rmSync(scratch, { recursive: true, force: true })
  const each = (seconds: number) => (seconds / Math.max(1, sums.cases)).toFixed(2)
  console.log(
    `\n${name}: ${sums.cases} cases, ${sums.places} places: ${sums.confirmed} confirmed by a server, ${sums.denied} denied, ${sums.open} left open; ${each(sums.without)} s a review, ${each(sums.with)} s with servers\n`,
  )
}

async function timed(folder: string, commit: string, servers: 'off' | 'always') {
  const startedAt = performance.now()
  const { review } = await reviewChange({
    folder,
    selector: { kind: 'commit', commit },
    cacheFolder: null,
    overrides: { depth: 'offline' },
    exactPlanes: ['contract'],
    servers,
  })
  return { review, seconds: (performance.now() - startedAt) / 1000 }
}

/** Of the places that the plane alone names; a line of `verifiedBy` tells how many a checker vouches for. */
function countPlaces(without: Review, checked: Review): Count {
  const claims = (review: Review) => review.findings.reduce((sum, { claims: all }) => sum + all.length, 0)
  const [places, left] = [claims(without), claims(checked)]
  const confirmed = checked.findings
    .flatMap(({ verifiedBy }) => verifiedBy)
    .reduce((sum, line) => {
      const number = /^(\d+) claims? confirmed by .*(?:typescript|pyright|gopls|clangd)/.exec(line)?.[1]
      return sum + Number(number ?? 0)
    }, 0)
  return { places, confirmed, denied: places - left, open: left - confirmed }
}
