/**
 * Roots of Debian with git and certificates and nothing else, and a Node with its npm beside them. Made once and kept in the
 * user's cache; a machine only reads them.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Machine } from './contract.ts'

const suite = 'bookworm'
const included = ['git', 'ca-certificates']
const npmVersion = '10.8.2'
/** Another one when the way they are made changes. */
const edition = 1

export const kept = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sightline', 'machines')

/** Throws what the tools say where it cannot be made: no debootstrap, no network, no rights. */
export function makeRoot({ packages }: Machine): string {
  return once(['debian', suite, String(edition), ...packages].join('-'), (root) => {
    const debs = join(kept, 'debs')
    mkdirSync(debs, { recursive: true })
    run('debootstrap', [
      '--variant=minbase',
      `--cache-dir=${debs}`,
      `--include=${[...included, ...packages].join(',')}`,
      suite,
      root,
    ])
    appendFileSync(join(root, 'etc/passwd'), `ada:x:1000:1000::/home/ada:/bin/sh\n`)
    appendFileSync(join(root, 'etc/group'), `ada:x:1000:\n`)
    for (const folder of ['/home/ada', '/srv', '/opt/node', '/out'])
      mkdirSync(join(root, folder), { recursive: true })
    // Those of this machine are put in their place.
    for (const file of ['etc/hosts', 'etc/resolv.conf']) appendFileSync(join(root, file), '')
    // Certificates of whoever stands between this machine and the registry.
    const certificates = 'etc/ssl/certs/ca-certificates.crt'
    if (existsSync(`/${certificates}`)) copyFileSync(`/${certificates}`, join(root, certificates))
  })
}

/** A folder with `bin/node` and `bin/npm`. */
export function makeNode(version: string): string {
  return once(`node-${version}-npm-${npmVersion}`, (folder) => {
    const name = `node-${process.platform}-${process.arch}`
    const quietly = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
    run('npm', ['install', '--prefix', folder, ...quietly, `${name}@${version}`, `npm@${npmVersion}`])
    mkdirSync(join(folder, 'bin'))
    symlinkSync(`../node_modules/${name}/bin/node`, join(folder, 'bin/node'))
    for (const script of ['npm', 'npx'])
      symlinkSync(`../node_modules/npm/bin/${script}-cli.js`, join(folder, 'bin', script))
  })
}

/** Whole or not there. */
function once(name: string, make: (folder: string) => void): string {
  const folder = join(kept, name)
  if (existsSync(folder)) return folder
  const half = `${folder}.${process.pid}`
  mkdirSync(half, { recursive: true })
  try {
    make(half)
    renameSync(half, folder)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

function run(command: string, words: readonly string[]): void {
  execFileSync(command, words, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
}
