/** What became of planted findings, by kind, as tables. */
import { isAtLeast, type Severity } from '../../src/index.ts'
import { formatInterval, formatScore } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import { intervalOver } from '../scores/bootstrap.ts'
import { changeOf } from './draw.ts'
import type { Fate } from './fates.ts'
import { PlantedKind } from './planted-finding.ts'

export function plantedTables(fates: readonly Fate[]): Table[] {
  const judged = fates.filter(({ state }) => state !== 'unplanted' && state !== 'merged')
  return [
    falseTable(judged.filter(({ planted }) => !planted.truth)),
    trueTable(judged.filter(({ planted }) => planted.truth)),
    accountTable(fates),
  ]
}

type Test = (fate: Fate) => boolean

/** At a wrong line that validation or the judge put right it says what is true. */
const isFalsePublished: Test = ({ state, isMoved }) => state === 'published' && !isMoved
const isPublished: Test = ({ state }) => state === 'published'
const isLost: Test = (fate) => !isPublished(fate)
const isIn = (state: Fate['state']): Test => {
  return (fate) => fate.state === state
}
const publishedAt = (least: Severity): Test => {
  return (fate) => isFalsePublished(fate) && fate.severity !== null && isAtLeast(fate.severity, least)
}

function falseTable(fates: readonly Fate[]): Table {
  const row = (name: string, some: readonly Fate[]): string[] => [
    name,
    String(some.length),
    ...numbers(some, [isIn('stopped'), isIn('refuted'), isIn('older'), ({ isMoved }) => isMoved]),
    ...numbers(some, [isFalsePublished, publishedAt('medium'), publishedAt('high')]),
    ...shareCells(some, publishedAt('medium')),
  ]
  return {
    title: 'False findings',
    note: 'Published at `medium` or above is what the share and its interval are of; changes are drawn again for it.',
    head: [
      'Kind',
      'Judged',
      'Stopped before',
      'Refuted',
      'Called older',
      'Line put right',
      'Published',
      '… medium or above',
      '… high or above',
      'Share',
      'Interval',
    ],
    rows: byKind(fates, row),
  }
}

function trueTable(fates: readonly Fate[]): Table {
  const row = (name: string, some: readonly Fate[]): string[] => [
    name,
    String(some.length),
    ...numbers(some, [isIn('stopped'), isIn('refuted'), isIn('older'), isPublished]),
    ...ofKind(some, 'half-true', ({ isNarrowed }) => isNarrowed),
    ...ofKind(some, 'overstated', ({ isCorrected }) => isCorrected),
    ...shareCells(some, isLost),
  ]
  return {
    title: 'True findings',
    note: 'Lost is whatever is not published; the share and its interval are of these.',
    head: [
      'Kind',
      'Judged',
      'Stopped before',
      'Refuted',
      'Called older',
      'Published',
      'Narrowed rightly',
      'Severity corrected',
      'Lost',
      'Interval',
    ],
    rows: byKind(fates, row),
  }
}

/** What was planted and is in neither table. */
function accountTable(fates: readonly Fate[]): Table {
  const left = fates.filter(({ state }) => state === 'unplanted' || state === 'merged')
  return {
    title: 'Not judged by themselves',
    note: left.length === 0 ? 'None.' : '',
    head: ['Finding', 'State', 'Why'],
    rows: left.map(({ planted, state, reason }) => [planted.id, state, reason]),
  }
}

function byKind(fates: readonly Fate[], row: (name: string, some: readonly Fate[]) => string[]): string[][] {
  const rows = PlantedKind.options.flatMap((kind) => {
    const some = fates.filter(({ planted }) => planted.kind === kind)
    return some.length === 0 ? [] : [row(kind, some)]
  })
  return [...rows, row('all', fates)]
}

function numbers(fates: readonly Fate[], tests: readonly Test[]): string[] {
  return tests.map((test) => String(fates.filter(test).length))
}

/** `2 of 3` among the published ones of a kind; a dash where there are none. */
function ofKind(fates: readonly Fate[], kind: PlantedKind, test: Test): string[] {
  const some = fates.filter((fate) => fate.planted.kind === kind && isPublished(fate))
  return [some.length === 0 ? '–' : `${some.filter(test).length} of ${some.length}`]
}

/** Findings of one change stand and fall together, so that changes are drawn. */
function shareCells(fates: readonly Fate[], test: Test): string[] {
  const changes = [...Map.groupBy(fates, ({ planted }) => changeOf(planted)).values()]
  const share = (drawn: readonly (readonly Fate[])[]): number | null => {
    const all = drawn.flat()
    return all.length === 0 ? null : all.filter(test).length / all.length
  }
  return [formatScore(share(changes), 'share'), formatInterval(intervalOver(changes, share), 'share')]
}
