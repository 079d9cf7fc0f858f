/** Git for the bench: reads of a real repository, and a scratch repository that borrows its objects. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const identity = {
  GIT_AUTHOR_NAME: 'bench',
  GIT_AUTHOR_EMAIL: 'bench@example.com',
  GIT_COMMITTER_NAME: 'bench',
  GIT_COMMITTER_EMAIL: 'bench@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_DATE: '1700000000 +0000',
}

export function git(
  gitDir: string,
  args: readonly string[],
  extra: Record<string, string> = {},
  input = '',
): string {
  return execFileSync('git', ['--git-dir', gitDir, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'pipe'],
    input,
    env: { ...process.env, ...identity, ...extra },
  })
}

/** An empty bare repository that sees every object of `gitDir`. */
export function openScratch(gitDir: string): string {
  const scratch = mkdtempSync(join(tmpdir(), 'broken-callers-'))
  execFileSync('git', ['init', '--quiet', '--bare', scratch])
  mkdirSync(join(scratch, 'objects', 'info'), { recursive: true })
  const objects = git(gitDir, ['rev-parse', '--git-path', 'objects']).trim()
  writeFileSync(join(scratch, 'objects', 'info', 'alternates'), `${objects}\n`)
  return scratch
}

export type RawEntry = {
  status: string
  oldMode: string
  newMode: string
  oldBlob: string
  newBlob: string
  path: string
}

/** Changes of a commit against its first parent, renames shown as a removal and an addition. */
export function rawChanges(gitDir: string, commit: string): RawEntry[] {
  const fields = git(gitDir, ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', commit]).split('\0')
  const entries: RawEntry[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = '', status = ''] = (fields[at] ?? '')
      .slice(1)
      .split(' ')
    entries.push({ status, oldMode, newMode, oldBlob, newBlob, path: fields[at + 1] ?? '' })
  }
  return entries
}

/** Two commits in the scratch repository: the parent's tree, and that tree with only `kept` applied. */
export function commitCut(
  scratch: string,
  commit: string,
  kept: readonly RawEntry[],
): { base: string; head: string } {
  const index = { GIT_INDEX_FILE: join(scratch, 'cut-index') }
  const baseTree = git(scratch, ['rev-parse', `${commit}^{commit}^1^{tree}`]).trim()
  git(scratch, ['read-tree', baseTree], index)
  // Mode 0 removes the path from the index.
  const lines = kept.map(({ status, newMode, newBlob, path }) =>
    status === 'D' ? `0 ${newBlob}\t${path}` : `${newMode} ${newBlob}\t${path}`,
  )
  git(scratch, ['update-index', '--index-info'], index, `${lines.join('\n')}\n`)
  const headTree = git(scratch, ['write-tree'], index).trim()
  const base = git(scratch, ['commit-tree', baseTree, '-m', 'base']).trim()
  const head = git(scratch, ['commit-tree', headTree, '-p', base, '-m', 'cut']).trim()
  return { base, head }
}

/** Writes the files of a commit whose path matches into `folder`. */
export function materialise(gitDir: string, commit: string, folder: string, wanted: RegExp): void {
  mkdirSync(folder, { recursive: true })
  const index = { GIT_INDEX_FILE: join(gitDir, 'tree-index') }
  git(gitDir, ['read-tree', commit], index)
  const paths = git(gitDir, ['ls-tree', '-r', '-z', '--name-only', commit])
    .split('\0')
    .filter((path) => wanted.test(path))
  execFileSync('git', ['--git-dir', gitDir, '--work-tree', folder, 'checkout-index', '-z', '--stdin'], {
    cwd: folder,
    input: paths.join('\0'),
    env: { ...process.env, ...index },
  })
}
