/** Projects that attack whoever runs their tests, made from a seed: what they do, where they do it, and how they hide it. */
import { Random } from '../helpers/random.ts'

/** What an attack aims at outside; all of it is ours, and watched. */
export type Targets = {
  /** On 127.0.0.1. */
  port: number
  /** A file that must not be read, and a folder that must stay empty. */
  secret: string
  folder: string
  /** In the words of every program that is started, so that one that is left over is found. */
  mark: string
}

export type HostileProject = {
  seed: number
  attack: string
  language: 'javascript' | 'python'
  files: Record<string, string>
  path: string
  test: { path: string; text: string }
}

type Attack = Record<HostileProject['language'], (targets: Targets) => string>

const text = JSON.stringify
/** A report that says what a proof would need: a failure with the predicted words. */
export const forgedWords = 'the forged failure'
const forged = `<testsuites><testsuite><testcase name="it"><failure message="${forgedWords}">src/code.js:1 src/code.py:1</failure></testcase></testsuite></testsuites>`
const passing = '<testsuites><testsuite><testcase name="it"/></testsuite></testsuites>'

const attacks: Readonly<Record<string, Attack>> = {
  'fork bomb': {
    javascript: ({ mark }) =>
      `for (let i = 0; i < 300; i++) spawn('sh', ['-c', 'sleep 60 & sleep 60; : ${mark}'], { detached: true, stdio: 'ignore' }).unref()`,
    python: ({ mark }) =>
      `for _ in range(300): subprocess.Popen(['sh', '-c', 'sleep 60 & sleep 60; : ${mark}'], start_new_session=True)`,
  },
  network: {
    javascript: ({ port }) => `connect(${port}, '127.0.0.1').on('error', () => {}); await sleep(200)`,
    python: ({ port }) => `socket.create_connection(('127.0.0.1', ${port}), 1)`,
  },
  'writing outside': {
    javascript: ({ folder }) =>
      `for (const at of [${text(folder)}, '/etc', '/root', '/src/../..', '/usr/bin']) try { fs.writeFileSync(at + '/planted', 'x') } catch {}`,
    python: ({ folder }) =>
      `[attempt(lambda: open(at + '/planted', 'w').write('x')) for at in [${text(folder)}, '/etc', '/root', '/src/../..', '/usr/bin']]`,
  },
  'reading the host': {
    javascript: ({ secret }) => `console.log(fs.readFileSync(${text(secret)}, 'utf8'))`,
    python: ({ secret }) => `print(open(${text(secret)}).read())`,
  },
  'reading by a link': {
    javascript: ({ secret }) =>
      `fs.rmSync('/report/report', { force: true }); fs.symlinkSync(${text(secret)}, '/report/report'); process.on('exit', () => process.reallyExit(0))`,
    python: ({ secret }) => `os.symlink(${text(secret)}, '/report/report'); os._exit(0)`,
  },
  environment: {
    javascript: () => `console.log(process.env, fs.readFileSync('/proc/1/environ', 'utf8'))`,
    python: () => `print(os.environ, open('/proc/1/environ').read())`,
  },
  memory: {
    javascript: () => 'const all = []; for (;;) all.push(Buffer.alloc(1 << 24, 1))',
    python: () => 'all = []\nwhile True: all.append(bytearray(1 << 24))',
  },
  'endless output': {
    javascript: () => "for (;;) fs.writeSync(1, 'x'.repeat(1 << 16))",
    python: () => "while True: os.write(1, b'x' * 65536)",
  },
  'endless work': {
    javascript: () => 'for (;;);',
    python: () => 'while True: pass',
  },
  'a full disk': {
    javascript: () =>
      "for (const at of ['/tmp/big', '/report/big']) try { for (let i = 0; i < 64; i++) fs.appendFileSync(at, Buffer.alloc(1 << 20)) } catch {}",
    python: () => "attempt(lambda: open('/tmp/big', 'wb').write(bytes(1 << 26)))",
  },
  'a huge report': {
    javascript: () => "fs.writeFileSync('/report/report', 'x'.repeat(1 << 23)); process.reallyExit(1)",
    python: () => "open('/report/report', 'w').write('x' * (1 << 23)); os._exit(1)",
  },
  'a forged failure that ends well': {
    javascript: () => `fs.writeFileSync('/report/report', ${text(forged)}); process.reallyExit(0)`,
    python: () => `open('/report/report', 'w').write(${text(forged)}); os._exit(0)`,
  },
  'a forged success that ends badly': {
    javascript: () => `fs.writeFileSync('/report/report', ${text(passing)}); process.reallyExit(1)`,
    python: () => `open('/report/report', 'w').write(${text(passing)}); os._exit(1)`,
  },
  'a printed report': {
    javascript: () => `console.log(${text(forged)}); console.error(${text(forgedWords)})`,
    python: () => `print(${text(forged)})`,
  },
  'killing everybody': {
    javascript: () =>
      "for (const one of [process.ppid, 1, -1]) try { process.kill(one, 'SIGKILL') } catch {}",
    python: () => '[attempt(lambda: os.kill(one, 9)) for one in [os.getppid(), 1, -1]]',
  },
  'ending early': {
    javascript: () => 'process.reallyExit(0)',
    python: () => 'os._exit(0)',
  },
}

