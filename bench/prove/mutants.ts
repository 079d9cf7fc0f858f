/**
 * Findings about faults that are planted in the small repositories of `evals/worlds`, shown by a reader who plays the model:
 *
 *     node bench/prove/mutants.ts --reader http://127.0.0.1:4557 --out rows.json [--seed 1] [--each 4] [--packages FOLDER]
 *
 * Half of the changes plant a fault, and the finding about it is true. The others take a fault out, and the finding says of
 * them what would be true of the first ones, so it is false. Title, message and order say nothing about which is which, and
 * neither does what is printed; the truth is in the file. All are asked for side by side, at `ADDRESS/c01/v1` and so on.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { operators } from '../../evals/mutants/registry.ts'
import { seededRandom } from '../../evals/scores/random.ts'
import type { Files } from '../../evals/worlds/parse-world.ts'
import { readWorlds } from '../../evals/worlds/read-worlds.ts'
import type { Reproduction } from '../../src/domain/reproduction.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { emptyAnswer } from '../../test/helpers/reviewer-answer.ts'
import { sightline } from '../../test/helpers/sightline.ts'
import { environmentFor, foundAt, removeKept } from './settings.ts'
import { pom } from './worlds.ts'

const { values } = parseArgs({
  options: {
    reader: { type: 'string' },
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '4' },
    packages: { type: 'string' },
  },
})
const { reader, out } = values
if (reader === undefined || out === undefined) throw new Error('--reader and --out are needed')

/** Whose mutant is another text of one line. The words are true of the line that they change. */
const titles: Readonly<Record<string, string>> = {
  'negated-condition': 'The condition is turned round',
  'off-by-one': 'The bound is off by one',
  'wrong-operator': 'Another operator gives another value',
  'wrong-constant': 'The number is not what it was meant to be',
  'swap-arguments': 'The arguments of the call are in the wrong order',
}

type Planted = {
  world: string
  isTrue: boolean
  operator: string
  path: string
  base: Files
  head: Files
  /** The line as the base has it and as the head has it. */
  before: string
  after: string
  why: string
}

const random = seededRandom(Number(values.seed))
const all = shuffled(readWorlds().flatMap(plantIn))
const rows: object[] = []
await Promise.all(all.map((planted, at) => show(planted, `c${String(at + 1).padStart(2, '0')}`)))
removeKept()

function plantIn(world: ReturnType<typeof readWorlds>[number]): Planted[] {
  const known = operators.filter(({ name }) => titles[name] !== undefined)
  const planted = world.commits.flatMap(({ files, touched }, at) => {
    const before = world.commits[at - 1]?.files
    if (!before) return []
    return known.flatMap((operator) =>
      operator.mutate({ before, after: files, touched, random }).flatMap((mutation): Planted[] => {
        const { file: path, start } = mutation.place
        const lineIn = (one: Files) => (one.get(path) ?? '').split('\n')[start - 1] ?? ''
        const mutant = new Map([...files, ...mutation.files])
        const [good, bad] = [lineIn(files), lineIn(mutant)]
        const isTrue = random() < 0.5
        const [base, head] = isTrue ? [files, mutant] : [mutant, files]
        const [was, is] = isTrue ? [good, bad] : [bad, good]
        const why = mutation.description.replaceAll(good.trim(), was.trim())
        return [
          {
            ...{ world: world.name, isTrue, operator: operator.name, path, base, head },
            ...{ before: was.trim(), after: is.trim(), why },
          },
        ]
      }),
    )
  })
  const half = Number(values.each)
  const mixed = shuffled(planted)
  const some = (isTrue: boolean) => mixed.filter((one) => one.isTrue === isTrue).slice(0, half)
  return [...some(true), ...some(false)]
}

async function show(planted: Planted, name: string): Promise<void> {
  const { world, isTrue, operator, path, after, why } = planted
  const folder = createRepository(planted)
  const found = foundAt(path, after, titles[operator] ?? '', why, 'correctness')
  await using reviewer = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: { ...emptyAnswer, findings: [found] } }],
  })
  const review = await sightline(
    ['review', 'HEAD', '--repo', folder, '--depth', 'quick', '--json', '-q', '--no-agent'],
    { env: environmentFor(reviewer.baseUrl, 'anthropic') },
  )
  const { findings, run } = JSON.parse(review.stdout) as {
    findings: { id: string; title: string }[]
    run: { trace: { run: string } }
  }
  const finding = findings.find(({ title }) => title === found.title)
  if (!finding) return console.log(`${name}: the review dropped its finding`)
  const startedAt = performance.now()
  const { stdout, stderr } = await sightline(
    ['prove', run.trace.run, finding.id, '--repo', folder, '--json', '-q'],
    { env: environmentFor(`${reader}/${name}/v1`, 'openai-compatible') },
  )
  const { reproduction } = JSON.parse(stdout || '{}') as { reproduction?: Reproduction }
  if (!reproduction) return console.log(`${name}: ${stderr || stdout}`)
  const seconds = (performance.now() - startedAt) / 1000
  rows.push({
    name,
    world,
    isTrue,
    operator,
    path,
    before: planted.before,
    after,
    why,
    seconds,
    reproduction,
  })
  writeFileSync(out ?? '', JSON.stringify(rows, null, 1))
  console.log(`${name} in ${world}, ${reproduction.framework}: done after ${reproduction.tries}`)
  rmSync(folder, { recursive: true, force: true })
}

function createRepository({ base, head, path }: Planted): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-prove-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  const commit = (files: Files, message: string) => {
    for (const [to, text] of files) {
      mkdirSync(dirname(join(folder, to)), { recursive: true })
      writeFileSync(join(folder, to), to === 'pom.xml' ? pom : text)
    }
    git('add', '--all')
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', message)
  }
  git('init', '--quiet')
  commit(new Map([...base, ['.gitignore', 'node_modules\ntarget\n']]), 'First version')
  commit(head, `Rework ${path}`)
  if (values.packages !== undefined && base.has('package.json'))
    execFileSync('cp', ['-al', join(values.packages, 'node_modules'), join(folder, 'node_modules')])
  return folder
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
