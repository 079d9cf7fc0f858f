/** Linters of the operator's settings, run on real repositories in a real sandbox where one works. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type CollectOptions, collectChange } from '../../src/assembly/collect-change.ts'
import { runLinters } from '../../src/assembly/run-linters.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { parseSettings } from '../../src/config/settings/load.ts'
import { localSource } from '../../src/hosts/local/collect.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { listen } from '../helpers/listen.ts'
import { needs } from '../helpers/needs/needs.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { root, sightline } from '../helpers/sightline.ts'

const { signal } = new AbortController()
const machine = `${process.platform}-${process.arch}`
const biome = join(root, `node_modules/@biomejs/cli-${machine}/biome`)
const python = '/usr/bin/python3'

/** What the collected change says of the results of linters, and what it could not use. */
async function collected(
  repo: string,
  linters: object,
  options: CollectOptions = { runsLinters: true },
  sandboxSettings: object = {},
) {
  const settings = parseSettings(JSON.stringify({ linters, sandbox: sandboxSettings }), 'settings.yaml')
  const change = await collectChange(
    localSource({ folder: repo, selector: { kind: 'commit', commit: 'HEAD' } }),
    {
      settings,
      environment: {},
      facts: sharedFacts(),
      folders: { cache: null },
      signal,
      now: () => new Date(),
    },
    options,
  )
  onTestFinished(() => change.close())
  const { toolResults = [], limits } = change.request
  return { results: toolResults, limits }
}

const inShell = (script: string, more: object = {}) => ({ probe: { command: ['sh', '-c', script], ...more } })
const oneResult = (path: string, message: string) =>
  JSON.stringify({
    source: { name: 'probe' },
    diagnostics: [{ message, location: { path, range: { start: { line: 1 } } } }],
  })

function repoWith(files: Record<string, string>) {
  const repo = createRepo()
  repo.commit({ 'README.md': 'a shop\n' })
  repo.commit(files)
  return repo
}

