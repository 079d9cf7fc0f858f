/** A report to look at: one file, nothing loaded from elsewhere, every word escaped. */

import { visibleLine } from '../../src/index.ts'
import { count } from '../base/text.ts'
import { calibrate } from '../scores/calibration.ts'
import type { CaseScore, ScoreSheet } from '../scores/case-score.ts'
import { measuresRetrieval } from '../scores/metric-families.ts'
import type { Table } from './table.ts'
import { tablesOf } from './tables.ts'

const style = `
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:.5rem 0 2rem}th,td{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:right}
th:first-child,td:first-child{text-align:left}tr:hover{background:#f6f6f6}.hit{color:#0a6b2d}.missed{color:#a31515}
svg{max-width:24rem}@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}tr:hover{background:#242424}.hit{color:#6c9}.missed{color:#f88}}`

export function reportAsHtml(sheet: ScoreSheet): string {
  const parts = [
    `<h1>${escaped(sheet.set)}</h1><p>${escaped(sheet.about)}</p>`,
    ...tablesOf(sheet).map(tableAsHtml),
    reliabilityPlot(sheet.scores),
    measuresRetrieval(sheet.scores) ? '' : casesAsHtml(sheet.scores),
  ]
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">${policy}<title>${escaped(sheet.set)}</title><style>${style}</style></head>\n<body>\n${parts.filter((part) => part !== '').join('\n')}\n</body></html>\n`
}

function tableAsHtml({ title, note, head, rows }: Table): string {
  const cells = (tag: 'th' | 'td', texts: readonly string[]) =>
    `<tr>${texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`
  const body = rows.map((row) => cells('td', row)).join('\n')
  return `<h2>${escaped(title)}</h2>${note === '' ? '' : `<p>${escaped(note)}</p>`}\n<table><thead>${cells('th', head)}</thead>\n<tbody>\n${body}\n</tbody></table>`
}

/** Claimed share to the right, true share upwards; on the line, a level is worth its word. */
function reliabilityPlot(scores: readonly CaseScore[]): string {
  const size = 240
  const rows = calibrate(scores).rows.filter(({ findings }) => findings > 0)
  if (rows.length === 0) return ''
  const most = Math.max(...rows.map(({ findings }) => findings))
  const dots = rows.map(({ level, claimed, findings, correct }) => {
    const [x, y] = [20 + claimed * size, 20 + (1 - correct / findings) * size]
    const radius = 4 + 10 * Math.sqrt(findings / most)
    return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" fill="#36c" fill-opacity=".6"><title>${escaped(`${level}: ${correct} of ${findings}`)}</title></circle>`
  })
  const frame = `<rect x="20" y="20" width="${size}" height="${size}" fill="none" stroke="#999"/><line x1="20" y1="${20 + size}" x2="${20 + size}" y2="20" stroke="#999" stroke-dasharray="4"/>`
  const words = `<text x="20" y="${40 + size}" font-size="12" fill="#888">claimed</text><text x="22" y="14" font-size="12" fill="#888">right</text>`
  return `<h2>Reliability</h2>\n<svg viewBox="0 0 ${size + 40} ${size + 48}" role="img" aria-label="Claimed confidence against the share that is right">${frame}${dots.join('')}${words}</svg>`
}

function casesAsHtml(scores: readonly CaseScore[]): string {
  const rows = scores.map(({ id, kind, faults, findings, reviewed, seconds }) => {
    const hit = faults.filter((fault) => fault.hit).length
    const state = kind === 'clean' ? (findings.length === 0 ? 'hit' : 'missed') : hit > 0 ? 'hit' : 'missed'
    const found = kind === 'clean' ? 'clean' : `${hit} of ${faults.length}`
    const rules = [...new Set(findings.map(({ rule }) => rule))].sort().join(', ')
    return `<tr><td>${escaped(id)}</td><td class="${state}">${reviewed ? escaped(found) : 'not reviewed'}</td><td>${findings.length}</td><td>${escaped(rules)}</td><td>${seconds.toFixed(2)}</td></tr>`
  })
  return `<h2>Cases</h2>\n<details><summary>${count(scores.length, 'case')}</summary><table><thead><tr><th>Case</th><th>Faults hit</th><th>Findings</th><th>Rules</th><th>Seconds</th></tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody></table></details>`
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return visibleLine(text).replace(/[&<>"']/g, (sign) => names[sign] ?? sign)
}
