/** Finds the repository around a folder by looking at files, so that no git runs before we know where. */

import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { trimTrailing } from '../trim-text.ts'
import { isFolder, linkStatOrNull, readData, statOrNull } from './read-data.ts'

export type Repository = {
  /** HEAD and the index are here. */
  gitDir: string
  /** Objects and references are here; another folder than `gitDir` in a linked work tree. */
  commonDir: string
  /** Null for a bare repository. `core.worktree` is not followed: a hostile one could point anywhere. */
  workTree: string | null
}

/**
 * Walks up from `folder` to the nearest `.git` (a folder, or a file that names one). A bare repository counts
 * when it is the folder itself, or when no work tree encloses it. Throws `not-a-repository`.
 */
export function discoverRepository(folder: string): Repository {
  const start = startFolder(folder)
  let bare = bareRepository(start)
  if (bare) return bare
  for (let here = start; ; here = dirname(here)) {
    const found = workTreeRepository(here)
    if (found) return found
    bare ??= bareRepository(here)
    if (here === dirname(here)) break
  }
  if (bare) return bare
  throw new UserError('not-a-repository', folder)
}

/** The repository whose work tree's top folder is `folder`, or null. Never throws. */
export function workTreeRepository(folder: string): Repository | null {
  const dotGit = join(folder, '.git')
  const stat = statOrNull(dotGit)
  const gitDir = stat?.isDirectory() ? dotGit : stat?.isFile() ? namedGitDir(dotGit) : null
  if (gitDir === null) return null
  const commonDir = commonDirOf(gitDir)
  return commonDir === null ? null : { gitDir, commonDir, workTree: folder }
}

function startFolder(folder: string): string {
  try {
    const real = realpathSync(folder)
    return statSync(real).isDirectory() ? real : dirname(real)
  } catch (error) {
    throw new UserError('not-a-repository', `${folder}: no such folder`, { cause: error })
  }
}

function bareRepository(folder: string): Repository | null {
  const commonDir = commonDirOf(folder)
  if (commonDir === null) return null
  const inside = basename(folder) === '.git' ? dirname(folder) : null
  return { gitDir: folder, commonDir, workTree: inside }
}

/** A `.git` file says `gitdir: PATH`, relative to itself, as in linked work trees and submodules. */
function namedGitDir(file: string): string | null {
  const text = readData(file, 64 * 1024)?.toString('utf8') ?? ''
  if (!text.startsWith('gitdir: ')) return null
  const path = trimTrailing(text.slice('gitdir: '.length), '\r\n')
  return path === '' ? null : resolve(dirname(file), path)
}

/** The folder with objects and references, when `gitDir` looks like a git directory at all; else null. */
function commonDirOf(gitDir: string): string | null {
  if (!isHead(join(gitDir, 'HEAD'))) return null
  const named = readData(join(gitDir, 'commondir'), 64 * 1024)
  const commonDir = named ? resolve(gitDir, trimTrailing(named.toString('utf8'), '\r\n')) : gitDir
  return isFolder(join(commonDir, 'objects')) && isFolder(join(commonDir, 'refs')) ? commonDir : null
}

/** HEAD is a small file or, in very old repositories, a symbolic link. */
function isHead(path: string): boolean {
  const stat = linkStatOrNull(path)
  return stat !== null && (stat.isFile() || stat.isSymbolicLink())
}
