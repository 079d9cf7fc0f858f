/** Release notes from the subjects of commits: `feat(scope): what it does now`. */

/** The kinds that a user notices, in the order of the notes. */
const kinds: Readonly<Record<string, string>> = {
  feat: 'New',
  fix: 'Fixed',
  perf: 'Faster',
}

/** Subjects of commits, newest first. Markdown; the rest is counted, not listed. */
export function releaseNotes(version: string, subjects: readonly string[]): string {
  const read = subjects.map((subject) => /^(\w+)(?:\(([^)]*)\))?(!?): (.+)$/.exec(subject))
  const sections = Object.entries(kinds).flatMap(([kind, title]) => {
    const lines = read.filter((one) => one?.[1] === kind).map(lineOf)
    return lines.length === 0 ? [] : [`## ${title}\n\n${[...new Set(lines)].join('\n')}\n`]
  })
  const breaking = read.filter((one) => one?.[3] === '!').map(lineOf)
  const listed = read.filter((one) => Object.hasOwn(kinds, one?.[1] ?? '')).length
  return [
    `# Sightline ${version}\n`,
    ...(breaking.length > 0 ? [`## Changes that need your attention\n\n${breaking.join('\n')}\n`] : []),
    ...sections,
    `${subjects.length - listed} more commits change tests, documentation and the inside.\n`,
  ].join('\n')
}

function lineOf(read: RegExpExecArray | null): string {
  const [, , scope, , what = ''] = read ?? []
  // Markdown of a subject is text of ours, but a tag in it would be one.
  const text = what.replaceAll('<', '&lt;')
  return `- ${scope === undefined ? '' : `**${scope}**: `}${text}`
}
