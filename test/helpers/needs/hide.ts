/** Hides something that is on this machine from a command, so that what the product does without it is tested everywhere. */
import { existsSync, lstatSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../git-repo.ts'
import { has } from './needs.ts'

/** `bwrap` is looked for in these places and on no PATH; where it works, it can hide itself from what it starts. */
const bubblewraps = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap']

/** The command on a machine without bubblewrap, and without containers. */
export function withoutSandbox(command: readonly string[]): string[] {
  if (!has('bubblewrap')) return [...command]
  const real = bubblewraps.filter((path) => existsSync(path) && realpathSync(path) === path)
  const hidden = real.flatMap((path) => ['--ro-bind', '/dev/null', path])
  return ['bwrap', '--dev-bind', '/', '/', ...hidden, '--', ...command]
}

/** A PATH with these programs alone, each from where it is here. */
export function pathWith(...programs: string[]): string {
  const folder = join(temporaryFolder(), 'bin')
  mkdirSync(folder)
  const folders = (process.env.PATH ?? '').split(':').filter((path) => path.startsWith('/'))
  for (const program of programs) {
    const found = folders.map((path) => join(path, program)).find((path) => isThere(path))
    if (found === undefined) throw new Error(`${program} is not on the PATH`)
    symlinkSync(found, join(folder, program))
  }
  return folder
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
