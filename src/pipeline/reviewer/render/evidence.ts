/** Numbered evidence as a model reads it. */
import { type Fence, Untrusted } from '../../../base/untrusted/untrusted.ts'
import type { Evidence } from '../../../domain/evidence.ts'

const longest = 12_000

/** Also for what this program computed: it holds names and words of the repository. */
export function renderEvidence(item: Evidence, fence: Fence): string {
  const place = placeOf(item)
  return `${item.id}:\n${fence.render(new Untrusted(`${item.title}${place}`, evidenceText(item)))}`
}

function placeOf({ path, startLine, endLine, side }: Evidence): string {
  if (path === null) return ''
  const lines = startLine === null ? '' : `:${startLine}-${endLine ?? startLine}`
  return ` in ${path}${lines}${side === 'old' ? ' before the change' : ''}`
}

function evidenceText({ text, startLine, source }: Evidence): string {
  const whole = text.replaceAll('\r\n', '\n')
  const cut = whole.length > longest ? `${whole.slice(0, longest)}\n(cut)` : whole
  if (startLine === null || source === 'history' || source === 'tool') return cut
  const lines = cut.replace(/\n$/, '').split('\n')
  const width = String(startLine + lines.length - 1).length
  return lines.map((line, index) => `${String(startLine + index).padStart(width)}| ${line}`).join('\n')
}
