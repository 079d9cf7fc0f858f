/** What the change did to symbols, and which tests name them, in a line each. */
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import type { SymbolTests } from '../../../domain/review-context.ts'

const most = 60
const longestSignature = 240

/** `signature-changed: function parse (src/a.ts:4): before `…`, after `…``. */
export function symbolLines(changes: readonly SymbolChange[]): string[] {
  const lines = changes.slice(0, most).map(describe)
  return changes.length > most ? [...lines, `(and ${changes.length - most} more)`] : lines
}

function describe({ kind, before, after, bodyChanged }: SymbolChange): string {
  const side = after ?? before
  if (!side) return kind
  const name = [side.symbol.scope, side.symbol.name].filter((part) => part !== '').join('.')
  const place = `${side.path}:${side.symbol.startLine}`
  const [was, is] = [before, after].map((one) => one && cut(one.symbol.signature.text))
  const signatures =
    was && is && was !== is
      ? `: before \`${was}\`, after \`${is}\``
      : kind === 'removed'
        ? `: was \`${was}\``
        : ''
  const moved = before && after && before.path !== after.path ? `, from ${before.path}` : ''
  const body = bodyChanged && kind !== 'body-changed' ? ', body changed too' : ''
  return `${kind}: ${side.symbol.kind} ${name} (${place}${moved}${body})${signatures}`
}

function cut(text: string): string {
  return text.length > longestSignature ? `${text.slice(0, longestSignature)}…` : text
}

/** `parse (src/a.ts): test/a.test.ts (changed too), test/b.test.ts`. */
export function testLines(tests: readonly SymbolTests[]): string[] {
  return tests.slice(0, most).map((entry) => {
    const files = entry.tests
      .slice(0, 8)
      .map(({ path, changed }) => `${path}${changed ? ' (changed too)' : ''}`)
    const more = entry.tests.length > files.length ? `, and ${entry.tests.length - files.length} more` : ''
    return `${entry.symbol} (${entry.path}): ${files.length === 0 ? 'no test uses it' : files.join(', ') + more}`
  })
}
