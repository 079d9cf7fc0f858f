/**
 * The suites that say most about a machine: those that start programs, or say that they need something of it. Found out from
 * their text: a suite starts a program if it calls something of `node:child_process`, or a function of a helper or of a module of
 * the product that does. What starts git alone does not count, since git is on every machine; nor does a command inside the
 * test's process, which starts what suites of its parts start.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const gitAlone = /^(?:src\/base\/git\/|test\/helpers\/git-repo\.ts$)/
/** They have commands of their own. */
const elsewhere = /^test\/(?:chaos|evals|red-team|site|week)\//

/** In the order in which they say most, for whoever has not time for all: what needs something of the machine, then the short ones. */
export function suitesThatStartPrograms(): string[] {
  const tracked = ['ls-files', '--cached', '--others', '--exclude-standard', 'test']
  return execFileSync('git', tracked, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path.endsWith('.test.ts') && !path.includes('/fixtures/') && !elsewhere.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .map(({ path, text }) => ({ path, needs: /\bneeds\('/.test(text), size: text.length }))
    .filter(({ path, needs }) => needs || startersOf(path).has(anyOfIt))
    .sort((one, other) => Number(other.needs) - Number(one.needs) || one.size - other.size)
    .map(({ path }) => path)
}

const anyOfIt = '*'
const known = new Map<string, ReadonlySet<string>>()

/** The names of a file that start programs when they are called. */
function startersOf(path: string): ReadonlySet<string> {
  const before = known.get(path)
  if (before) return before
  const starters = new Set<string>()
  // Of files that import each other, the second one asked sees what is known by then.
  known.set(path, starters)
  if (gitAlone.test(path)) return starters
  const text = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
  const calls = new Set<string>()
  for (const [, names = '', from = ''] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)) {
    const isOurs = from.startsWith('.') && from.endsWith('.ts')
    // Of the product only what itself starts something: all of it does in the end.
    const starting = isOurs && path.startsWith('test/') ? startersOf(join(dirname(path), from)) : null
    for (const name of names.split(',').map((one) => one.trim().replace(/^type .*/, '')))
      if (from === 'node:child_process' || starting?.has(name)) calls.add(name.split(' ').at(-1) ?? '')
  }
  calls.delete('')
  const parts = text.replace(/^import (?:type )?\{[^}]*\} from '[^']+'$/gm, '').split(/\n(?=[a-zA-Z])/)
  for (let count = -1; count !== starters.size; ) {
    count = starters.size
    const call = new RegExp(`(?<![.\\w'])(?:${[...calls].join('|') || '(?!)'})\\((?!'git')`)
    for (const part of parts.filter((one) => call.test(one))) {
      const [, name = anyOfIt] = /^(?:export )?(?:async )?(?:function|const|class) (\w+)/.exec(part) ?? []
      starters.add(anyOfIt).add(name)
      calls.add(name)
    }
    calls.delete(anyOfIt)
  }
  return starters
}
