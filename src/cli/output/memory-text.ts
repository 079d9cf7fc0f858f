/** Notes of the memory in words for a terminal. All of their text is foreign. */
import { count } from '../../base/count.ts'
import { visibleLine, visibleText } from '../../base/visible-text.ts'
import {
  type BackTest,
  type ListedNote,
  type MemoryList,
  type MemoryNote,
  type Proposal,
  scopeWords,
} from '../../index.ts'

export function describeList({ notes, faults, contradictions }: MemoryList): string {
  const lines = [
    ...notes.map(row),
    ...section('Not usable', faults),
    ...section('Contradictions', contradictions),
    ...section(
      'Without use for a long time; `sightline memory retire` takes them out',
      notes.filter(({ isUnused }) => isUnused).map(({ name }) => name),
    ),
  ]
  if (lines.length === 0) return 'No notes. `sightline memory propose` makes some of what people decided.\n'
  return `${lines.map(visibleLine).join('\n')}\n`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]
}

function row(note: ListedNote): string {
  const { name, state, expires, uses, isCommitted, text } = note
  const remarks = [
    ...(isCommitted ? [] : ['not committed: no effect yet']),
    ...(state === 'untested' ? ['edited since its back-test: `sightline memory accept` again'] : []),
    ...(state === 'expired' ? [`since ${expires}`] : []),
    ...(note.because !== null ? [`because: ${note.because}`] : []),
  ]
  const tail = remarks.length > 0 ? `  (${remarks.join('; ')})` : ''
  const used = `used in ${count(uses, 'review')}`
  return `${name}  ${state}  ${effectWords(note)}  ${used}${tail}  ${text.split('\n', 1)[0] ?? ''}`
}

function effectWords({ effect, ...scope }: MemoryNote): string {
  const about = scopeWords(scope)
  if (!effect) return `fact about ${about}`
  return effect.kind === 'dismiss'
    ? `dismisses ${effect.rule} in ${about}`
    : `makes ${effect.rule} minor in ${about}`
}

export function describeNote(note: MemoryNote): string {
  const { name, path, state, origin, evidence, expires, tested, because, text } = note
  const lines = [
    `${name}: ${state}, ${effectWords(note)}`,
    `  file ${path}`,
    `  from ${origin}${evidence.length > 0 ? `: ${evidence.join(', ')}` : ''}`,
    ...(expires === null ? [] : [`  until ${expires}`]),
    ...(tested ? [`  tried on ${count(tested.runs, 'recorded review')} on ${tested.on}`] : []),
    ...(because === null ? [] : [`  because: ${because}`]),
    ...text.split('\n').map((line) => `  | ${line}`),
  ]
  return `${lines.map((line) => visibleText(line)).join('\n')}\n`
}

export function describeProposals(proposals: readonly Proposal[], isDry: boolean): string {
  if (proposals.length === 0)
    return 'Nothing to propose: too little was decided, or the notes are there already.\n'
  const rows = proposals.flatMap(({ note, suspicions }) => [
    visibleLine(
      `${note.name}  ${effectWords(note)}  from ${note.origin}  ${note.text.split('\n', 1)[0] ?? ''}`,
    ),
    ...suspicions.map((words) => visibleLine(`  looks as if it were written for a model: ${words}`)),
  ])
  const next = isDry
    ? 'Nothing was written.'
    : `Wrote ${count(proposals.length, 'proposal')} to .sightline/memory. None has an effect: read them, then \`sightline memory accept NAME\`.`
  return `${rows.join('\n')}\n${next}\n`
}

const mostRows = 30

/** One line for each finding that the note would have changed, then the judgement. */
export function describeTest({ note, runs, replayed, findings, verdict }: BackTest): string {
  const rows = findings
    .slice(0, mostRows)
    .map(({ kind, outcome, rule, path, line, title, run }) =>
      [kind.padEnd(9), outcome.padEnd(11), rule, `${path}:${line}`, title, `(run ${run})`].join('  '),
    )
  const rest = findings.length - rows.length
  const lines = [
    `${note.name}, tried on ${count(runs, 'recorded review')}, of which ${replayed} ${replayed === 1 ? 'has' : 'have'} to do with it:`,
    ...rows,
    ...(rest > 0 ? [`… and ${rest} more, in --json`] : []),
    `${verdict.word}: ${verdict.why}`,
  ]
  return `${lines.map(visibleLine).join('\n')}\n`
}
