/** The screen of a terminal as a picture: text with the codes of its colours becomes SVG. */

type Style = {
  ink: string | null
  paper: string | null
  isBold: boolean
  isUnderlined: boolean
  isReversed: boolean
}

const plain: Style = { ink: null, paper: null, isBold: false, isUnderlined: false, isReversed: false }
const [ink, paper] = ['#d8dee9', '#1e2430']
const palette = [
  ...['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d8dee9'],
  ...['#6b7689', '#ef8790', '#b2d797', '#f0d294', '#83c3f7', '#d59ae8', '#7fccd6', '#ffffff'],
]
const [width, height, size] = [8, 18, 13]

/** Of `tmux capture-pane -e -p`, whose lines are cut behind their last character. */
export function terminalPicture(screen: string, title: string, columns: number): string {
  const lines = screen.trimEnd().split('\n')
  const drawn = lines.flatMap((line, row) => drawLine(line, row))
  const [wide, high] = [columns * width + 16, lines.length * height + 16]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${size}">
<title>${title}</title>
<rect width="${wide}" height="${high}" rx="6" fill="${paper}"/>
<g transform="translate(8 8)" xml:space="preserve">
${drawn.join('\n')}
</g>
</svg>
`
}

function drawLine(line: string, row: number): string[] {
  let style = plain
  let column = 0
  const drawn: string[] = []
  for (const part of line.split(/(\p{Cc}(?:\[[\d;:]*m|\([0B])?)/u)) {
    const codes = /^\p{Cc}\[([\d;:]*)m$/u.exec(part)?.[1]
    if (codes !== undefined) style = styled(style, codes.split(/[;:]/).map(Number))
    else if (!/^\p{Cc}/u.test(part)) {
      const length = [...part].length
      drawn.push(...drawWords(part, { column, row, length, style }))
      column += length
    }
  }
  return drawn
}

type Place = { column: number; row: number; length: number; style: Style }

function drawWords(words: string, { column, row, length, style }: Place): string[] {
  const [front, back] = style.isReversed
    ? [style.paper ?? paper, style.ink ?? ink]
    : [style.ink ?? ink, style.paper]
  const [x, y] = [column * width, row * height]
  const box = back && `<rect x="${x}" y="${y}" width="${length * width}" height="${height}" fill="${back}"/>`
  const more = `${style.isBold ? ' font-weight="bold"' : ''}${style.isUnderlined ? ' text-decoration="underline"' : ''}`
  const text = words.replace(/[&<>]/g, (one) => `&#${one.codePointAt(0)};`).replaceAll(' ', '\u00a0')
  // Whatever the font, columns are where they were.
  const shown = `<text x="${x}" y="${y + size}" fill="${front}" textLength="${length * width}"${more}>${text}</text>`
  return [...(length > 0 && box ? [box] : []), ...(words.trim() === '' ? [] : [shown])]
}

function styled(before: Style, codes: number[]): Style {
  let style = before
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      const isDirect = codes[at + 1] === 2
      const color = isDirect ? rgb(codes.slice(at + 2, at + 5)) : colorOf(codes[at + 2] ?? 0)
      style = { ...style, [code === 38 ? 'ink' : 'paper']: color }
      at += isDirect ? 4 : 2
    } else style = { ...style, ...changeOf(code) }
  }
  return style
}

function changeOf(code: number): Partial<Style> {
  if (code === 0) return plain
  if (code === 1) return { isBold: true }
  if (code === 4) return { isUnderlined: true }
  if (code === 7) return { isReversed: true }
  if (code === 22) return { isBold: false }
  if (code === 24) return { isUnderlined: false }
  if (code === 27) return { isReversed: false }
  if (code === 39) return { ink: null }
  if (code === 49) return { paper: null }
  if (code >= 30 && code <= 37) return { ink: colorOf(code - 30) }
  if (code >= 90 && code <= 97) return { ink: colorOf(code - 82) }
  if (code >= 40 && code <= 47) return { paper: colorOf(code - 40) }
  if (code >= 100 && code <= 107) return { paper: colorOf(code - 92) }
  return {}
}

/** Of 256: 16 with names, a cube, and greys. */
function colorOf(number: number): string {
  if (number < 16) return palette[number] ?? ink
  if (number >= 232) return rgb(Array(3).fill(8 + (number - 232) * 10))
  const level = (one: number) => (one === 0 ? 0 : 55 + one * 40)
  const at = number - 16
  return rgb([level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)])
}

function rgb(parts: readonly number[]): string {
  return `#${parts.map((one) => one.toString(16).padStart(2, '0')).join('')}`
}
