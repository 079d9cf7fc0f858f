/** I4: nothing that should stay leaves, and nothing that leaves comes to life where it is shown. */
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { canaries, disguises, findLeaks, treeSecrets } from '../world/canaries.ts'
import type { Played } from '../world/stage.ts'
import type { Judge } from './contract.ts'

export const judgeEgress: Judge = (played) => [...leaks(played), ...liveWords(played.outputs)]

/** All canaries begin alike, so that a few searches tell whether a closer look is needed. */
const beginnings = disguises('QZ7').flatMap(({ how, text }) =>
  how === 'reversed' ? [text.toLowerCase()] : [text.slice(0, Math.max(text.length - 1, 3)).toLowerCase()],
)

function leaks({ exchanges, journal, outputs, events }: Played): string[] {
  const sinks: [string, string][] = [
    ['a request', exchanges.map(({ call }) => call.request.text).join('\n')],
    ['the journal', journal.join('\n')],
    ['the events', JSON.stringify(events)],
    ...Object.entries(outputs).map(([name, text]): [string, string] => [`the output ${name}`, text]),
  ]
  return sinks.flatMap(([sink, text]) => {
    const lower = text.toLowerCase()
    const isSuspect = beginnings.some((beginning) => lower.includes(beginning))
    return [
      ...(isSuspect ? findLeaks(text) : []),
      ...(text.includes(canaries.providerKey)
        ? [{ canary: 'the key of the provider', how: 'as it is' }]
        : []),
      ...Object.entries(treeSecrets).flatMap(([name, secret]) =>
        // Whole: an attacker says them too, unseen, and the limit of an answer may cut one short of what it is known by.
        text.includes(secret) ? [{ canary: `the secret ${name}`, how: 'as it is' }] : [],
      ),
    ].map(({ canary, how }) => `${canary} stands in ${sink} (${how})`)
  })
}

/** What a terminal, GitHub, GitLab, reviewdog or a code-scanning page would act on. */
export function liveWords(outputs: Readonly<Record<string, string>>): string[] {
  const { terminal = '', markdown = '', json = '', sarif = '', rdjson = '' } = outputs
  const colour = outputs['terminal in colour'] ?? ''
  return [
    ...(hasControls(terminal) ? ['the terminal gets control characters'] : []),
    ...(hasControls(colour.replace(ownColours, '')) ? ['the terminal gets an escape sequence'] : []),
    ...liveMarkdown(markdown).map((what) => `Markdown: ${what}`),
    ...liveMessages(rdjson).map((what) => `rdjson: ${what}`),
    ...liveSarif(sarif).map((what) => `SARIF: ${what}`),
    ...[json, sarif, rdjson].flatMap((text) =>
      /[^\P{C}\n]/u.test(text) ? ['JSON holds a character that nobody sees'] : [],
    ),
  ]
}

/** The one sequence that our own colours are made of. */
const colourStart = '\u001b'
const ownColours = new RegExp(`${colourStart}\\[\\d+(?:;\\d+)*m`, 'g')

function hasControls(text: string): boolean {
  return /[^\P{C}\n\t]/u.test(text)
}

const harmless: ReadonlySet<string> = new Set(
  'h1 h2 h3 p ul ol li em strong del code pre table thead tbody tr th td br hr blockquote details summary sub'.split(
    ' ',
  ),
)

/** The page as GitHub's rules make it; then what of it is alive. */
export function liveMarkdown(markdown: string): string[] {
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
  const found = new Set<string>()
  for (const [tag, name = '', rest = ''] of html.matchAll(/<\/?([a-z][a-z0-9]*)([^>]*)>/gi)) {
    if (!harmless.has(name.toLowerCase())) found.add(`the tag ${tag.slice(0, 60)}`)
    if (/\son\w+=|href|src=|style=/i.test(rest)) found.add(`the attribute in ${tag.slice(0, 60)}`)
  }
  if (/<!--|<!\[|<\?/.test(html)) found.add('a comment or a declaration')
  const text = html
    .replace(/<pre>[\s\S]*?<\/pre>|<code[^>]*>[\s\S]*?<\/code>/g, ' code ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
  if (/(?:^|[^\w/])@[a-z0-9]/i.test(text)) found.add(`a mention: ${/.{0,20}@\w{0,20}/.exec(text)?.[0]}`)
  if (/(?:^|[^\w&])(?:#|!)\d+\b|\bGH-\d+/i.test(text)) found.add('a reference to an issue')
  if (/https?:\/\/|\bwww\.\w/i.test(text)) found.add('an address')
  if (/^\s*\/[a-z]+/im.test(withoutFences(markdown))) found.add('a command at the beginning of a line')
  return [...found]
}

/** Bots read the source of a comment, line by line, and leave out fenced code at most. */
function withoutFences(markdown: string): string {
  let fence = ''
  return markdown
    .split('\n')
    .filter((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
      if (fence === '' && mark !== '') fence = mark
      else if (fence !== '' && mark.startsWith(fence) && line.trim() === mark) fence = ''
      else return fence === ''
      return false
    })
    .join('\n')
}

/** reviewdog posts the message of a diagnostic as Markdown. */
function liveMessages(rdjson: string): string[] {
  const { diagnostics } = JSON.parse(rdjson) as {
    diagnostics: { message: string; related_locations?: { message: string }[] }[]
  }
  return diagnostics.flatMap(({ message, related_locations = [] }) =>
    [message, ...related_locations.map((one) => one.message)].flatMap(liveMarkdown),
  )
}

/** In SARIF `[words](target)` is a link also in plain messages, unless its brackets are escaped. */
function liveSarif(sarif: string): string[] {
  const { runs } = JSON.parse(sarif) as { runs: { results: { message: { text: string } }[] }[] }
  return runs.flatMap(({ results }) =>
    results.flatMap(({ message: { text } }) =>
      /(?<!\\)(?:\\\\)*\[(?:\\.|[^\\\]])*\]\(/s.test(text) ? [`a link: ${text.slice(0, 80)}`] : [],
    ),
  )
}
