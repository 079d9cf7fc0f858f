/** What hangs on a change: which of its symbols others can see, and where they are used. Counted, not judged. */
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { rankSymbolChanges } from './importance.ts'
import { nameOf } from './symbol-words.ts'
import { code, compareText, count, list } from './words.ts'

const named = 3

/** Others break on these; what was added nobody uses yet, and a new body keeps its shape. */
const breaking: ReadonlySet<SymbolChange['kind']> = new Set([
  'removed',
  'renamed',
  'moved',
  'signature-changed',
])

/** What evidence is called that shows a use: retrievals and planes name it so. */
const use = /^(?:user|caller|test) of /

/** Empty when nothing that others see changed, and no use elsewhere is known. */
export function describeRisk({ change, symbols, evidence }: ReviewContext): string {
  const seen = rankSymbolChanges(symbols).filter(
    ({ kind, before }) => breaking.has(kind) && before?.symbol.visibility === 'exported',
  )
  const changed = new Set(change.files.map(({ path }) => path))
  const users = evidence
    .filter(({ title, path }) => use.test(title) && path !== null && !changed.has(path))
    .map(({ path }) => path ?? '')
  const files = [...new Set(users)].sort(compareText)
  const parts = [
    ...(seen.length > 0
      ? [
          `${few(seen.map(({ before }) => (before ? nameOf(before.symbol) : '')))}, which other files can see, ${seen.length === 1 ? 'is' : 'are'} gone or changed in shape, place or name`,
        ]
      : []),
    ...(files.length > 0
      ? [
          `${count(files.length, 'file')} outside the change ${files.length === 1 ? 'uses' : 'use'} what it touches (${few(files.map(code))})`,
        ]
      : []),
  ]
  return parts.length > 0 ? `Risk: ${parts.join('; ')}.` : ''
}

/** The first three, and how many more. */
function few(all: readonly string[]): string {
  const more = all.length - named
  return list([...all.slice(0, named), ...(more > 0 ? [`${more} more`] : [])])
}
