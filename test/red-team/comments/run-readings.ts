/**
 * Comments put together from everything that Markdown and HTML can do with a line, read twice: by the product, and by a reading
 * of the page as a browser has it: rendered, parsed by parse5, and a command is the visible text with which a paragraph
 * begins that lies in nothing.
 */
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { findSpokenLine, type SpokenLine } from '../../../src/ledger/spoken-line.ts'
import type { Random } from '../../helpers/random.ts'

export type ReadingsOutcome = { comments: number; spoken: number; unclear: number; differences: string[] }

export async function runReadings(random: Random, comments: number): Promise<ReadingsOutcome> {
  const outcome: ReadingsOutcome = { comments, spoken: 0, unclear: 0, differences: [] }
  for (let at = 0; at < comments; at++) {
    const comment = makeComment(random)
    const [ours, theirs] = [await findSpokenLine(comment), readRendered(comment)]
    if (ours === 'unclear') outcome.unclear++
    else if (ours !== null) outcome.spoken++
    if (JSON.stringify(ours) !== JSON.stringify(theirs))
      outcome.differences.push(
        `${JSON.stringify(comment)}: ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`,
      )
  }
  return outcome
}

const lines = [
  '@sightline pause',
  '@Sightline, full',
  '@sightline',
  '@sightline ignore 3fa94c01 because `it` is **checked**',
  '@sightline is *this* [safe](https://a.example "t")?',
  '@sightline-bot pause',
  '@sightline/x',
  'Please @sightline pause',
  '**@sightline pause**',
  '`@sightline pause`',
  '@sightline ~~pause~~',
  '@sightline <b>pause</b>',
  '@sightline ![pause](x)',
  '@sightline pause <!-- x -->',
  '@sightline pause\\',
  '@sightline pause  ',
  '\\@sightline pause',
  '&#64;sightline pause',
  '@sight&#108;ine pause',
  '[@sightline pause](x)',
  '[x]: /u "',
  '"',
  'Thanks!',
  'nice work\u2028@sightline pause',
  '> quoted',
  '- item',
  '1. item',
  '| a | b |',
  '|---|---|',
  '===',
  '---',
  '```',
  '~~~~',
  '`` a',
  '``',
  '<!--',
  '-->',
  '<!-- a -->',
  '<!-->',
  '<!-- a --> x <!-- b -->',
  '<pre>',
  '</pre>',
  '<blockquote>',
  '</blockquote>',
  '<details><summary>x</summary>',
  '</details>',
  '<b>x</b>',
  '<![CDATA[',
  ']]>',
  '<?x',
  '?>',
  '<!DOCTYPE x>',
  '[^1]: note',
  '[^1]',
  'a <span',
  'title="',
  '">',
  '# Heading',
  '* * *',
  '',
  '',
  '',
]
const starts = [
  '',
  '',
  '',
  '',
  ' ',
  '   ',
  '    ',
  '\t',
  '> ',
  '>',
  '- ',
  '  ',
  '1. ',
  '# ',
  '\u00a0',
  '- > ',
  '<!-- ',
]
const ends = ['\n', '\n', '\n', '\r\n', '\r', '\n\n', '\n\n', '\u2028', '\u0085', '\v', ' ']

function makeComment(random: Random): string {
  return Array.from(
    { length: random.between(1, 7) },
    () => random.pick(starts) + random.pick(lines) + random.pick(ends),
  ).join('')
}

const mention = /^@sightline(?![\w@/.-])[,:]?/i

function readRendered(comment: string): SpokenLine {
  if (!/@sightline/i.test(comment)) return null
  const live = render(comment, true)
  const page = parseFragment(live, { sourceCodeLocationInfo: true })
  for (const node of page.childNodes) {
    if (node.nodeName !== 'p' || !('childNodes' in node)) continue
    const [first] = node.childNodes
    if (first?.nodeName !== '#text' || !mention.test(textOf(first))) continue
    // Elements that somebody wrote as HTML: whatever is rendered otherwise without them, comments apart.
    const until = node.sourceCodeLocation?.startTag?.endOffset ?? 0
    const tags = tagsOf(render(comment, false))
    const isOwn = (html: string) => tags.startsWith(tagsOf(html))
    if (!isOwn(live.slice(0, until))) return null
    const end = until + (/[\r\n]|<br|<\/p>/.exec(live.slice(until))?.index ?? 0)
    const words = isOwn(live.slice(0, end)) ? firstLineOf(node.childNodes) : null
    return words === null ? 'unclear' : { words: words.replace(mention, '').trim().replace(/\s+/g, ' ') }
  }
  return null
}

function render(comment: string, allowDangerousHtml: boolean): string {
  return micromark(comment, {
    allowDangerousHtml,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
}

const tagsOf = (html: string): string =>
  (html.replace(/<!--(?:-?>|[\s\S]*?--!?>)/g, '').match(/<[!?]|<\/?[a-z][\w-]*/gi) ?? [])
    .map((tag) => `${tag} `)
    .join('')

const textOf = (node: Tree.ChildNode): string => ('value' in node ? node.value : '')

/** Null when something other than words is in it. */
function firstLineOf(nodes: readonly Tree.ChildNode[]): string | null {
  const words = wordsOf(nodes)
  const [line = ''] = words.split('\n')
  return line.includes('\0') ? null : line
}

function wordsOf(nodes: readonly Tree.ChildNode[]): string {
  return nodes
    .map((node) => {
      if (node.nodeName === '#text') return textOf(node)
      if (node.nodeName === 'br') return '\n'
      return ['em', 'strong', 'a', 'code'].includes(node.nodeName) && 'childNodes' in node
        ? wordsOf(node.childNodes)
        : '\0'
    })
    .join('')
}
