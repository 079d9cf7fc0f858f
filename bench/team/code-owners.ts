/** CODEOWNERS as GitHub reads it, for a baseline: the last rule that fits a path names its owners. */
import { execFileSync } from 'node:child_process'
import picomatch from 'picomatch'

type Rule = { fits: (path: string) => boolean; owners: string[] }

const places = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS']

export function readOwners(repository: string, commit: string): Rule[] {
  for (const place of places)
    try {
      const text = execFileSync('git', ['-C', repository, 'show', `${commit}:${place}`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return text.split('\n').flatMap(ruleIn)
    } catch {
      // Not in this place.
    }
  return []
}

export function ownersOf(rules: readonly Rule[], path: string): string[] {
  return rules.findLast(({ fits }) => fits(path))?.owners ?? []
}

function ruleIn(line: string): Rule[] {
  const [pattern, ...owners] = line.replace(/#.*$/, '').trim().split(/\s+/)
  if (!pattern) return []
  const rooted = pattern.startsWith('/') || pattern.slice(0, -1).includes('/')
  const name = pattern.replace(/^\//, '')
  const glob = `${rooted ? '' : '**/'}${name.endsWith('/') ? `${name}**` : name}`
  const globs = name.endsWith('/') || name.includes('*') ? [glob] : [glob, `${glob}/**`]
  return [{ fits: picomatch(globs, { dot: true }), owners }]
}
