/**
 * Tests of hostile projects in a real sandbox: nothing leaves it, it ends in time, and nothing that they write or print is
 * taken for a proof. `npm run test:hostile-projects` runs 200; SIGHTLINE_HOSTILE_SEED begins elsewhere.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSandbox } from '../../src/base/sandbox/probe.ts'
import { whyNotReproduced } from '../../src/pipeline/prove/judge-runs.ts'
import { findProject } from '../../src/test-runs/find-project.ts'
import { frameworkOf } from '../../src/test-runs/registry.ts'
import { runTest } from '../../src/test-runs/run-test.ts'
import { memorySnapshot } from '../helpers/in-memory/change.ts'
import { needs } from '../helpers/needs/needs.ts'
import { attackNames, forgedWords, hostileProject, type Targets } from './hostile-projects.ts'

const { signal } = new AbortController()
const sandbox = await findSandbox(undefined, signal)

const number = Number(process.env.SIGHTLINE_HOSTILE_PROJECTS ?? 4)
const first = Number(process.env.SIGHTLINE_HOSTILE_SEED ?? 1)
// A sample has attacks from all over the list; a long run has all of them in turn.
const step = number < attackNames.length ? 5 : 1
const seeds = Array.from({ length: number }, (_, at) => first + at * step)
const limits = { seconds: 4, memoryMb: 768, readOnlyPaths: [] }

const folder = mkdtempSync(join(tmpdir(), 'hostile-targets-'))
const words = `nobody-may-read-this-${process.pid}`
let reached = 0
const server = createServer((_, response) => response.end()).on('connection', () => {
  reached++
})
const targets: Targets = {
  port: 0,
  secret: join(folder, 'secret.txt'),
  folder: join(folder, 'empty'),
  mark: `hostile-mark-${process.pid}`,
}

beforeAll(async () => {
  writeFileSync(targets.secret, words)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  targets.port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

test(`${number} hostile projects from seed ${first}`, {
  ...needs('a sandbox (bubblewrap or a container)'),
  timeout: number * 30_000,
}, async () => {
  if (!sandbox) return
  process.env.SIGHTLINE_HOSTILE_SECRET = words
  try {
    for (const seed of seeds) {
      const { attack, language, files, path, test: written } = hostileProject(seed, targets)
      const at = `seed ${seed}: ${attack} in ${language}`
      const tree = memorySnapshot(files)
      const project = await findProject(path, tree, null)
      const framework = project && frameworkOf(project)
      if (!project || !framework) throw new Error(`${at}: no framework was found`)
      const input = { tree, test: written, framework, project, sandbox, checkout: null, limits }
      const run = await runTest(input, signal)
      expect(JSON.stringify(run), at).not.toContain(words)
      expect(reached, at).toBe(0)
      expect(existsSync(targets.folder), at).toBe(false)
      expect(
        ['/etc/planted', '/root/planted', '/usr/bin/planted', '/planted'].filter(existsSync),
        at,
      ).toEqual([])
      expect(leftOver(), at).toEqual([])
      if (/^a forged|^a huge|^ending|by a link/.test(attack)) expect([at, run.status]).toEqual([at, 'broken'])
      const finding = { anchor: { path, tags: [] }, startLine: 1, endLine: 100 }
      const judged = { finding, test: written.text, predicted: forgedWords, symbols: ['half'] }
      expect(whyNotReproduced({ ...judged, head: [run, run], base: null }), at).not.toBe(null)
    }
  } finally {
    delete process.env.SIGHTLINE_HOSTILE_SECRET
  }
})

/** Programs with the mark that still run, on systems that tell. */
function leftOver(): string[] {
  if (!existsSync('/proc/self/cmdline')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8')
        return line.includes(targets.mark) ? [line.replaceAll('\0', ' ')] : []
      } catch {
        return []
      }
    })
}
