/** Hides something that is on this machine from a command, so that what the product does without it is tested everywhere. */
import { lstatSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bubblewrapPath } from '../../../src/base/sandbox/bubblewrap.ts'
import { temporaryFolder } from '../git-repo.ts'
import { has } from './needs.ts'

/** The command on a machine without bubblewrap, and without containers: where it works, it can hide itself from what it starts. */
export function withoutSandbox(command: readonly string[]): string[] {
  if (!has('bubblewrap')) return [...command]
  const path = realpathSync(bubblewrapPath())
  const hidden = ['--ro-bind', '/dev/null', path]
  return [path, '--dev-bind', '/', '/', ...hidden, '--', ...command]
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
