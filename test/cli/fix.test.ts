/** `sightline review --fix` and `--watch` in real repositories; questions are answered at a terminal of `script`. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { entry, environment, sightline } from '../helpers/sightline.ts'

const faulty = [
  'def check(user):',
  '    if not user:',
  '        ValueError("no user")',
  '',
  'def read(file):',
  '    return yaml.load(file)',
  '',
].join('\n')
const raised = faulty.replace('ValueError', 'raise ValueError')
const safe = faulty.replace('yaml.load', 'yaml.safe_load')

function faultyRepo(): TestRepo {
  const repo = createRepo()
  repo.commit({ 'a.py': 'import yaml\n' }, 'first')
  return repo.write({ 'a.py': faulty })
}

const textOf = ({ path }: TestRepo) => readFileSync(join(path, 'a.py'), 'utf8')

const plain = ['review', '--no-cache', '--no-record', '--fail-on', 'never']

test('--yes applies every fix, and says what undoes them', async () => {
  const repo = faultyRepo()
  const env = { XDG_STATE_HOME: temporaryFolder() }
  const { code, stdout, stderr } = await sightline([...plain, '--fix', '--yes'], { cwd: repo.path, env })
  expect(code).toBe(0)
  expect(stdout).not.toContain('diff --git')
  expect(stderr).toContain('-        ValueError("no user")\n+        raise ValueError("no user")\n')
  expect(stderr).toContain('2 of 2 fixes applied')
  expect(textOf(repo)).toBe(raised.replace('yaml.load', 'yaml.safe_load'))
  const [, patch = ''] = /to undo: git -C \S+ apply --reverse (\S+)/.exec(stderr) ?? []
  repo.git('apply', '--reverse', patch)
  expect(textOf(repo)).toBe(faulty)
})

test('without a terminal, and for what has no files here, nothing is reviewed', async () => {
  const { path } = faultyRepo()
  const refusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await sightline([...plain, ...args], { cwd: path })
    expect([code, stdout]).toEqual([2, ''])
    return stderr
  }
  expect(await refusal('--fix')).toContain('--fix --yes applies all fixes without asking')
  expect(await refusal('--yes')).toContain('--yes needs --fix')
  expect(await refusal('--fix', '--watch')).toContain('--watch and --fix cannot be used together')
  expect(await refusal('--fix', '--yes', 'https://github.com/a/b/pull/1')).toContain('check it out first')
  expect(await refusal('--watch', '--range', 'HEAD..HEAD')).toContain('no range, commit or patch')
})

test('a file that is not what was reviewed is left as it is', async () => {
  const repo = faultyRepo()
  repo.git('add', 'a.py')
  repo.write({ 'a.py': `# changed since\n${faulty}` })
  const { stderr } = await sightline([...plain, '--staged', '--fix', '--yes'], {
    cwd: repo.path,
    env: { XDG_STATE_HOME: temporaryFolder() },
  })
  expect(stderr).toContain('not offered, because a.py is not as it was reviewed')
  expect(stderr).toContain('0 of 2 fixes applied')
  expect(stderr).not.toContain('to undo')
  expect(textOf(repo)).toBe(`# changed since\n${faulty}`)
})

test(
  'at a terminal each fix is asked about, and a long report goes through the pager',
  needs('script of util-linux'),
  async () => {
    const repo = faultyRepo()
    const log = join(temporaryFolder(), 'paged.txt')
    const command = `stty rows 10 cols 90; '${process.execPath}' '${entry}' ${plain.join(' ')} --fix`
    const child = spawn('script', ['-qfec', command, '/dev/null'], {
      cwd: repo.path,
      env: environment({ TERM: 'xterm', XDG_STATE_HOME: temporaryFolder(), SIGHTLINE_PAGER: `tee '${log}'` }),
    })
    let [shown, asked, answered] = ['', 0, 0]
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      if (shown.split('[y/N]').length - 1 <= asked) return
      asked++
      child.stdin.write(shown.slice(answered).includes('safe_load') ? 'y\r' : 'n\r')
      answered = shown.length
    })
    const code = await new Promise((done) => child.on('close', done))
    expect({ code, asked, shown }).toMatchObject({ code: 0, asked: 2 })
    expect(shown).toContain('1 of 2 fixes applied')
    expect(textOf(repo)).toBe(safe)
    expect(readFileSync(log, 'utf8')).toContain('An exception is made and not raised')
  },
)

test('--watch reviews again after a change, and Ctrl-C ends it without an error', async () => {
  const repo = createRepo()
  repo.commit({ 'src/a.py': 'import yaml\n', '.gitignore': '*.log\n' }, 'first')
  repo.write({ 'src/a.py': faulty })
  const child = spawn(process.execPath, [entry, ...plain, '--watch', '--format', 'compact'], {
    cwd: repo.path,
    env: environment(),
  })
  let [stdout, waits] = ['', 0]
  const rounds = [
    // Ignored by git, so nothing is reviewed; then a folder that was not there before.
    () => writeFileSync(join(repo.path, 'src/noise.log'), 'x'),
    () => repo.write({ 'src/a.py': raised, 'new/b.py': 'import yaml\nyaml.load(open("x"))\n' }),
    () => repo.write({ 'new/b.py': 'import yaml\n' }),
  ]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    waits += text.split('waiting for changes').length - 1
    if (waits === 1 && rounds.length === 3) for (const step of rounds.splice(0, 2)) step()
    else if (waits === 2 && rounds.length === 1) rounds.pop()?.()
    else if (waits === 3) child.kill('SIGINT')
  })
  const code = await new Promise((done) => child.on('close', done))
  expect({ code, waits, stdout }).toMatchObject({ code: 0, waits: 3 })
  const places = [...stdout.matchAll(/^(\S+?):\d+.*yaml\.load/gm)].map(([, path]) => path)
  expect(places.sort()).toEqual(['new/b.py', 'src/a.py', 'src/a.py', 'src/a.py'])
})
