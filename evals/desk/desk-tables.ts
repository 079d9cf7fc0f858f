/** The scores of blind judgements as tables. */
import { formatScore } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import type { DeskScores } from './score-sheets.ts'
import { fileNameOf } from './sheet.ts'

export function deskTables({ scores, unjudged }: DeskScores): Table[] {
  const kilobytes = (bytes: number | null) => (bytes === null ? '–' : (bytes / 1000).toFixed(0))
  const quality: Table = {
    title: 'What the judges found',
    note:
      unjudged.length === 0 ? '' : `Not judged yet, and not counted: ${unjudged.map(fileNameOf).join(', ')}.`,
    head: [
      'Reviewer',
      'Cases',
      'In full',
      'Listed',
      'Known found',
      'With the list',
      'Recall',
      'Precision',
      'F1',
      'F1, first five',
      'Confirmed of the list',
      'F1 of these, first five',
      'True',
      'Important',
      'Of all important',
      'In full',
      'F1 of important, first five',
      'False highs',
      'On a clean change',
    ],
    rows: scores.map((one) => [
      `${one.arm}, ${one.part}`,
      String(one.cases),
      String(one.shown),
      String(one.listed),
      `${one.found} of ${one.known}`,
      String(one.foundInAll),
      formatScore(one.recall, 'number'),
      formatScore(one.precision, 'number'),
      formatScore(one.f1, 'number'),
      formatScore(one.f1First5, 'number'),
      `${one.confirmedFound} of ${one.confirmed}`,
      formatScore(one.confirmedF1First5, 'number'),
      formatScore(one.isTrue, 'share'),
      formatScore(one.important, 'share'),
      `${one.importantFound} of ${one.importantInPool}`,
      String(one.importantShown),
      formatScore(one.importantF1First5, 'number'),
      `${one.falseHigh} of ${one.high}`,
      formatScore(one.onClean, 'number'),
    ]),
  }
  const effort: Table = {
    title: 'What a review sent',
    note: 'Kilobytes of prompts for one review. A token is about four bytes. New: what no earlier prompt of that review begins with.',
    head: ['Reviewer', 'Questions', 'Questions a review', 'KB a review', 'New KB a review', 'KB a question'],
    rows: scores
      .filter(({ questions }) => questions > 0)
      .map((one) => [
        `${one.arm}, ${one.part}`,
        String(one.questions),
        formatScore(one.questions / one.cases, 'number'),
        kilobytes(one.bytes),
        kilobytes(one.newBytes),
        kilobytes(((one.bytes ?? 0) * one.cases) / one.questions),
      ]),
  }
  return [quality, effort]
}
