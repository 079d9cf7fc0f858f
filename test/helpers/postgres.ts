/** A private PostgreSQL server for tests, from the programs of the machine. */
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

export type TestPostgres = {
  url: string
  /** As after the machine was restarted: nothing is finished first. */
  crash(): void
  start(): void
  stop(): void
}

const packaged = '/usr/lib/postgresql'
/** PostgreSQL does not run as root; files of a test's server belong to `nobody` then. */
const nobody = 65_534

/** The folder of the newest server programs; null where none is installed. */
export function postgresPrograms(): string | null {
  if (!existsSync(packaged)) return null
  const versions = readdirSync(packaged).map(Number).filter(Number.isFinite)
  const folder = join(packaged, String(Math.max(...versions)), 'bin')
  return existsSync(join(folder, 'initdb')) ? folder : null
}

/** `isDurable` false is faster, for tests in which no one pulls a plug. */
export async function startPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const programs = postgresPrograms()
  if (!programs) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'sightline-pg-'))
  if (isRoot()) chownSync(folder, nobody, nobody)
  const port = await freePort()
  const data = join(folder, 'data')
  const run = (program: string, words: readonly string[]) => runProgram(join(programs, program), words)
  placeEmptyCluster(programs, data)
  const settings = [
    ...['-k', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=60'],
    ...['-c', `fsync=${isDurable ? 'on' : 'off'}`],
  ].join(' ')
  const start = () =>
    run('pg_ctl', ['-D', data, '-w', '-s', '-l', join(folder, 'log'), '-o', settings, 'start'])
  const stop = (mode: string) => run('pg_ctl', ['-D', data, '-w', '-s', '-m', mode, 'stop'])
  start()
  return {
    url: `postgres://sightline@127.0.0.1:${port}/postgres`,
    crash: () => stop('immediate'),
    start,
    stop() {
      try {
        stop('immediate')
      } catch (error) {
        // It may be away, after a crash.
        if (existsSync(join(data, 'postmaster.pid'))) throw error
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** A run of the tests makes one and copies it: to make one takes 0.6 s of processor time, a copy a tenth of it. */
function placeEmptyCluster(programs: string, data: string): void {
  const folder = process.env.SIGHTLINE_TEST_FOLDER
  if (!folder) {
    makeCluster(programs, data)
    return
  }
  const made = join(folder, 'empty-cluster')
  if (!existsSync(made)) {
    const own = mkdtempSync(`${made}-`)
    if (isRoot()) chownSync(own, nobody, nobody)
    makeCluster(programs, join(own, 'data'))
    try {
      renameSync(own, made)
    } catch {
      // Another worker was first.
      rmSync(own, { recursive: true, force: true })
    }
  }
  // It keeps the owner.
  execFileSync('cp', ['-a', join(made, 'data'), data])
}

function makeCluster(programs: string, data: string): void {
  const words = ['-D', data, '-A', 'trust', '-U', 'sightline', '--no-sync', '-E', 'UTF8']
  runProgram(join(programs, 'initdb'), words)
}

function runProgram(program: string, words: readonly string[]): void {
  const owner = isRoot() ? { uid: nobody, gid: nobody } : {}
  execFileSync(program, words, { stdio: 'ignore', cwd: tmpdir(), ...owner })
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
