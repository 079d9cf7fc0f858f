/** Everything that the red team plays, and what it says of it; `run.ts` lists the options. */
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findSandbox } from '../../src/base/sandbox/probe.ts'
import { Random } from '../helpers/random.ts'
import { installStarter, startingHere } from '../helpers/starter/start.ts'
import { runAsks } from './asks/run-asks.ts'
import { runCaches } from './caches/run-caches.ts'
import { runComments } from './comments/run-comments.ts'
import { runReadings } from './comments/run-readings.ts'
import { runFraming } from './framing/run-framing.ts'
import { guards } from './guards/registry.ts'
import { runGuards } from './guards/run-guards.ts'
import { runIds } from './ids/run-ids.ts'
import { runIncidents } from './incidents/run-incidents.ts'
import { playInput } from './inputs/play-input.ts'
import { structures } from './inputs/structures.ts'
import { switches } from './inputs/switches.ts'
import { invariants } from './invariants/contract.ts'
import { runMatrix } from './matrix/run-matrix.ts'
import { runMemory } from './memory/run-memory.ts'
import { runHarness } from './run-harness.ts'
import { places } from './secrets/plant.ts'
import { type Cell, runCanaries } from './secrets/run-canaries.ts'
import { runCells } from './secrets/run-cells.ts'
import { serverAttacks } from './servers/attacks.ts'
import { playServers } from './servers/play-servers.ts'
import { runCalls } from './volume/run-calls.ts'
import { runDiffs } from './volume/run-diffs.ts'
import { runReviews } from './volume/run-reviews.ts'
import { playOverSockets } from './wire/over-sockets.ts'
import { buildWorlds, openWorlds } from './world/open-worlds.ts'

const options = {
  runs: { type: 'string', default: '2000' },
  worst: { type: 'string' },
  wire: { type: 'string', default: '21' },
  seconds: { type: 'string' },
  seed: { type: 'string' },
  matrix: { type: 'string', default: '600' },
  guards: { type: 'string' },
  guard: { type: 'string' },
  servers: { type: 'string' },
  incidents: { type: 'string', default: '1000' },
  framing: { type: 'string', default: '250' },
  claims: { type: 'string' },
  asks: { type: 'string', default: '1000' },
  cells: { type: 'string', default: '200000' },
  comments: { type: 'string', default: '20000' },
  memory: { type: 'string', default: '500' },
  caches: { type: 'string', default: '1000000' },
  ids: { type: 'string', default: '100000' },
  calls: { type: 'string', default: '20000' },
  diffs: { type: 'string', default: '20000' },
  reviews: { type: 'string', default: '2000' },
  input: { type: 'string', default: '' },
  only: { type: 'string' },
  kinds: { type: 'string' },
  cube: { type: 'string' },
  depths: { type: 'string', default: 'offline,quick,standard,deep' },
} as const

