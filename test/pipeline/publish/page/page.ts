/** A page of Markdown as a tree: what of it would come to life on GitHub or GitLab, and which blocks it is made of. */
import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

export function readPage(markdown: string): Root {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
}

export type Allowed = {
  /** What the address of a link may begin with. */
  links: readonly string[]
  /** Languages of blocks of code; others draw pictures on some pages, or are offered for committing. */
  languages: readonly string[]
}

/** Each thing that lives and should not, in words; empty when all is still. */
export function liveThings(markdown: string, { links, languages }: Allowed): string[] {
  const page = readPage(markdown)
  return [
    ...everyNode(page).flatMap((node) => {
      switch (node.type) {
        case 'image':
        case 'imageReference':
        case 'linkReference':
        case 'definition':
        case 'footnoteReference':
        case 'footnoteDefinition':
          return [`${node.type} ${sourceOf(markdown, node)}`]
        case 'link':
          return links.some((start) => URL.parse(node.url)?.href.startsWith(start))
            ? []
            : [`a link to ${node.url}`]
        case 'html':
          return isOurs(node.value) ? [] : [`HTML ${node.value}`]
        case 'code':
          return languages.includes(node.lang ?? '') && !node.meta
            ? []
            : [`code in ${node.lang} ${node.meta}`]
        case 'text':
          return liveText(node.value, sourceOf(markdown, node))
        default:
          return []
      }
    }),
    ...commands(markdown, page),
  ]
}

/** Every block with what it holds, down to paragraphs; words are left out, and so is what stands within a line. */
export function blocksOf(node: Nodes): unknown {
  switch (node.type) {
    case 'html':
      return node.value
    case 'code':
      return ['code', node.lang]
    case 'heading':
      return [`h${node.depth}`, ...tagsIn(node)]
    case 'paragraph':
    case 'tableCell':
      return [node.type, ...tagsIn(node)]
    case 'list':
      return [node.ordered ? 'ol' : 'ul', ...node.children.map(blocksOf)]
    default:
      return 'children' in node ? [node.type, ...node.children.map(blocksOf)] : node.type
  }
}

/** The words of each heading of one level, as they are shown. */
export function headingsOf(page: Root, depth: number): string[] {
  return page.children.flatMap((node) =>
    node.type === 'heading' && node.depth === depth
      ? [
          everyNode(node)
            .map((one) => ('value' in one ? one.value : ''))
            .join(''),
        ]
      : [],
  )
}

function tagsIn(node: Nodes): string[] {
  return everyNode(node).flatMap((one) => (one.type === 'html' ? [one.value] : []))
}

function everyNode(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(everyNode) : [])]
}

function sourceOf(markdown: string, { position }: Nodes): string {
  return markdown.slice(position?.start.offset ?? 0, position?.end.offset ?? 0)
}

/** Our own tags, and between them words of ours. */
function isOurs(html: string): boolean {
  return /^[\w ,.?()]*$/.test(html.replace(/<\/?(?:details|summary|sub)>/g, ''))
}

/** The grammars by which the hosts look for references in text that is not code. */
const references: readonly (readonly [string, RegExp])[] = [
  ['a mention', /(?:^|[^\w/])@[a-z0-9]/i],
  ['a reference to an issue', /#\d|\bGH-\d/i],
  ['a reference to a merge request', /(?:^|[^\w\\])!\d/],
  ['a commit', /(?:^|[^\w])[0-9a-f]{7,40}(?![\w])/],
  ['an address', /\b[a-z][a-z0-9+.-]*:\/\/\S|\bwww\.\w|\w@\w/i],
]

function liveText(text: string, source: string): string[] {
  return [
    ...references.flatMap(([what, pattern]) => (pattern.test(text) ? [`${what} in "${text}"`] : [])),
    // Mathematics is looked for in the source, where a backslash keeps a dollar still.
    ...(/(?<!\\)(?:\\\\)*\$/.test(source) ? [`mathematics in "${source}"`] : []),
  ]
}

/** Bots read the source of a comment line by line, and leave out blocks of code at most. */
function commands(markdown: string, page: Root): string[] {
  const code = everyNode(page).flatMap(({ type, position }) =>
    type === 'code' && position ? [position] : [],
  )
  return markdown.split('\n').flatMap((line, at) => {
    const isCode = code.some(({ start, end }) => start.line <= at + 1 && at + 1 <= end.line)
    return !isCode && /^\s*\/[a-z]/i.test(line) ? [`a command: ${line}`] : []
  })
}
