/** A report to commit. */
import { visibleLine } from '../../src/index.ts'
import type { ScoreSheet } from '../scores/case-score.ts'
import type { Table } from './table.ts'
import { tablesOf } from './tables.ts'

export function reportAsMarkdown(sheet: ScoreSheet): string {
  return `# ${cell(sheet.set)}, ${cell(sheet.about)}\n\n${markdownTables(tablesOf(sheet))}`
}

export function markdownTables(tables: readonly Table[]): string {
  return tables.map(tableAsMarkdown).join('\n')
}

/** With a heading of the second level. */
export function tableAsMarkdown({ title, note, head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  const rule = `|${head.map((_, at) => (at === 0 ? '---|' : '---:|')).join('')}`
  return [
    `## ${title}`,
    '',
    ...(note === '' ? [] : [note, '']),
    line(head),
    rule,
    ...rows.map(line),
    '',
  ].join('\n')
}

/** What a set names itself is foreign: no markup, no line ends. */
function cell(text: string): string {
  return visibleLine(text).replace(/[\\`*_[\]<>|]/g, '\\$&')
}
