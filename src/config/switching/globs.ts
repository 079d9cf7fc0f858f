/** Patterns of other tools as globs of ours, which match a path from the root of the repository. */

/** Lines of a `.gitignore` as globs. What a glob cannot say is returned as it was. */
export function globsOfGitignore(patterns: readonly string[]): { globs: string[]; left: string[] } {
  const written = patterns
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  // A pattern that includes again what another excludes depends on the order, and a path below `~` is not in the repository.
  const left = written.filter((line) => line.startsWith('!') || line.startsWith('~'))
  const globs = written.filter((line) => !left.includes(line)).map(globOfGitignore)
  return { globs, left }
}

function globOfGitignore(line: string): string {
  const isFolder = line.endsWith('/')
  const bare = (isFolder ? line.slice(0, -1) : line).replace(/^\.\//, '')
  // A slash in front or inside ties the pattern to the root.
  const isTied = bare.includes('/')
  const pattern = isTied ? bare.replace(/^\//, '') : `**/${bare}`
  // `a/**` matches `a` too. The last part of a file name says more about what it is than what is below it.
  if (isFolder) return `${pattern}/**`
  return pattern.endsWith('**') || /[^/.]\.\w+$/.test(pattern) ? pattern : `${pattern}/**`
}

/** A pattern of Python's `fnmatch`, whose `*` crosses folders. */
export function globOfFnmatch(pattern: string): string {
  const parts = pattern.replace(/^\.?\//, '').split('/')
  return parts
    .map((part, at) => {
      if (/^\*+$/.test(part)) return '**'
      if (part.startsWith('*')) return `**/${part}`
      return at === parts.length - 1 && part.endsWith('*') ? `${part}/**` : part
    })
    .join('/')
}