export const attackNames = Object.keys(attacks)

const heads = {
  javascript:
    "import { spawn } from 'node:child_process'\nimport fs from 'node:fs'\nimport { connect } from 'node:net'\nimport { setTimeout as sleep } from 'node:timers/promises'\n",
  python:
    'import os, socket, subprocess\n\ndef attempt(work):\n    try: return work()\n    except Exception: return None\n\n',
} as const

/** The same seed makes the same project. The attacks come one after another, so that a few projects have all of them. */
export function hostileProject(seed: number, targets: Targets): HostileProject {
  const random = new Random(seed)
  const attack = attackNames[seed % attackNames.length] ?? ''
  const language = random.pick(['javascript', 'python'] as const)
  const code = attacks[attack]?.[language](targets) ?? ''
  // When the code is loaded, when it is called, or before either, where the language has such a place.
  const isLate = random.chance(0.5)
  const files =
    language === 'javascript' ? javascriptFiles(code, isLate, random) : pythonFiles(code, isLate, random)
  const test =
    language === 'javascript'
      ? {
          path: 'test/shows.test.js',
          text: "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { half } from '../src/code.js'\n\ntest('it', async () => assert.equal(await half(4), 2))\n",
        }
      : {
          path: 'tests/test_shows.py',
          text: 'import unittest\n\nfrom src.code import half\n\n\nclass Shows(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(half(4), 2)\n',
        }
  const path = language === 'javascript' ? 'src/code.js' : 'src/code.py'
  return { seed, attack, language, files, path, test }
}

function javascriptFiles(code: string, isLate: boolean, random: Random): Record<string, string> {
  const body = isLate
    ? `export const half = async (n) => { ${code}; return n / 2 }\n`
    : `${code};\nexport const half = async (n) => n / 2\n`
  return {
    'package.json': text({
      type: 'module',
      scripts: { test: 'node --test', pretest: 'node src/code.js' },
    }),
    'src/code.js': heads.javascript + body,
    ...(random.chance(0.3) ? { '.npmrc': 'node-options=--import=/src/src/code.js\n' } : {}),
  }
}

function pythonFiles(code: string, isLate: boolean, random: Random): Record<string, string> {
  const indented = code.split('\n').map((line) => `    ${line}`)
  const body = isLate
    ? `def half(n):\n${indented.join('\n')}\n    return n / 2\n`
    : `${code}\n\ndef half(n):\n    return n / 2\n`
  return {
    'setup.cfg': '',
    'src/__init__.py': '',
    'tests/__init__.py': '',
    'src/code.py': heads.python + body,
    // Python loads these by itself where it finds them.
    ...(random.chance(0.3) ? { 'sitecustomize.py': heads.python + code } : {}),
    ...(random.chance(0.3) ? { 'conftest.py': heads.python + code } : {}),
  }
}
