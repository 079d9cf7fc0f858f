/** A repeated function as a candidate, with the text it repeats. */
import { visibleLine } from '../../../base/visible-text.ts'
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import type { Twin } from './find-twin.ts'
import type { Subject } from './subjects.ts'

/** Lines of the other function that are shown. */
const shownLines = 40

export function describeTwin({ file, symbol }: Subject, twin: Twin, tag: string): CandidateDraft {
  const isSame = twin.likeness === 1
  const [name, otherName] = [nameOf(symbol), nameOf(twin.symbol)]
  const place = `${visibleLine(twin.file.path)}:${twin.symbol.nameLine}`
  const item = evidenceOf(twin)
  return {
    plane: 'duplicate',
    rule: 'duplicate/repeated-function',
    severity: 'low',
    category: 'maintainability',
    confidence: isSame ? 'certain' : 'likely',
    title: `\`${name}\` repeats \`${otherName}\` of \`${lastPart(twin.file.path)}\``,
    explanation: `${isSame ? 'Word for word, but for names of its own' : `${Math.round(twin.likeness * 100)} % of it`}, it is the function that stands at \`${place}\` already. A fault mended in one of the two will stay in the other.`,
    remedy: `Call \`${otherName}\`, or move what both share to one place.`,
    anchor: { path: file.path, tags: [tag] },
    claims: [
      {
        kind: 'duplicate-of',
        path: file.path,
        line: symbol.nameLine,
        endLine: symbol.endLine,
        otherPath: twin.file.path,
        otherLine: twin.symbol.nameLine,
        otherEndLine: twin.symbol.endLine,
      },
    ],
    suggestion: null,
    preExisting: false,
    evidence: [{ item, quote: item.text.split('\n')[0] ?? '' }],
  }
}

function evidenceOf({ file, symbol }: Twin): EvidenceDraft {
  const endLine = Math.min(symbol.endLine, symbol.nameLine + shownLines - 1)
  return {
    source: 'file',
    trust: 'foreign',
    title: `the function it repeats, \`${nameOf(symbol)}\``,
    path: file.path,
    blob: file.blob,
    side: 'new',
    startLine: symbol.nameLine,
    endLine,
    text: file.lines.slice(symbol.nameLine - 1, endLine).join('\n'),
  }
}

function nameOf({ name }: { name: string }): string {
  return visibleLine(name).slice(0, 80)
}

function lastPart(path: string): string {
  return visibleLine(path.slice(path.lastIndexOf('/') + 1)).slice(0, 100)
}
