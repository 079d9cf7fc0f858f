/** Reads references in the reftable format with a git that knows it, in a directory that holds nothing else. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import type { Repository } from './discover.ts'
import { copyData, isFolder } from './read-data.ts'
import { isRefName, type Refs } from './refs.ts'
import { type GitPlace, tryGit } from './run.ts'
import { gitVersion, isAtLeast } from './version.ts'

/** The first git that reads the format: https://github.com/git/git/blob/master/Documentation/RelNotes/2.45.0.txt */
const knowing = { major: 2, minor: 45 }
const maxTableBytes = 1024 * 1024 * 1024

export function hasReftable({ commonDir }: Repository): boolean {
  return isFolder(join(commonDir, 'reftable'))
}

/**
 * All references, and HEAD of this work tree. `place` must have its configuration and objects already; `root`
 * is a folder of ours for the copies. Throws `git-missing` when git is too old for it.
 */
export async function readReftable(root: string, place: GitPlace, repository: Repository): Promise<Refs> {
  if (!isAtLeast(await gitVersion(), knowing))
    throw new UserError(
      'git-missing',
      'references in the reftable format need git 2.45; `git refs migrate --ref-format=files` turns them into files',
    )
  const common = copyTables(root, 'reftable-common', place, repository.commonDir)
  const refs = await listRefs(common)
  const own =
    repository.gitDir === repository.commonDir
      ? common
      : copyTables(root, 'reftable-own', place, repository.gitDir)
  const head = await headOf(own)
  return head === null ? refs : refs.set('HEAD', head)
}

/** A git directory with copies of the tables in `from/reftable`; the form is that of gitrepository-layout(5). */
function copyTables(root: string, name: string, place: GitPlace, from: string): GitPlace {
  const gitDir = join(root, name)
  for (const part of ['refs', 'reftable', 'objects/info']) mkdirSync(join(gitDir, part), { recursive: true })
  const tables = join(from, 'reftable')
  for (const table of readdirSync(tables))
    if (/^(tables\.list|[\w-]+\.ref)$/.test(table))
      copyData(join(tables, table), join(gitDir, 'reftable', table), maxTableBytes)
  const config = readFileSync(join(place.gitDir, 'config'), 'utf8')
  writeFileSync(join(gitDir, 'config'), `${config}${asReftable}`)
  copyFileSync(join(place.gitDir, 'objects/info/alternates'), join(gitDir, 'objects/info/alternates'))
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/.invalid\n')
  writeFileSync(join(gitDir, 'refs/heads'), 'this repository uses the reftable format\n')
  return { gitDir, home: place.home }
}

/** Of two values of one key git takes the second. */
const asReftable = '[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n'

async function listRefs(place: GitPlace): Promise<Refs> {
  const format = '--format=%(refname)%00%(objectname)%00%(symref)'
  const { stdout } = await tryGit(place, ['for-each-ref', format])
  const refs: Refs = new Map()
  for (const line of stdout.toString('utf8').split('\n')) {
    const [name = '', id = '', target = ''] = line.split('\0')
    if (isRefName(name)) refs.set(name, target === '' ? id : `ref: ${target}`)
  }
  return refs
}

async function headOf(place: GitPlace): Promise<string | null> {
  const symbolic = await tryGit(place, ['symbolic-ref', '--quiet', 'HEAD'])
  const target = symbolic.stdout.toString('utf8').trim()
  if (symbolic.code === 0 && isRefName(target)) return `ref: ${target}`
  const direct = await tryGit(place, ['rev-parse', '--verify', '--quiet', 'HEAD'])
  return direct.code === 0 ? direct.stdout.toString('latin1').trim() : null
}
