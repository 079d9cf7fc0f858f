/** Changes of a real repository with planted faults: some in files of the product, some in examples that are faulty on purpose. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Random } from '../../test/helpers/random.ts'

export type PlantedRule = { id: string; code: (name: string, number: number) => string }

/** Rules, and a function that breaks each; every one is of other code, so that no two are one finding. */
export const rules: readonly [PlantedRule, PlantedRule] = [
  {
    id: 'js/compare-nan',
    code: (name, number) =>
      `\nexport function ${name}IsMissing(${name}, weight${number}) {\n  const ${name}Total = ${name} * weight${number} + ${number}\n  return ${name}Total === NaN\n}\n`,
  },
  {
    id: 'js/length-comparison',
    code: (name, number) =>
      `\nexport function ${name}IsEmpty(${name}s, limit${number}) {\n  const ${name}Rest = ${name}s.slice(limit${number} + ${number})\n  return ${name}Rest.length < 0\n}\n`,
  },
]

/** People put what is faulty on purpose here. */
const examples = 'examples/faulty'
const words = [
  'order',
  'price',
  'account',
  'invoice',
  'parcel',
  'customer',
  'ticket',
  'session',
  'token',
  'message',
  'branch',
  'report',
]

export type PlantedChange = {
  base: string
  commit: string
  /** By path: whether findings in it are right. Every path is planted once. */
  planted: (readonly [path: string, is: 'right' | 'wrong'])[]
}

/** A commit on top of HEAD with one or two faults of each kind. `number` names the change; files are not planted twice. */
export function plant(folder: string, number: number, random: Random): PlantedChange {
  const git = (args: readonly string[], input?: string) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      input,
      maxBuffer: 2 ** 28,
      env: { ...process.env, GIT_INDEX_FILE: join(folder, 'planted-index'), ...identity },
    }).trim()
  const base = git(['rev-parse', 'HEAD'])
  const sources = git(['ls-tree', '-r', '--name-only', 'HEAD'])
    .split('\n')
    .filter(
      (path) =>
        /\.(?:js|mjs|ts)$/.test(path) &&
        !/(?:^|\/)(?:tests?|__tests__|examples?|dist|build|vendor|deps|fixtures|benchmarks?|runtime-tests|[\w.-]*generated[\w.-]*)\/|\.(?:test|spec|d|min)\./.test(
          path,
        ),
    )
  git(['read-tree', 'HEAD'])
  const planted: (readonly [string, 'right' | 'wrong'])[] = []
  const write = (path: string, text: string, is: 'right' | 'wrong') => {
    const blob = git(['hash-object', '-w', '--stdin'], text)
    git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`])
    planted.push([path, is])
  }
  for (const [at, { code }] of rules.entries()) {
    const name = `${random.pick(words)}${number}${'ab'[at]}`
    // Every change has its own files, so that what is found in one of them is known to be one of its plants.
    const source = sources[(number * rules.length + at) % sources.length]
    if (source === undefined) throw new Error(`${folder} has no source files`)
    write(source, `${git(['show', `HEAD:${source}`])}\n${code(name, number * 7 + at)}`, 'right')
    for (let copy = random.between(1, 2); copy > 0; copy--) {
      const faulty = `${name}${random.pick(words)}${copy}`
      write(`${examples}/${faulty}.js`, code(faulty, number * 11 + copy), 'wrong')
    }
  }
  const tree = git(['write-tree'])
  return { base, commit: git(['commit-tree', tree, '-p', base, '-m', `change ${number}`]), planted }
}

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}
