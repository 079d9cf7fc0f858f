/**
 * The red team: `npm run test:red-team`. Attacks the product as whoever owns the model, the change, or both, and prints
 * what got through. Exit code 1 when anything did, or when a guard can be taken away unnoticed.
 *
 *   --worst N     so many of the worst cases, drawn from the seed (all when not given)
 *   --runs N      random runs of the compromised model (2000 when not given), after all worst cases
 *   --seconds S   no more runs after so many seconds
 *   --seed N      the first seed; each run has the next one
 *   --matrix N    cases of the injection matrix (600 when not given)
 *   --guards N    so many of the guards are taken away, drawn from the seed (all when not given)
 *   --wire N      runs over sockets (21 when not given: each provider at each depth)
 *   --servers N   attacks on language servers (all when not given)
 *   --input TEXT  only hostile inputs with these words in their name
 *   --guard TEXT  only guards with these words in their name
 *   --depths LIST  depths of the reviews that are searched for secrets (offline,quick,standard,deep when not given)
 *   --kinds N     secrets in each place, of other kinds from place to place (all kinds everywhere when not given)
 *   --cube FILE   writes what each output shows of each secret, kind × place × output, as JSON
 *   --incidents N so many published incidents, drawn from the seed (all when not given), at every depth
 *   --framing N   so many seeded changes under what their author claims of them (250 when not given), or those that fit
 *                 into --seconds
 *   --claims N    so many of the claims under which each of them is played, drawn from the seed (all when not given)
 *   --asks N      questions about reviews with orders in them (all when not given), drawn from the seed
 *   --cells N     secrets in every escape, wrapping, syntax, place and way out (200000 when not given)
 *   --comments N  comments on a change request (20000 when not given), against a table of what each is and who may give it, and
 *                 as many against the rendered page
 *   --caches N    probes of what is kept between runs (1000000 when not given)
 *   --ids N       ids of another tenant at every route of the server (100000 when not given)
 *   --memory N    attempts to put something into the memory of a team (500 when not given)
 *   --calls N     calls of tools (20000 when not given), in a repository with neighbours that must not be read
 *   --diffs N     patches, sound and broken (20000 when not given), against a second reading
 *   --reviews N   reviews of a simulated queue, host and model (2000 when not given), on a clock of their own
 *   --only PART   runs, wire, guards, matrix, servers, secrets, incidents, framing, asks,
 *                 comments, caches, ids, memory, calls, diffs, reviews or inputs
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { playRedTeam } from './play-red-team.ts'

const root = mkdtempSync(join(tmpdir(), 'red-team-'))
process.on('exit', () => rmSync(root, { recursive: true, force: true }))
const failures = await playRedTeam(
  process.argv.slice(2),
  root,
  (line) => void process.stdout.write(`${line}\n`),
)
// The database that tests lend each other stays open.
process.exit(failures === 0 ? 0 : 1)
