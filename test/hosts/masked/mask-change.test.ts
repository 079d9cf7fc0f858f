/** A collected change holds no secret any more, whichever part of it is read. All secrets are made at run time. */
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { defaultConfig } from '../../../src/config/schema.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { collect, patchText } from '../collecting.ts'

const token = `${'ghp_'}${'q8Zr4TnV1xKp7LmB3wYc9HsD2fGj6RtE5uNa'}`
const pem = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey

const commit = { kind: 'commit', commit: 'HEAD' } as const

/** Eight characters of each line of the key, from its middle: none of them may be seen. */
function piecesOf(key: string): string[] {
  return key
    .split('\n')
    .filter((line) => line.length > 20 && !line.startsWith('-'))
    .map((line) => line.slice(8, 16))
}

test('a patch that shows a few lines of a key in its middle shows none of them, and no section of them', async () => {
  const repo = createRepo()
  const lines = pem.split('\n')
  repo.commit({ 'key.pem': pem })
  repo.commit({ 'key.pem': lines.with(12, `${(lines[12] ?? '').slice(0, 60)}AbCd`).join('\n') })
  const change = await collect(repo.path, commit)
  const [file] = (await change.diff()).files
  const patch = patchText(file)
  expect(patch).toMatch(/^@@ -\d+,7 \+\d+,7 @@/m)
  expect(patch.match(/^[-+ ]…$/gm)).toHaveLength(8)
  for (const piece of piecesOf(pem)) expect(patch).not.toContain(piece)
})

test('a token in the name of a file is in no header of its patch', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one\n', [`old-${token}.txt`]: 'same\n'.repeat(40) })
  repo.git('mv', `old-${token}.txt`, 'renamed.txt')
  repo.commit({ [`src/${token}.ts`]: `${`--- a/${'x'.repeat(8)}`}\n` })
  const change = await collect(repo.path, commit)
  const patches = (await change.diff()).files.map(patchText).join('')
  expect(patches).toContain('rename from old-ghp_….txt')
  expect(patches).toContain('+++ b/src/ghp_….ts')
  expect(patches).toContain('+--- a/xxxxxxxx')
  expect(patches).not.toContain(token.slice(4, 12))
})

test('a file that is too large to be read whole is masked by what its patch shows', async () => {
  const repo = createRepo()
  repo.commit({ 'big.txt': `${'line\n'.repeat(400)}` })
  repo.commit({ 'big.txt': `${'line\n'.repeat(400)}${token}\n` })
  const change = await collect(repo.path, commit, { fileBytes: 1000 })
  const { files } = await change.diff()
  expect(JSON.stringify(files.map(patchText))).not.toContain(token.slice(4))
})

test('texts have as many lines as before, and say where each secret stood', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export {}\n' })
  repo.commit({ 'a.ts': `export {}\nconst key = \`${pem}\`\nconst token = '${token}'\n` })
  const change = await collect(repo.path, commit)
  const text = (await change.head.read('a.ts'))?.text ?? ''
  const count = pem.split('\n').length
  expect(text.split('\n')).toHaveLength(count + 3)
  expect(text).toContain("const token = 'ghp_…'")
  const [file] = (await change.diff()).files
  expect(file?.secrets).toEqual([
    { line: 2, endLine: count, kind: 'private key', certain: true },
    { line: count + 2, kind: 'GitHub token', certain: true },
  ])
})

test('a token in a path is masked, and the file is still found by the name that is shown', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export {}\n' })
  repo.commit({ [`keys/${token}/a.ts`]: 'export const one = 1\n', [`keys/${token}x/a.ts`]: 'export {}\n' })
  const change = await collect(repo.path, commit)
  const shown = (await change.head.list()).map(({ path }) => path)
  expect(shown).toEqual(['a.ts', 'keys/ghp_…/a.ts', 'keys/ghp_…/a.ts~2'])
  expect((await change.head.read('keys/ghp_…/a.ts'))?.text).toBe('export const one = 1\n')
  expect(await change.head.entry('keys/ghp_…/a.ts~2')).toMatchObject({ path: 'keys/ghp_…/a.ts~2' })
})

test('commit messages and history are masked', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export {}\n' }, `before ${token}`)
  repo.commit({ 'a.ts': 'export const a = 1\n' }, `use ${token}\n\n${pem}`)
  const change = await collect(repo.path, commit)
  const said = JSON.stringify([change.request, await change.history.recent(10)])
  expect(said).toContain('use ghp_…')
  expect(said).toContain('before ghp_…')
  for (const piece of [token.slice(4), ...piecesOf(pem)]) expect(said).not.toContain(piece)
})

