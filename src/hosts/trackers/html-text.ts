/** HTML of people as Markdown, as far as acceptance criteria need it: headings, lists, tasks and code. Everything else is its text. */

const mostCharacters = 100_000
/** Lists within lists; texts of people have three or four. */
const deepest = 30

const tagOrComment = /<!--[^<>]*-->|<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>/gi
const hidden = /<(script|style)\b[^<>]*>[^<>]*<\/\1\s*>/gi
const isHtml = /<(?:\/?(?:div|p|span|ul|ol|li|h[1-6]|b|i|strong|table|a|pre|code)\b[^<>]*|br ?\/?)>/i

/** Text that has none of the usual tags, such as Markdown, stays as it is. */
export function htmlText(html: string): string {
  const given = html.slice(0, mostCharacters)
  if (!isHtml.test(given)) return given.trim()
  let depth = 0
  const marked = given
    .replace(hidden, '')
    .replace(/\s+/g, ' ')
    .replace(tagOrComment, (_, end: string | undefined, name: string | undefined, attributes = '') => {
      const tag = (name ?? '').toLowerCase()
      const isEnd = end === '/'
      if (tag === 'ul' || tag === 'ol') {
        const before = depth
        depth = Math.max(0, Math.min(deepest, depth + (isEnd ? -1 : 1)))
        return Math.min(before, depth) === 0 ? '\n' : ''
      }
      if (tag === 'li') return isEnd ? '' : `\n${'  '.repeat(Math.max(0, depth - 1))}- `
      if (tag === 'input') return /\bchecked\b/i.test(attributes) ? '[x] ' : '[ ] '
      if (/^h[1-6]$/.test(tag)) return isEnd ? '\n\n' : '\n\n## '
      if (tag === 'b' || tag === 'strong') return '**'
      if (tag === 'pre') return '\n```\n'
      return /^(?:br|p|div|tr|table|blockquote)$/.test(tag) ? '\n' : ''
    })
  const lines: string[] = []
  for (const line of withEntities(marked).split('\n')) {
    const isAfterMark = lines.at(-1)?.trimStart() === '-'
    if (isAfterMark && line.trim() === '') continue
    // A paragraph that begins an item.
    if (isAfterMark && !line.trimStart().startsWith('-')) lines.push(`${lines.pop()} ${line.trim()}`)
    else lines.push(line.trimEnd().replace(/^\s(?=\S)/, ''))
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
}

function withEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}
