/** `sightline related`: whom to ask about a change, earlier changes, open branches and findings that belong to it. */
import { count } from '../../base/count.ts'
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { RelatedAnswer } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { readSelector, selectorOptions } from '../input/change.ts'
import { repositoryOption } from '../input/common-options.ts'
import { flag, integer } from '../input/options.ts'
import { pathIn } from '../shell.ts'
import { printAnswer } from '../terminal.ts'
import { shortId } from './findings.ts'

export const related = defineCommand({
  name: 'related',
  summary:
    'List people to ask for a review, earlier changes, open branches and findings in the code of a change.',
  operand: 'BRANCH | RANGE | COMMIT | PATCH-FILE | - | PATH...',
  options: {
    ...selectorOptions,
    limit: integer(1, 100, 'Maximum number of entries in each list. Default: 10.'),
    repo: repositoryOption,
    json: flag('Print JSON.'),
  },
  examples: ['sightline related  # whatever you are working on', 'sightline related --base main'],
  async run({ values, operands, terminal, shell, signal }) {
    const selector = await readSelector(values, operands, shell)
    const { findRelatedTo } = await import('../../index.ts')
    const options = { folder: pathIn(shell, values.repo ?? ''), environment: shell.environment, signal }
    const answer = await findRelatedTo(selector, options, values.limit ?? 10)
    await printAnswer(terminal, values.json, plain(answer), () => relatedText(answer))
    return exitCodes.clean
  },
})

function plain({ findings, ...answer }: RelatedAnswer) {
  return { ...answer, findings: findings.map(({ names, ...finding }) => ({ ...finding, names: [...names] })) }
}

/** Subjects, names and paths are foreign. */
function relatedText({
  reviewers,
  past,
  open,
  reviews,
  findings,
  commitsRead,
  complete,
}: RelatedAnswer): string {
  const people = reviewers.map(({ name, reviews, commits, lastTime }) => {
    const facts = [
      reviews > 0 ? count(reviews, 'review') : '',
      commits > 0 ? count(commits, 'commit') : '',
      lastTime === null ? 'worked on other files' : `last on ${dayOf(lastTime)}`,
    ]
    return `${name}  ${facts.filter(Boolean).join(', ')}`
  })
  const earlier = past.map((change) => {
    const name = change.request === null ? change.commit.slice(0, 10) : `#${change.request}`
    const notes = [
      change.wroteLines ? 'wrote lines that this change replaces' : '',
      change.tickets.length > 0 ? change.tickets.join(' ') : '',
      change.revertedBy === null ? '' : `reverted by ${change.revertedBy.slice(0, 10)}`,
      change.fixesAfter > 0 ? `${count(change.fixesAfter, 'fix', 'fixes')} within a month` : '',
    ].filter(Boolean)
    const tail = notes.length > 0 ? `  (${notes.join('; ')})` : ''
    return `${name}  ${dayOf(change.time)}  ${change.authorName}: ${change.subject}${tail}  [${filesIn(change.shared)}]`
  })
  const branches = open.map(
    ({ name, authorName, time, shared, sameLines }) =>
      `${name}  ${dayOf(time)}  ${authorName}${linesIn(sameLines)}  [${filesIn(shared)}]`,
  )
  const reviewed = (reviews ?? []).map(
    ({ change, title, by, reviewedAt, findings: found, overlaps, errorsAfter }) => {
      const notes = [
        found.length > 0 ? count(found.length, 'finding') : '',
        errorsAfter.length > 0 ? `broke after it: ${errorsAfter.slice(0, shownFiles).join(', ')}` : '',
        overlaps.length > 0 ? `open at the same time: ${overlaps.slice(0, shownFiles).join(', ')}` : '',
      ].filter(Boolean)
      const tail = notes.length > 0 ? `  (${notes.join('; ')})` : ''
      return `${change}  ${reviewedAt.slice(0, 10)}  ${by === null ? '' : `${by}: `}${title}${tail}`
    },
  )
  const known = findings.map(
    ({ id, state, facts, record }) =>
      `${shortId(id)}  ${state}  ${facts.severity}  ${record.path}:${record.line}  ${record.title}`,
  )
  const partial = complete ? '' : ', of an incomplete history'
  return [
    ...section('People to ask for a review', people),
    ...section('Earlier changes', earlier),
    ...section('Open branches that change the same files', branches),
    ...section('Reviews of changes in the same files', reviews === null ? ['cannot be read'] : reviewed),
    ...section('Findings of earlier reviews', known),
    `(${count(commitsRead, 'commit')} read${partial})`,
    '',
  ].join('\n')
}

function section(title: string, rows: readonly string[]): string[] {
  return [`${title}:`, ...(rows.length > 0 ? rows.map((row) => `  ${visibleLine(row)}`) : ['  none']), '']
}

const shownFiles = 3

/** Where a merge would stop. */
function linesIn(places: RelatedAnswer['open'][number]['sameLines']): string {
  const [first] = places
  if (!first) return ''
  const more = places.length > 1 ? ` and ${count(places.length - 1, 'more place')}` : ''
  return `  (same lines: ${first.path}:${first.start}${more})`
}

function filesIn(paths: readonly string[]): string {
  const more = paths.length > shownFiles ? ` and ${count(paths.length - shownFiles, 'more file')}` : ''
  return paths.slice(0, shownFiles).join(', ') + more
}

function dayOf(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 10)
}
