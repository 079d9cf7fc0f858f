/** The repository of a case is fetched without its future, from a mirror that is whole and from one that is not. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readChangedLines } from '../../evals/repositories/changed-lines.ts'
import { fetchRepository } from '../../evals/repositories/fetch-repository.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'

function mirrored(): {
  mirrors: string
  mirror: string
  base: string
  head: string
  fix: string
  old: string
} {
  const repo = createRepo()
  const blobOf = (name: string) => repo.git('rev-parse', `HEAD:${name}`)
  repo.commit({ 'old.bin': 'large and old\n' }, 'begin')
  const old = blobOf('old.bin')
  repo.commit({ 'old.bin': null, 'a.ts': 'const a = 1\n' }, 'go on')
  const base = repo.git('rev-parse', 'HEAD')
  repo.commit({ 'a.ts': 'const a = 1\nconst b = a + 2\n' }, 'bring the fault')
  const head = repo.git('rev-parse', 'HEAD')
  repo.commit({ 'a.ts': 'const a = 1\nconst b = a + 1\n' }, 'mend it')
  const fix = repo.git('rev-parse', 'HEAD')
  const mirrors = temporaryFolder()
  const mirror = join(mirrors, 'owner+name', 'repo')
  mkdirSync(join(mirrors, 'owner+name'))
  execFileSync('git', ['clone', '--quiet', '--bare', '--no-local', repo.path, mirror])
  return { mirrors, mirror, base, head, fix, old }
}

const has = (folder: string, object: string) => {
  try {
    execFileSync('git', ['--git-dir', folder, 'cat-file', '-e', object], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.each([0, 1, 2])('neither the fix nor its objects come along (history %d)', async (history) => {
  const { mirrors, mirror, base, head, fix } = mirrored()
  expect(has(mirror, fix)).toBe(true)
  const fetched = await fetchRepository({ repo: 'owner/name', url: null, base, head }, { mirrors, history })
  expect([base, head].map((commit) => has(fetched.folder, commit))).toEqual([true, true])
  const fixed = execFileSync('git', ['--git-dir', mirror, 'rev-parse', `${fix}:a.ts`], {
    encoding: 'utf8',
  }).trim()
  expect([fix, `${fix}^{tree}`, fixed].map((object) => has(fetched.folder, object))).toEqual([
    false,
    false,
    false,
  ])
  const refs = execFileSync('git', ['--git-dir', fetched.folder, 'for-each-ref', '--format=%(refname)'], {
    encoding: 'utf8',
  })
  expect(refs).toBe('refs/heads/base\nrefs/heads/head\n')
  const [file] = await readChangedLines(fetched.folder, base, head)
  expect(file?.path).toBe('a.ts')
  expect(file?.hunks[0]?.added).toEqual([2])
  await fetched.close()
  expect(existsSync(fetched.folder)).toBe(false)
})

test('a mirror that lacks an object gives what it has', async () => {
  const { mirrors, mirror, base, head, fix, old } = mirrored()
  const loose = join(mirror, 'objects', old.slice(0, 2), old.slice(2))
  const packs = join(mirror, 'objects', 'pack')
  const kept = join(temporaryFolder(), 'packs')
  execFileSync('mv', [packs, kept])
  mkdirSync(packs)
  for (const pack of execFileSync('ls', [kept], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.endsWith('.pack')))
    execFileSync('sh', ['-c', `git --git-dir ${mirror} unpack-objects -q < ${join(kept, pack)}`])
  rmSync(loose)
  const fetched = await fetchRepository(
    { repo: 'owner/name', url: null, base, head },
    { mirrors, history: 0 },
  )
  expect([base, head, fix, old].map((object) => has(fetched.folder, object))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect((await readChangedLines(fetched.folder, base, head))[0]?.hunks[0]?.added).toEqual([2])
  await fetched.close()
})

test('an address is cloned, and what cannot be fetched is reported', async () => {
  const { mirror, base, head, mirrors } = mirrored()
  const from = { repo: 'other/name', url: `file://${mirror}`, base, head }
  const fetched = await fetchRepository(from, { mirrors, history: 1 })
  expect(has(fetched.folder, head)).toBe(true)
  await fetched.close()
  const nowhere = fetchRepository({ ...from, url: null }, { mirrors, history: 1 })
  await expect(nowhere).rejects.toThrow('no mirror has it')
  const odd = fetchRepository({ ...from, repo: '../x' }, { mirrors, history: 1 })
  await expect(odd).rejects.toThrow('not owner/name')
  const absent = fetchRepository({ ...from, head: 'f'.repeat(40) }, { mirrors, history: 1 })
  await expect(absent).rejects.toMatchObject({ code: 'repository-unavailable' })
})
