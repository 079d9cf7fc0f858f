/**
 * Jira's documents as Markdown: descriptions come as a tree of nodes (the Atlassian Document Format), and acceptance
 * criteria are found in lists, headings and task lists, which Markdown keeps. Nodes of unknown kinds give their text.
 */
import { z } from 'zod'

/** Only what is looked at; everything else of a node is dropped. */
type Node = {
  type: string
  text?: string
  attrs?: Readonly<Record<string, unknown>>
  content?: Node[]
}

const Node: z.ZodType<Node> = z.object({
  type: z.string(),
  text: z.string().optional(),
  attrs: z.record(z.string(), z.unknown()).optional(),
  get content() {
    return z.array(Node).optional()
  },
})

/** Lists within lists; documents of people have three or four. */
const deepest = 30
const mostCharacters = 100_000

/** Plain text stays as it is; what is neither text nor a document is empty. */
export function documentText(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, mostCharacters)
  if (depthOf(value) > deepest * 4) return ''
  const { data } = Node.safeParse(value)
  return data
    ? blocks(data.content ?? [], 0)
        .slice(0, mostCharacters)
        .trim()
    : ''
}

/** How deep arrays and objects are nested, without recursion, so that no document is too deep to be measured. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value]
  let depth = 0
  while (level.length > 0 && depth <= deepest * 4) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    depth++
  }
  return depth
}

function blocks(nodes: readonly Node[], depth: number): string {
  return nodes
    .map((node) => block(node, depth))
    .filter((text) => text.trim() !== '')
    .join('\n\n')
}

function block(node: Node, depth: number): string {
  const { type, attrs = {}, content = [] } = node
  if (depth > deepest) return ''
  switch (type) {
    case 'heading':
      return `${'#'.repeat(levelOf(attrs.level))} ${inline(content)}`
    case 'bulletList':
      return items(content, () => '- ', depth)
    case 'orderedList':
      return items(content, (at) => `${at + 1}. `, depth)
    case 'taskList':
    case 'decisionList':
      return items(content, (_, item) => (item.attrs?.state === 'DONE' ? '- [x] ' : '- [ ] '), depth)
    case 'codeBlock':
      return `\`\`\`\n${inline(content)}\n\`\`\``
    case 'blockquote':
      return blocks(content, depth + 1).replace(/^/gm, '> ')
    case 'tableRow':
      return `| ${content.map((cell) => inline(cell.content ?? [])).join(' | ')} |`
    case 'table':
      return content.map((row) => block(row, depth + 1)).join('\n')
    case 'rule':
      return '---'
    case 'paragraph':
      return inline(content)
    default:
      return content.some(({ type: inner }) => blockTypes.has(inner))
        ? blocks(content, depth + 1)
        : inline([node])
  }
}

const blockTypes: ReadonlySet<string> = new Set([
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'taskList',
  'decisionList',
  'codeBlock',
  'blockquote',
  'table',
  'panel',
  'expand',
  'nestedExpand',
  'layoutSection',
  'layoutColumn',
  'bodiedExtension',
  'rule',
])

/** An item's first line follows its mark; what is below it is indented. */
function items(nodes: readonly Node[], markOf: (at: number, item: Node) => string, depth: number): string {
  if (depth > deepest) return ''
  return nodes
    .map((item, at) => {
      // A list of tasks may hold another list beside its tasks.
      if (blockTypes.has(item.type)) return block(item, depth + 1).replace(/^/gm, '  ')
      const inner = item.content ?? []
      const text = inner.some(({ type }) => blockTypes.has(type))
        ? inner.map((one) => block(one, depth + 1)).join('\n')
        : inline(inner)
      return `${markOf(at, item)}${text.replaceAll('\n', '\n  ')}`
    })
    .join('\n')
}

function inline(nodes: readonly Node[]): string {
  return nodes
    .map(({ type, text, attrs = {}, content = [] }) => {
      if (type === 'hardBreak') return '\n'
      if (text !== undefined) return text
      const named = attrs.text ?? attrs.url ?? attrs.shortName
      return typeof named === 'string' ? named : content.map((one) => one.text ?? '').join('')
    })
    .join('')
}

function levelOf(level: unknown): number {
  return typeof level === 'number' && level >= 1 && level <= 6 ? Math.floor(level) : 1
}
