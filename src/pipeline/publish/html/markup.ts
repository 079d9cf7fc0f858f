/**
 * HTML that cannot be forged: every text is escaped where it enters, and only what `element` made counts as markup. Nothing
 * here writes a script, a style of its own, or an address that the caller did not choose.
 */
import { escapeMarkup } from '../../../base/escape-markup.ts'
import { splitCode } from '../words.ts'

/** Markup of ours. The brand keeps strings out. */
export type Markup = { readonly html: string }

export type Child = Markup | string | null | readonly Child[]

/** Longer texts are cut: a line may have a megabyte. In UTF-16 units. */
const longestText = 20_000

const empty: ReadonlySet<string> = new Set(['meta', 'br', 'hr', 'input'])

/** Strings among the children are text. Attributes that are null are left out; `true` stands without a value. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | true | null>> = {},
  ...children: readonly Child[]
): Markup {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escaped(String(value))}"`))
    .join('')
  const start = `<${name}${written}>`
  return { html: empty.has(name) ? start : `${start}${htmlOf(children)}</${name}>` }
}

/** Code between backticks becomes code; everything else is text. */
export function prose(text: string): Child {
  return splitCode(text).map((span) => (span.code ? element('code', {}, span.text) : span.text))
}

function htmlOf(child: Child): string {
  if (child === null) return ''
  if (typeof child === 'string') return escaped(child)
  return 'html' in child ? child.html : child.map(htmlOf).join('')
}

function escaped(text: string): string {
  return escapeMarkup(text.length > longestText ? `${text.slice(0, longestText)} …` : text)
}
