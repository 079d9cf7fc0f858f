/** A bundle in words, for people and for agents. All names and texts in it are foreign. */
import { count } from '../../base/count.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { ReviewContext } from '../../domain/review-context.ts'

export function describeContext({
  hash,
  change,
  symbols,
  tests,
  evidence,
  around,
  cuts,
}: ReviewContext): string {
  const { tickets = [], history = null, instructions = [], sections = [] } = around ?? {}
  const inFiles = evidence.filter(({ path }) => path !== null)
  const { memory = [], developer = [] } = around ?? {}
  const lines = [
    `Bundle ${hash}`,
    `${count(change.files.length, 'changed file')}, ${count(symbols.length, 'changed symbol')}, ${tests.length} of them searched for in tests`,
    '',
    'Section       state      items  tokens  omitted for space',
    ...sections.map(
      ({ name, state, items, tokens, trimmed }) =>
        `${name.padEnd(12)}  ${state.padEnd(9)}  ${String(items).padStart(5)}  ${String(tokens).padStart(6)}  ${trimmed}`,
    ),
    ...part(
      'Code around the change',
      inFiles.map(
        ({ id, title, path, startLine, endLine }) => `${id} ${path}:${startLine}-${endLine}  ${title}`,
      ),
    ),
    ...part(
      'Errors in production',
      evidence.flatMap(({ id, title, path, text }) =>
        path === null ? [`${id} ${title}`, ...text.split('\n')] : [],
      ),
    ),
    ...part(
      'Tickets',
      tickets.flatMap(({ id, title, linkedBy, criteria }) => [
        `${id}: ${title} (${linkedBy})`,
        ...criteria.map((criterion) => `  ${criterion.id} ${criterion.text}`),
      ]),
    ),
    ...part(
      'Instructions from the base',
      instructions.map(
        ({ path, scope, governs }) => `${path}: ${scope}, ${count(governs.length, 'changed file')}`,
      ),
    ),
    ...part(
      'Notes of the team',
      memory.map(({ path, scope, text }) => `${path}: about ${scope}: ${text}`),
    ),
    ...part('Earlier changes of the author here', developer),
    ...part('History', history ? historyLines(history) : []),
    ...part('Missing', cuts),
  ]
  return `${lines.map(visibleLine).join('\n')}\n`
}

function historyLines(history: NonNullable<NonNullable<ReviewContext['around']>['history']>): string[] {
  const { commitsRead, complete, experts, authorCommits, latest, missingPartners } = history
  return [
    `${count(commitsRead, 'commit')} read${complete ? '' : ', of an incomplete history'}`,
    ...experts.map(({ name, commits }) => `knows these files: ${name}, ${count(commits, 'commit')}`),
    ...(authorCommits === null ? [] : [`the author has ${count(authorCommits, 'commit')} in these folders`]),
    ...latest.map(({ commit, day, subject }) => `${commit} ${day} ${subject}`),
    ...missingPartners.map(
      ({ path, share }) =>
        `${Math.round(share * 100)} % of the commits that touched these files touched ${path}, and this change does not`,
    ),
  ]
}

function part(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `  ${line}`)]
}
