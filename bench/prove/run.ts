/**
 * How many true findings a test shows, and whether a false one is ever said to be shown:
 *
 *     node bench/prove/run.ts [--world node:test] [--most 3] [--packages FOLDER] [--reader http://127.0.0.1:4557]
 *
 * Vitest, Mocha and Jest run where the `node_modules` of FOLDER has them. Without a reader, whoever writes the tests believes every finding: for a true one the test of the case, for a false one
 * that test, then one that fails on both sides, then one that cannot be loaded. With a reader, requests go to
 * `ADDRESS/WORLD/v1`, one after another, true and false ones mixed.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sha256 } from '../../src/base/canonical-json.ts'
import { findSandbox } from '../../src/base/sandbox/probe.ts'
import type { Finding } from '../../src/domain/finding.ts'
import type { Reproduction } from '../../src/domain/reproduction.ts'
import { stemOf } from '../../src/pipeline/prove/plan-test.ts'
import { maven } from '../../src/test-runs/frameworks/maven.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import type { CodedStep } from '../../test/helpers/fakes/scenario/script.ts'
import { emptyAnswer } from '../../test/helpers/reviewer-answer.ts'
import { sightline } from '../../test/helpers/sightline.ts'
import type { Case, Claimed } from './cases.ts'
import { environmentFor, foundAt, removeKept } from './settings.ts'
import { createWorld, listWorlds, type World } from './worlds.ts'

const { values } = parseArgs({
  options: {
    world: { type: 'string' },
    most: { type: 'string', default: '100' },
    reader: { type: 'string' },
    packages: { type: 'string' },
    out: { type: 'string' },
  },
})

type Row = { world: string; name: string; isTrue: boolean; seconds: number; reproduction: Reproduction }

const signal = new AbortController().signal
if (!(await findSandbox(undefined, signal))) throw new Error('no sandbox works here, so no test can run')
const rows: Row[] = []
for (const world of listWorlds(values.packages ?? null).filter(
  ({ name }) => !values.world || name === values.world,
))
  await proveAll({ ...world, cases: world.cases.slice(0, Number(values.most)) })
removeKept()
for (const world of new Set(rows.map((one) => one.world))) {
  const [all, reproduced] = [
    rows,
    rows.filter(({ reproduction }) => reproduction.outcome === 'reproduced'),
  ].map((some) =>
    [true, false].map((isTrue) => some.filter((one) => one.world === world && one.isTrue === isTrue)),
  )
  const seconds = rows.filter((one) => one.world === world).map((one) => one.seconds)
  const middle = seconds.sort((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0
  console.log(
    `${world}: ${reproduced?.[0]?.length} of ${all?.[0]?.length} true findings reproduced, ${reproduced?.[1]?.length} of ${all?.[1]?.length} false ones; ${middle.toFixed(1)} s in the middle`,
  )
}

async function proveAll(world: World): Promise<void> {
  const folder = createWorld(world)
  const claims = world.cases.flatMap((one) => [
    { one, claim: one.broken, isTrue: true },
    { one, claim: one.harmless, isTrue: false },
  ])
  await using reviewer = await startFakeProvider('anthropic', {
    steps: [
      {
        answer: 'good',
        value: {
          ...emptyAnswer,
          findings: claims.map(({ one, claim }) => {
            const category = claim === one.broken ? 'correctness' : 'contract'
            return foundAt(world.fileOf(one), claim.after, claim.title, claim.why, category)
          }),
        },
      },
    ],
  })
  const review = await sightline(
    ['review', 'HEAD', '--repo', folder, '--depth', 'quick', '--json', '-q', '--no-agent'],
    { env: environmentFor(reviewer.baseUrl, 'anthropic') },
  )
  const { findings } = JSON.parse(review.stdout) as { findings: Finding[] }
  // Mixed, so that the order says nothing to a reader.
  const mixed = claims.toSorted((a, b) => (sha256(a.claim.title) < sha256(b.claim.title) ? -1 : 1))
  for (const { one, claim, isTrue } of mixed) {
    const finding = findings.find(({ title }) => title === claim.title)
    if (!finding) {
      console.log(`${world.name}/${one.name}: the review dropped "${claim.title}"`)
      continue
    }
    const startedAt = performance.now()
    const { stdout, stderr } = await proveOne(folder, finding, world, one, claim, isTrue)
    const seconds = (performance.now() - startedAt) / 1000
    if (stdout === '') throw new Error(stderr)
    const { reproduction } = JSON.parse(stdout) as { reproduction: Reproduction }
    rows.push({ world: world.name, name: one.name, isTrue, seconds, reproduction })
    const { outcome, why, tries } = reproduction
    console.log(
      `${world.name}/${one.name} ${isTrue ? 'true' : 'false'}: ${outcome} after ${tries}, ${seconds.toFixed(1)} s: ${why}`,
    )
    if (values.out) writeFileSync(values.out, JSON.stringify(rows, null, 1))
  }
  rmSync(folder, { recursive: true, force: true })
}

async function proveOne(
  folder: string,
  finding: Finding,
  world: World,
  one: Case,
  claim: Claimed,
  isTrue: boolean,
): Promise<{ stdout: string; stderr: string }> {
  const args = ['prove', finding.id, '--repo', folder, '--json', '-q']
  if (values.reader) {
    const address = `${values.reader}/${world.name.replace(/\W/g, '-')}/v1`
    return await sightline(args, { env: environmentFor(address, 'openai-compatible') })
  }
  const steps: CodedStep[] = testsOf(world, one, claim, isTrue).map(([test, predicted]) => ({
    answer: 'good',
    // A class of Java is called as its file.
    value: { test: test.replace('CLASS', classOf(finding)), predicted, because: claim.why, cannot: '' },
  }))
  await using provider = await startFakeProvider('anthropic', { steps })
  return await sightline(args, { env: environmentFor(provider.baseUrl, 'anthropic') })
}

function testsOf(world: World, one: Case, claim: Claimed, isTrue: boolean): [string, string][] {
  const words = `${claim.title.replaceAll('`', '')}`
  // A failure that is thrown has words of its own.
  const asked: [string, string] = [world.testOf(one, claim, words), thrown(claim) ?? words]
  if (isTrue) return [asked]
  const test = asked[0]
  const other = test.replace(...world.opposite)
  return [asked, [other, words], [test.replace(...world.spoilt), words]]
}

function classOf(finding: Finding): string {
  return maven.nameFor(stemOf(finding), '.java').replace('.java', '')
}

/** What a call says that throws, where the title says that it does. */
function thrown({ title, why }: Claimed): string | null {
  if (!/throws|raises|panics|divides by zero/.test(title)) return null
  if (why.includes('reduce')) return 'Reduce of empty array with no initial value'
  return (
    /(IndexError|KeyError|TypeError)/.exec(title)?.[1] ??
    (title.includes('divides') ? 'ZeroDivisionError' : 'index out of range')
  )
}
