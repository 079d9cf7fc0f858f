/**
 * Markdown for hosts such as Bitbucket: without any HTML, which would be read as text. A marker is a link definition, which is
 * not shown either; what is folded elsewhere has a heading.
 */
import { markerStart } from './contract.ts'
import { linesOf, outsideCode } from './markdown.ts'

const hidden = '[//]: # ('
const hiddenMarker = `${hidden}${markerStart.slice('<!-- '.length)}`

export function toHost(markdown: string): string {
  return outsideCode(markdown, (line) =>
    line.startsWith(markerStart)
      ? line.replace(/^<!-- (.*) -->$/, (_, marker) => `${hidden}${marker})`)
      : line
          .replace(/^<details><summary>(.*)<\/summary>$/, '**$1**')
          .replace(/^<\/details>$/, '')
          .replace(/^<sub>(.*)<\/sub>$/, '$1'),
  )
}

/** What is folded elsewhere would bury a comment on a line; the dashboard and `sightline show` have it. */
export function withoutFolded(markdown: string): string {
  let depth = 0
  const kept = linesOf(markdown).filter(({ text, isCode }) => {
    if (!isCode && text.startsWith('<details>')) depth++
    const isKept = depth === 0
    if (!isCode && text.startsWith('</details>')) depth--
    return isKept
  })
  return kept.map(({ text }) => text).join('\n')
}

/** Markers again as everywhere else. */
export function fromHost(markdown: string): string {
  return outsideCode(markdown, (line) =>
    line.startsWith(hiddenMarker) ? line.replace(/^\[\/\/\]: # \((.*)\)\s*$/, '<!-- $1 -->') : line,
  )
}