describe('in bubblewrap', needs('a sandbox (bubblewrap or a container)'), () => {
  test(
    'a real linter reports the changed lines, and a review shows it',
    needs('Biome for this machine'),
    async () => {
      const repo = repoWith({
        'src/shop.js': 'export function total(a) {\n  if (a = 1) return 2\n  debugger\n  return 3\n}\n',
      })
      const linters = {
        biome: {
          command: [biome, 'lint', '--reporter=rdjson', '--max-diagnostics=50', '{files}'],
          languages: ['javascript', 'typescript'],
        },
      }
      const { results, limits } = await collected(repo.path, linters, undefined, {
        readOnlyPaths: [join(root, 'node_modules/@biomejs')],
      })
      expect(limits).toEqual([])
      expect(results.map(({ path, rule, startLine }) => `${path}:${startLine} ${rule}`).sort()).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^src\/shop\.js:2 .*noAssignInExpressions/),
          expect.stringMatching(/^src\/shop\.js:3 .*noDebugger/),
        ]),
      )

      const home = temporaryFolder()
      const settings = join(home, 'settings.yaml')
      const sandboxed = { readOnlyPaths: [join(root, 'node_modules/@biomejs')] }
      writeFileSync(settings, JSON.stringify({ linters, sandbox: sandboxed }))
      const env = { SIGHTLINE_SETTINGS: settings, XDG_STATE_HOME: home, XDG_CACHE_HOME: home }
      const run = await sightline(
        [
          'review',
          '--commit',
          'HEAD',
          '--repo',
          repo.path,
          '--depth',
          'offline',
          '--planes',
          'linters',
          '--json',
        ],
        { env },
      )
      const { findings } = JSON.parse(run.stdout)
      expect(findings.map(({ title }: { title: string }) => title).join('\n')).toMatch(
        /noAssignInExpressions/,
      )
    },
  )

  test('a script of the operator that writes SARIF', needs('python3'), async () => {
    const folder = temporaryFolder()
    const script = join(folder, 'compiles.py')
    writeFileSync(
      script,
      `import json, sys
results = []
for path in sys.argv[2:]:
    try:
        compile(open(path).read(), path, 'exec')
    except SyntaxError as error:
        place = {'artifactLocation': {'uri': path}, 'region': {'startLine': error.lineno}}
        results.append({'ruleId': 'syntax', 'level': 'error', 'message': {'text': str(error.msg)},
                        'locations': [{'physicalLocation': place}]})
run = {'tool': {'driver': {'name': 'compiles'}}, 'results': results}
json.dump({'version': '2.1.0', 'runs': [run]}, open(sys.argv[1], 'w'))
`,
    )
    const repo = repoWith({ 'a.py': 'def f(:\n    pass\n', 'b.py': 'x = 1\n', '-c.py': 'y =\n' })
    const linters = {
      compiles: {
        command: [python, script, '{report}', '{files}'],
        format: 'sarif',
        languages: ['python'],
      },
    }
    const { results, limits } = await collected(repo.path, linters, undefined, { readOnlyPaths: [folder] })
    expect(limits).toEqual([])
    expect(results.map(({ tool, path, startLine }) => [tool, path, startLine])).toEqual([
      ['compiles', '-c.py', 1],
      ['compiles', 'a.py', 1],
    ])
  })

  test('it has no network, cannot write to the tree, and sees no file of this machine', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      response.end('ok')
    })
    const port = await listen(server)
    const secret = join(temporaryFolder(), 'secret')
    writeFileSync(secret, 'top-secret\n')
    process.env.SIGHTLINE_TEST_SECRET = 'top-secret'
    onTestFinished(() => void delete process.env.SIGHTLINE_TEST_SECRET)
    const repo = repoWith({ 'a.js': 'a\n' })
    const script = [
      `net=$(bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached' 2>/dev/null)`,
      `wrote=$(echo more >> a.js 2>/dev/null && echo written)`,
      `new=$(touch new.js 2>/dev/null && echo made)`,
      `read=$(cat ${secret} 2>/dev/null; env | grep top-secret)`,
      `printf '${oneResult('a.js', '[%s] [%s] [%s] [%s]').replaceAll("'", '')}' "$net" "$wrote" "$new" "$read"`,
    ].join('; ')
    const { results, limits } = await collected(repo.path, inShell(script))
    expect(limits).toEqual([])
    expect(results.map(({ message }) => message)).toEqual(['[] [] [] []'])
    expect(asked).toBe(0)
    expect(readFileSync(join(repo.path, 'a.js'), 'utf8')).toBe('a\n')
  })

  test('each that fails costs its results, and a line says so', async () => {
    const failing: Record<string, [script: string, more: object, why: string]> = {
      slow: ['sleep 60', { seconds: 1 }, 'it ended out of time'],
      loud: ['yes >&2', {}, 'it ended too much output'],
      large: ['head -c 17000000 /dev/zero', {}, 'its results are not a file of at most 16 MB'],
      broken: ['echo no such rule >&2; exit 3', {}, 'it ended with exit code 3: no such rule'],
      chatty: ['echo fine', {}, 'the format of what chatty wrote is not supported'],
      other: [
        `echo '${oneResult('a.js', 'x')}'`,
        { format: 'sarif' },
        'what other wrote is rdjson, not sarif',
      ],
      absent: ['exec no-such-linter', {}, 'it ended with exit code 127'],
      // A link that should take the place of a report.
      linked: ['ln -sfT /etc/passwd /report/results; : {report}; exit 3', {}, 'it ended with exit code 3'],
    }
    const linters = Object.entries(failing).map(([name, [script, more]]) => [
      name,
      inShell(script, more).probe,
    ])
    const { results, limits } = await collected(repoWith({ 'a.js': 'a\n' }).path, Object.fromEntries(linters))
    expect(results).toEqual([])
    expect(limits).toHaveLength(Object.keys(failing).length)
    for (const [at, [name, [, , why]]] of Object.entries(failing).entries()) {
      expect(limits[at]).toContain(`the linter ${name} gave no results: `)
      expect(limits[at]).toContain(why)
    }
  })

  test('it does not run for other files, when it is off, or when nobody asked for a review', async () => {
    const repo = repoWith({ 'a.js': 'a\n' })
    const saying = (words: string) => inShell(`echo '${oneResult('a.js', words)}'`).probe
    const linters = {
      any: saying('any'),
      own: { ...saying('own'), languages: ['javascript'], paths: ['*.js'] },
      language: { ...saying('language'), languages: ['python'] },
      folder: { ...saying('folder'), paths: ['src/**'] },
      off: { ...saying('off'), enabled: false },
    }
    expect((await collected(repo.path, linters)).results.map(({ message }) => message)).toEqual([
      'any',
      'own',
    ])
    expect((await collected(repo.path, linters, {})).results).toEqual([])
  })

  test('installed packages of the checkout are lent, and a link out of it is not', async () => {
    const repo = repoWith({ 'a.js': 'a\n', '.gitignore': 'node_modules\nlinked\n' })
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'tool.sh'), 'exit 9\n')
    repo.write({ 'node_modules/tool/tool.sh': `echo '${oneResult('a.js', 'from a package')}'\n` })
    symlinkSync(outside, join(repo.path, 'linked'))
    const lent = { command: ['sh', 'node_modules/tool/tool.sh'], packages: ['node_modules'] }
    const linked = { command: ['sh', 'linked/tool.sh'], packages: ['linked'] }
    const { results, limits } = await collected(repo.path, { lent, linked })
    expect(results.map(({ message }) => message)).toEqual(['from a package'])
    expect(limits).toEqual([
      expect.stringContaining('the linter linked gave no results: it ended with exit code'),
    ])
  })
})

test('a repository cannot name linters to run', async () => {
  const repo = createRepo()
  repo.commit({ '.sightline.yaml': 'linters: { evil: { command: [touch, /tmp/x] } }\n', 'a.js': 'a\n' })
  repo.commit({ 'a.js': 'b\n' })
  await expect(collected(repo.path, {})).rejects.toThrow(/linters/)
})

test('without a sandbox nothing runs, and a line says what to do', async () => {
  const repo = repoWith({ 'a.js': 'a\n' })
  const settings = parseSettings(JSON.stringify({ linters: inShell('echo never') }), 'settings.yaml')
  const source = localSource({ folder: repo.path, selector: { kind: 'commit', commit: 'HEAD' } })
  const change = await source.collect(defaultConfig.limits, signal)
  onTestFinished(() => change.close())
  const parts = { settings, workTree: repo.path, findSandbox: async () => null, signal }
  expect(await runLinters(change, parts)).toEqual({
    results: [],
    limits: [
      'the linter probe did not run: no sandbox works on this machine; install bubblewrap, or set `sandbox.image`',
    ],
  })
})
