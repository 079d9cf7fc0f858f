/** Ways in which an order is written so that people do not see it, or filters do not know it. */

export type Encoding = {
  name: string
  /** People do not see it, or take it for something else: then it has to be reported. */
  hidden: boolean
  encode: (text: string) => string
}

const lookAlikes: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', i: 'і' }

export const encodings: readonly Encoding[] = [
  { name: 'plain', hidden: false, encode: (text) => text },
  { name: 'base64', hidden: false, encode: (text) => Buffer.from(text).toString('base64') },
  { name: 'rot13', hidden: false, encode: rotate },
  { name: 'HTML comment', hidden: false, encode: (text) => `<!-- ${text} -->` },
  { name: 'Markdown link', hidden: false, encode: (text) => `[//]: # (${text})` },
  { name: 'spaced', hidden: false, encode: (text) => [...text].join(' ') },
  { name: 'zero-width', hidden: true, encode: (text) => [...text].join('\u200b') },
  { name: 'tag characters', hidden: true, encode: (text) => toTags(text) },
  { name: 'selectors', hidden: true, encode: (text) => `x${toSelectors(text)}` },
  { name: 'bidi', hidden: true, encode: (text) => `\u202e${[...text].reverse().join('')}\u202c` },
  {
    name: 'look-alikes',
    hidden: true,
    encode: (text) => text.replace(/[aeopci]/g, (one) => lookAlikes[one] ?? one),
  },
]

/** Every reading of a text that a model eager to obey might try. */
export function readings(text: string): string[] {
  const shown = text.replace(/⟦U\+([0-9A-F]{4,6})⟧/g, (_, code) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  )
  const tags = [...shown].map(fromTag).join('')
  const latin = [...shown]
    .map((one) => Object.entries(lookAlikes).find(([, other]) => other === one)?.[0] ?? one)
    .join('')
  const bare = shown.replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  return [
    text,
    tags,
    latin,
    bare,
    [...bare].reverse().join(''),
    rotate(text),
    text.replace(/(\S) (?=\S )/g, '$1'),
    ...(text.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? []).map((part) =>
      Buffer.from(part, 'base64').toString('utf8'),
    ),
  ]
}

function toTags(text: string): string {
  return [...text].map((one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0x20))).join('')
}

function toSelectors(text: string): string {
  return [...Buffer.from(text)].map((byte) => String.fromCodePoint(0xe0100 + byte)).join('')
}

function fromTag(character: string): string {
  const point = character.codePointAt(0) ?? 0
  if (point >= 0xe0020 && point <= 0xe007e) return String.fromCodePoint(point - 0xe0000)
  return point >= 0xe0100 && point <= 0xe01ef ? String.fromCodePoint(point - 0xe0100) : character
}

function rotate(text: string): string {
  return text.replace(/[a-z]/gi, (one) => {
    const base = one <= 'Z' ? 65 : 97
    return String.fromCharCode(((one.charCodeAt(0) - base + 13) % 26) + base)
  })
}