test('paths are masked in the history, in names before a rename, and beyond the cap on files', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export {}\n', [`src/${token}.ts`]: 'same\n'.repeat(40) })
  repo.git('mv', `src/${token}.ts`, 'src/b.ts')
  repo.commit({ 'z.ts': '1\n', [`z${token}.ts`]: '2\n' })
  const change = await collect(repo.path, commit, { changedFiles: 3 })
  const { files, overflow } = await change.diff()
  expect(files.map(({ path, oldPath }) => [oldPath, path])).toEqual([
    ['src/ghp_….ts', 'src/b.ts'],
    [null, 'z.ts'],
  ])
  expect(overflow).toEqual(['zghp_….ts'])
  for (let turn = 0; turn < 2; turn++) {
    const { commits, complete } = await change.history.recent(10)
    expect([commits[0]?.paths, complete]).toEqual([['a.ts', 'src/ghp_….ts'], true])
  }
  expect((await change.history.recent(0)).complete).toBe(false)
})

test('a history without secrets in its paths is masked once', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export {}\n' }, `before ${token}`)
  repo.commit({ 'a.ts': '1\n' })
  const change = await collect(repo.path, commit)
  const [first, again] = [await change.history.recent(5), await change.history.recent(5)]
  for (const { commits } of [first, again])
    expect(commits).toMatchObject([{ subject: 'before ghp_…', paths: ['a.ts'] }])
})

test('a secret is new where no file of the change had it before, however it is indented', async () => {
  const repo = createRepo()
  const other = token.replace('q8Zr', 'Xk3p')
  const wide = pem.replaceAll('\n', '\n    ')
  repo.commit({ 'a.ts': `const a = '${token}'\n`, 'b.pem': pem, 'c.ts': 'export {}\n' })
  repo.git('rm', '-q', 'b.pem')
  repo.commit({
    'a.ts': `const a = '${other}'\n`,
    'c.ts': `const c = '${token}'\nconst url = 'https://app:p7Kq2mXw9d@localhost/x'\n`,
    'd.yaml': `key: |\n    ${wide}`,
  })
  const { files } = await (await collect(repo.path, commit)).diff()
  expect(
    files.map(({ path, secrets }) => [path, secrets?.map(({ kind, line }) => `${kind} ${line}`)]),
  ).toEqual([['a.ts', ['GitHub token 1']], ...['b.pem', 'c.ts', 'd.yaml'].map((path) => [path, undefined])])
  const text = files.map(patchText).join('')
  for (const piece of [token.slice(4), other.slice(4), 'p7Kq2mXw9d', ...piecesOf(pem)])
    expect(text).not.toContain(piece)
})

test('more files than are searched at once, empty and binary ones among them', async () => {
  const repo = createRepo()
  repo.commit({ 'old.bin': '\0one' })
  const many = Array.from({ length: 120 }, (_, at) => [`f${String(at).padStart(3, '0')}.ts`, `'${token}'\n`])
  repo.commit({ 'old.bin': '\0two', 'empty.ts': '', ...Object.fromEntries(many) })
  const { files } = await (await collect(repo.path, commit)).diff()
  expect(files.filter((file) => patchText(file).includes("+'ghp_…'"))).toHaveLength(120)
  expect(JSON.stringify(files.map(patchText))).not.toContain(token.slice(4))
  expect(files.filter(({ secrets }) => secrets)).toHaveLength(120)
  expect(files.map(({ path }) => path)).toEqual(['empty.ts', ...many.map(([path]) => path), 'old.bin'])
})

test('within other limits the change is masked as well; its branch and origin are those of git', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export {}\n' })
  repo.commit({ 'a.ts': `const a = '${token}'\n`, 'b.ts': 'export {}\n' })
  const change = await collect(repo.path, commit)
  const narrow = await change.within?.({ ...defaultConfig.limits, changedFiles: 1 })
  const { files = [], overflow } = (await narrow?.diff()) ?? {}
  expect([files.map(({ path }) => path), overflow]).toEqual([['a.ts'], ['b.ts']])
  expect(patchText(files[0])).toContain("'ghp_…'")
  expect([change.originUrl, await change.branch?.()]).toEqual([null, null])
  repo.git('remote', 'add', 'origin', 'https://git.example.org/acme/shop')
  const { originUrl, branch } = await collect(repo.path, { kind: 'base', base: 'HEAD~1' })
  expect([originUrl, await branch?.()]).toEqual(['https://git.example.org/acme/shop', 'main'])
})

test('a key without an end ends with its last line, and a file without its patch is named alone', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export {}\n' })
  const open = pem.slice(0, pem.indexOf('-----END'))
  repo.commit({ 'key.txt': `\n${open}\n\n\n`, 'large.txt': `${'line\n'.repeat(900)}${token}\n` })
  const { files } = await (await collect(repo.path, commit, { fileBytes: 4000 })).diff()
  expect(files.map(({ path, secrets, patch }) => [path, secrets, patch === null])).toEqual([
    [
      'key.txt',
      [{ line: 2, endLine: open.trimEnd().split('\n').length + 1, kind: 'private key', certain: true }],
      false,
    ],
    ['large.txt', undefined, true],
  ])
})