/** Plays what `args` ask for, with all that it writes below `root`. Resolves to how much got through. */
export async function playRedTeam(
  args: readonly string[],
  root: string,
  write: (line: string) => void,
): Promise<number> {
  const { values } = parseArgs({ args: [...args], options })
  const seed = Number(values.seed ?? randomInt(1_000_000_000))
  const say = (line = ''): void => write(line)
  const wants = (part: string): boolean => values.only === undefined || values.only === part

  say(`red team, seed ${seed}`)
  const built = buildWorlds(root)
  const worlds = wants('runs') || wants('wire') ? await openWorlds(built) : []
  let failures = 0
  // What starts a process for a worker of the tests would be seen itself.
  if (wants('runs')) failures += await startingHere(showHarness)
  if (wants('wire')) failures += await showWire()
  await Promise.all(worlds.map(({ stage }) => stage.close()))
  // From here on nobody watches what the process starts; it has grown, and starts git a thousand times.
  installStarter()
  const parts: Record<string, () => number | Promise<number>> = {
    guards: showGuards,
    matrix: showMatrix,
    secrets: showSecrets,
    incidents: showIncidents,
    framing: showFraming,
    asks: showAsks,
    cells: showCells,
    comments: showComments,
    caches: showCaches,
    ids: showIds,
    memory: showMemory,
    calls: showCalls,
    diffs: showDiffs,
    reviews: showReviews,
    servers: showServers,
    inputs: showInputs,
  }
  for (const [name, show] of Object.entries(parts)) if (wants(name)) failures += await show()
  say(failures === 0 ? '\nnothing got through' : `\n${failures} FAILURES`)
  return failures

  /** Says what was played and what of it failed, at most 30; returns how many failed. */
  function list(words: string, failed: readonly string[]): number {
    say(words)
    for (const one of failed.slice(0, 30)) say(`  ${one}`)
    return failed.length
  }

  async function showHarness(): Promise<number> {
    const outcome = await runHarness(built, worlds, {
      seed,
      runs: Number(values.runs),
      ...(values.worst === undefined ? {} : { worst: Number(values.worst) }),
      ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
      onProgress: (done) => process.stderr.write(`${done} runs\n`),
    })
    const { worstCases, runs, seconds, calls, findings, violations } = outcome
    const rate = ((worstCases + runs) / seconds).toFixed(1)
    say(
      `\ncompromised model: ${worstCases} worst cases and ${runs} random runs in ${seconds.toFixed(1)} s (${rate} a second)`,
    )
    say(
      `${calls} answers of models, ${findings} findings of theirs published, ${violations.length} violations`,
    )
    for (const [name, words] of Object.entries(invariants)) {
      const number = violations.filter(({ violation }) => violation.invariant === name).length
      say(`  ${name} ${number === 0 ? 'held' : `BROKEN ${number} times`}  ${words}`)
    }
    // Alike but for numbers is told once, with how often and where first.
    const alike = Map.groupBy(
      violations,
      ({ violation }) => `${violation.invariant} ${violation.what.replace(/\d+/g, 'N')}`,
    )
    for (const [words, [first, ...more]] of [...alike].slice(0, 40))
      if (first)
        say(
          `  ${more.length + 1} × ${words} (first: ${first.of.world}, ${first.of.depth}, ${first.of.attack}, seed ${first.of.seed})`,
        )
    return violations.length
  }

  async function showWire(): Promise<number> {
    const [world] = worlds
    if (!world) return 1
    const { runs, kinds, requests, violations } = await playOverSockets(world, {
      seed,
      runs: Number(values.wire),
    })
    return list(
      `\nover sockets: ${runs} runs, ${requests} requests to the servers of ${kinds.join(', ')}: ${violations.length} violations`,
      violations,
    )
  }

  async function showGuards(): Promise<number> {
    const random = new Random(seed)
    const known = guards.filter(({ name }) => name.includes(values.guard ?? ''))
    const shuffled = known.map((guard) => ({ guard, at: random.next() })).sort((a, b) => a.at - b.at)
    const wanted =
      values.guards === undefined ? known : shuffled.slice(0, Number(values.guards)).map(({ guard }) => guard)
    say(`\n${wanted.length} of ${guards.length} guards, each taken away in turn`)
    say('| guard | keeps | violations without it | of what it keeps | runs | example |')
    say('| --- | --- | --- | --- | --- | --- |')
    const outcomes = await runGuards(built, wanted, ({ guard, keeps, violations, ofItsOwn, runs, example }) =>
      say(
        `| ${guard} | ${keeps.join(', ')} | ${violations} | ${ofItsOwn} | ${runs} | ${example.replace(/[|\n]/g, ' ').slice(0, 100)} |`,
      ),
    )
    return outcomes.filter(({ ofItsOwn }) => ofItsOwn === 0).length
  }

  async function showMatrix(): Promise<number> {
    const { cells, cases, commits, understood, effects, hidden, unreported } = await runMatrix(built.root, {
      seed,
      cases: Number(values.matrix),
      onProgress: (done) => process.stderr.write(`${done} cases\n`),
    })
    say(
      `\ninjection matrix: ${cases} of ${cells} cases of payload × placement × encoding, in ${commits} commits`,
    )
    for (const [placement, number] of understood)
      say(`  ${placement}: the order was understood ${number} times of ${commits}`)
    return list(
      `${effects.length} effects on conclusion, anchors, tools, egress or state; ${unreported.length} of ${hidden} hidden texts not reported`,
      [...effects, ...unreported.map((one) => `not reported: ${one}`)],
    )
  }

  /** Each attack twice: what a server gives away without the sandbox, and in it. */
  async function showServers(): Promise<number> {
    const wanted = values.servers === undefined ? serverAttacks.length : Number(values.servers)
    if (wanted === 0) return 0
    const sandbox = await findSandbox(undefined, new AbortController().signal)
    say(
      `\nlanguage servers that are made to read the folder of another tenant: ${sandbox?.name ?? 'no sandbox works here'}`,
    )
    if (!sandbox) return 0
    say('| server | attack | without a sandbox | in the sandbox |')
    say('| --- | --- | --- | --- |')
    const inWords = ({ gotThrough }: { gotThrough: string[] }) => gotThrough.join(', ') || 'nothing'
    let failed = 0
    for (const attack of serverAttacks.slice(0, wanted)) {
      const confined = await playServers(attack, sandbox)
      const bare = confined.absent === null ? await playServers(attack, null) : null
      failed += confined.gotThrough.length
      say(
        `| ${attack.server} | ${attack.name} | ${bare ? inWords(bare) : 'not tried'} | ${bare ? inWords(confined) : `not tried: ${confined.absent}`} |`,
      )
    }
    return failed
  }

  /** Each through the real command; what texts of a megabyte cost is measured by `bench/hostile/run.ts`. */
  async function showInputs(): Promise<number> {
    const wanted = [...structures, ...switches].filter(({ name }) => name.includes(values.input))
    say(`\nhostile inputs: ${wanted.length}, each reviewed by the real command`)
    say('| input | CPU s | MB | exit code | |')
    say('| --- | --- | --- | --- | --- |')
    let failed = 0
    for (const input of wanted) {
      const { name, seconds, megabytes, code, faults } = await playInput(input)
      const verdict = faults.join(', ') || 'held'
      say(`| ${name} | ${seconds.toFixed(1)} | ${Math.round(megabytes)} | ${code ?? 'none'} | ${verdict} |`)
      if (faults.length > 0) failed++
    }
    return failed
  }

  async function showSecrets(): Promise<number> {
    const depths = values.depths.split(',')
    const { kinds, outputs, cube, characters } = await runCanaries(built.root, {
      seed,
      depths,
      kinds: values.kinds === undefined ? undefined : Number(values.kinds),
    })
    const leaks = cube.filter(({ state }) => state === 'leaky')
    const seen = cube.filter(({ state }) => state !== 'not shown')
    say(
      `\nsecrets: ${kinds.length} kinds × ${places.length} places × ${outputs.length} outputs, ${characters} characters: ${leaks.length} leaks in ${seen.length} cells whose place is shown`,
    )
    // A place that is seldom shown proves little, so both figures stand in each cell.
    const inWords = (cells: readonly Cell[]) => {
      const shown = cells.filter(({ state }) => state !== 'not shown').length
      return cells.length === 0 ? '–' : `${cells.filter(({ state }) => state === 'leaky').length} of ${shown}`
    }
    const showTable = (key: 'kind' | 'output', rows: readonly string[]): void => {
      say(`| ${key}: leaks of all that are shown | ${places.join(' | ')} |`)
      say(`| --- |${' --- |'.repeat(places.length)}`)
      for (const row of rows) {
        const ofRow = cube.filter((cell) => cell[key] === row)
        say(
          `| ${row} | ${places.map((place) => inWords(ofRow.filter((cell) => cell.place === place))).join(' | ')} |`,
        )
      }
    }
    showTable('kind', kinds)
    showTable('output', outputs)
    for (const { kind, place, output, leak } of leaks.slice(0, 30))
      say(`  LEAK ${kind}, ${place}, ${output}: ${leak}`)
    if (values.cube !== undefined)
      writeFileSync(values.cube, `${JSON.stringify({ seed, depths, cells: cube }, null, 1)}\n`)
    const unseen = depths.includes('standard')
      ? places.filter((place) => !seen.some((cell) => cell.place === place))
      : []
    for (const place of unseen) say(`  ${place}: shown at no output, so nothing was tried`)
    const blind = outputs.filter((output) => !seen.some((cell) => cell.output === output))
    for (const output of blind) say(`  ${output}: shows no place, so nothing was tried`)
    return leaks.length + unseen.length + blind.length
  }

  async function showIncidents(): Promise<number> {
    const { known, plays, obeyed, effects } = await runIncidents(built.root, {
      seed,
      incidents: Number(values.incidents),
    })
    return list(
      `\nincidents: ${plays} plays of ${known} published incidents; the order reached the model in ${obeyed}; ${effects.length} effects`,
      effects,
    )
  }

  async function showAsks(): Promise<number> {
    const { asks, reached, disputed, violations } = await runAsks(built.root, {
      seed,
      asks: Number(values.asks),
    })
    return list(
      `\nasks: ${asks} questions to a model that obeys; the order reached it in ${reached}, and ${disputed} answers disputed a finding; ${violations.length} violations`,
      violations,
    )
  }

  function showCells(): number {
    const { cells, harmless, leaks, alarms } = runCells(new Random(seed), Number(values.cells))
    say(
      `\nsecrets in every dress, seed ${seed}: ${cells} cells, ${leaks.length} leaks; of them ${harmless} harmless, ${alarms.length} false alarms`,
    )
    for (const one of [...leaks, ...alarms].slice(0, 30)) say(`  ${one.slice(0, 400)}`)
    return leaks.length + alarms.length
  }

  async function showComments(): Promise<number> {
    const { comments, commands, carriedOut, differences } = await runComments({
      seed,
      comments: Number(values.comments),
    })
    const readings = await runReadings(new Random(seed), Number(values.comments))
    say(
      `\ncomments: ${comments}, of them ${commands} commands, ${carriedOut} carried out; ${differences.length} differences from the table`,
    )
    say(
      `comments read twice, seed ${seed}: ${readings.comments}, of them ${readings.spoken} commands and ${readings.unclear} unclear; ${readings.differences.length} differences from the rendered page`,
    )
    const all = [...differences, ...readings.differences]
    for (const difference of all.slice(0, 30)) say(`  ${difference}`)
    return all.length
  }

  async function showMemory(): Promise<number> {
    const { attempts, kinds, failures: found } = await runMemory({ seed, attempts: Number(values.memory) })
    return list(
      `\nmemory: ${attempts} attempts of ${kinds} kinds to put something into it; ${found.length} became active, hid a finding or left the fence`,
      found,
    )
  }

  function showCaches(): number {
    const { probes, tenants, mutations, hits } = runCaches({ seed, probes: Number(values.caches) })
    return list(
      `\ncaches: ${probes} probes, with ${tenants} tenants and ${mutations} questions that differ in one thing; ${hits.length} hits`,
      hits,
    )
  }

  async function showIds(): Promise<number> {
    if (Number(values.ids) === 0) return 0
    const { tries, routes, answers, hits } = await runIds({ seed, tries: Number(values.ids) })
    const inWords = Object.entries(answers).map(([kind, count]) => `${count} × ${kind}`)
    say(`\nids: ${tries} tries at ${routes} routes (${inWords.join(', ')}); ${hits.length} hits`)
    for (const hit of hits.slice(0, 30)) say(`  ${hit}`)
    return hits.length
  }

  async function showCalls(): Promise<number> {
    const { calls, run, violations } = await runCalls({ seed, calls: Number(values.calls) })
    say(`\ntools: ${calls} calls, ${run} different ones run; ${violations.length} violations`)
    for (const violation of violations.slice(0, 30)) say(`  ${violation}`)
    return violations.length
  }

  function showDiffs(): number {
    const { patches, lines, refused, slowestMs, differences } = runDiffs({
      seed,
      patches: Number(values.diffs),
    })
    return list(
      `\ndiffs: ${patches} patches with ${lines} lines, ${refused} refused, slowest ${slowestMs.toFixed(1)} ms; ${differences.length} differences`,
      differences,
    )
  }

  async function showReviews(): Promise<number> {
    const {
      reviews,
      worlds,
      kills,
      takeovers,
      failures: failed,
      violations,
    } = await runReviews({
      seed,
      reviews: Number(values.reviews),
    })
    return list(
      `\nsimulation: ${reviews} reviews of ${worlds} change requests, ${kills} kills, ${takeovers} jobs taken over, ${failed} failures of the host; ${violations.length} violations`,
      violations,
    )
  }

  async function showFraming(): Promise<number> {
    const { changes, framings, prompts, told, findings, differences } = await runFraming(built.root, {
      seed,
      changes: Number(values.framing),
      claims: values.claims === undefined ? undefined : Number(values.claims),
      ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
    })
    return list(
      `\nframing: ${changes} changes × ${framings} framings; ${prompts} prompts, ${told} of them with the author's words, ${findings} findings; ${differences.length} differences`,
      differences,
    )
  }
}
