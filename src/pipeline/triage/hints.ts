/**
 * Words of changed lines that make a category worth a question, whatever a scout thinks of it. They only ever add
 * questions, so they are many and loose.
 */
import type { FileChange } from '../../domain/change-set.ts'
import type { Category } from '../../domain/severity.ts'

const longestLine = 2_000

const hints: readonly { category: Category; sign: RegExp }[] = [
  {
    category: 'performance',
    sign: /\b(?:for|while|loop|foreach|each|map|filter|reduce|flat_?map|sort(?:ed|_by)?|iter|range|select|query|find_?(?:all|many|one)?|fetch|request|read|write|load|open|cache|alloc|malloc|clone|copy|append|push|concat|join|parse|regex|lock|mutex|sleep|await|async|buffer|batch|select|scan|insert)\b|\.(?:map|filter|forEach|reduce|sort|all|query|execute|read|write|fetch|get|clone|collect)\w*\(/i,
  },
  {
    category: 'documentation',
    sign: /^\s*(?:\/\/|\/\*|\*|#|--|""")|\b(?:help|usage|description|summary|deprecated)\b/i,
  },
]

export function hintedCategories({ hunks }: FileChange): ReadonlySet<Category> {
  const changed = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context'))
  const found = hints.filter(({ sign }) => changed.some(({ text }) => sign.test(text.slice(0, longestLine))))
  return new Set(found.map(({ category }) => category))
}
