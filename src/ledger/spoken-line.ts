/**
 * Which line of a comment is spoken to Sightline. A Markdown parser says so, since people see what it makes of a comment: the
 * first words of a paragraph at the top level, and nothing in code, quotes, lists, tables, headings, titles or HTML.
 */
import type { Nodes, Paragraph, PhrasingContent } from 'mdast'

const mention = '@sightline'
/** The parser needs more than linear time for what nobody writes; at this length, at most half a second. */
const longestComment = 8192
/** Quotes and lists nested deeper than people write them: for thousands of them in a line the parser takes up to two seconds. */
const tooDeep = /^(?:[ \t]{0,4}(?:>|[-+*][ \t])){100}/m

/** What follows the mention, in single spaces; null when no paragraph begins with it. `unclear`: it holds HTML or pictures. */
export type SpokenLine = { words: string } | 'unclear' | null

export async function findSpokenLine(comment: string): Promise<SpokenLine> {
  if (comment.length > longestComment || !comment.toLowerCase().includes(mention)) return null
  if (tooDeep.test(comment)) return null
  try {
    return findSpoken(await readBlocks(comment))
  } catch (error) {
    // Thousands of quotes and lists in one another exhaust the stack.
    if (error instanceof RangeError) return null
    throw error
  }
}

function findSpoken(blocks: readonly Nodes[]): SpokenLine {
  for (const node of blocks) {
    const spoken = node.type === 'paragraph' ? readParagraph(node) : null
    if (spoken !== null) return spoken
    // What follows may lie within it, as in `<blockquote>`.
    if (holdsElement(node)) return null
  }
  return null
}

/** The parsers load when somebody speaks to us first. */
async function readBlocks(comment: string): Promise<readonly Nodes[]> {
  const [{ fromMarkdown }, { gfmFromMarkdown }, { gfm }] = await Promise.all([
    import('mdast-util-from-markdown'),
    import('mdast-util-gfm'),
    import('micromark-extension-gfm'),
  ])
  return fromMarkdown(comment, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children
}

function readParagraph({ children }: Paragraph): SpokenLine {
  const [first] = children
  if (first?.type !== 'text' || first.value.slice(0, mention.length).toLowerCase() !== mention) return null
  const line = firstLine(children)
  const rest = (line ?? first.value).slice(mention.length)
  if (/^[\w@/.-]/.test(rest)) return null
  return line === null ? 'unclear' : { words: rest.replace(/^[,:]/, '').trim().replace(/\s+/g, ' ') }
}

/** What is visible up to the end of the line; null when something in it is not words. */
function firstLine(nodes: readonly PhrasingContent[]): string | null {
  let line = ''
  for (const node of nodes) {
    if (node.type === 'break') return line
    const words = visibleWords(node)
    if (words === null) return null
    const end = words.search(/[\r\n]/)
    if (end >= 0) return line + words.slice(0, end)
    line += words
  }
  return line
}

function visibleWords(node: PhrasingContent): string | null {
  switch (node.type) {
    case 'text':
      return node.value
    case 'inlineCode':
      // Its lines are one on the page.
      return node.value.replace(/[\r\n]/g, ' ')
    case 'emphasis':
    case 'strong':
    case 'link':
      return firstLine(node.children)
    default:
      return null
  }
}

/** HTML other than a comment. Footnotes come after everything else on the page. */
function holdsElement(node: Nodes): boolean {
  if (node.type === 'html') return !isComments(node.value)
  return node.type !== 'footnoteDefinition' && 'children' in node && node.children.some(holdsElement)
}

/** Whether every `<` begins a comment that ends, as browsers end it. */
function isComments(html: string): boolean {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (!html.startsWith('<!--', at)) return false
    const isEmpty = html.startsWith('>', at + 4) || html.startsWith('->', at + 4)
    const ends = ['-->', '--!>'].map((end) => html.indexOf(end, at + 4)).filter((end) => end >= 0)
    if (!isEmpty && ends.length === 0) return false
    at = isEmpty ? at + 4 : Math.min(...ends)
  }
  return true
}
