/** Whom a repository itself names for its files, for a baseline: CODEOWNERS, MAINTAINERS as Linux has it, and OWNERS in folders. */
import { execFileSync } from 'node:child_process'
import { basename, dirname } from 'node:path'
import picomatch from 'picomatch'
import { ownersOf, readOwners } from './code-owners.ts'

/** An account or an address, perhaps with a name. */
export type Owner = { name: string; account: string }

/** The owners of the files, of the most special rule first. Null when the repository has no such file. */
export function openOwners(
  repository: string,
  commit: string,
): ((paths: readonly string[]) => Owner[]) | null {
  const show = (path: string): string | null => {
    try {
      const text = execFileSync('git', ['-C', repository, 'show', `${commit}:${path}`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return text
    } catch {
      return null
    }
  }
  const rules = readOwners(repository, commit)
  if (rules.length > 0)
    return (paths) =>
      mostNamed(paths.map((path) => ownersOf(rules, path).map((account) => ({ name: '', account }))))
  const maintainers = show('MAINTAINERS') ?? show('Maintainers.txt')
  if (maintainers && /^F:/m.test(maintainers)) {
    const sections = sectionsOf(maintainers)
    return (paths) =>
      mostNamed(
        paths.map((path) =>
          sections
            .flatMap(({ patterns, people }) => {
              const depth = Math.max(0, ...patterns.map((each) => (each.fits(path) ? each.depth : 0)))
              return depth > 0 ? [{ depth, people }] : []
            })
            .sort((a, b) => b.depth - a.depth)
            .flatMap(({ people }) => people),
        ),
      )
  }
  if (show('OWNERS') === null) return null
  const texts = new Map<string, string | null>()
  const inFolder = (folder: string): Owner[] => {
    const file = folder === '.' ? 'OWNERS' : `${folder}/OWNERS`
    if (!texts.has(file)) texts.set(file, show(file))
    const listed = (texts.get(file) ?? '').split('\n').flatMap((line) => {
      const account = line.replace(/#.*$/, '').trim()
      return /^\S+@\S+$/.test(account) ? [{ name: '', account }] : []
    })
    return folder === '.' ? listed : [...listed, ...inFolder(dirname(folder))]
  }
  return (paths) => mostNamed(paths.map((path) => inFolder(dirname(path))))
}

/** Those of most files first; among them in the order in which they are named. */
function mostNamed(lists: readonly Owner[][]): Owner[] {
  const counted = new Map<string, { owner: Owner; files: number; place: number }>()
  for (const list of lists)
    for (const [place, owner] of [...new Map(list.map((one) => [one.account, one])).values()].entries()) {
      const known = counted.get(owner.account) ?? { owner, files: 0, place }
      counted.set(owner.account, { owner, files: known.files + 1, place: Math.min(place, known.place) })
    }
  return [...counted.values()]
    .sort((a, b) => b.files - a.files || a.place - b.place)
    .map(({ owner }) => owner)
}

type Section = { people: Owner[]; patterns: { fits: (path: string) => boolean; depth: number }[] }

/** Sections have blank lines between them; `F:` names files, and a folder with everything in it when it ends in `/`. */
function sectionsOf(text: string): Section[] {
  return text.split(/\n\s*\n/).flatMap((section) => {
    const people = [...section.matchAll(/^[MR]:\s*(.*?)\s*<([^>]+)>/gm)].map(
      ([, name = '', account = '']) => ({ name, account }),
    )
    const patterns = [...section.matchAll(/^F:\s*(\S+)/gm)].map(([, pattern = '']) => ({
      fits: fits(pattern),
      depth: pattern.split('/').length + (basename(pattern).includes('*') ? 0 : 1),
    }))
    return people.length > 0 && patterns.length > 0 ? [{ people, patterns }] : []
  })
}

function fits(pattern: string): (path: string) => boolean {
  const name = pattern.replace(/^\.?\//, '')
  if (name.endsWith('/')) return picomatch(`${name}**`, { dot: true })
  return picomatch([name, `${name}/**`], { dot: true })
}
