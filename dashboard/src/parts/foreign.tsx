/**
 * Text that a repository, a person or a model wrote. React escapes its markup; here its hidden characters become visible,
 * its direction stays its own, and what is too long is cut until somebody asks for it.
 */
import { useState } from 'react'
import { visibleText } from '../../../src/base/visible-text.ts'
import { formatCount } from './format.ts'

type ForeignProps = {
  text: string
  /** Characters that are shown at first. */
  cutAt?: number
  /** Characters that the server left out behind `text`. */
  omitted?: number
  /** `mark`: quoted words, which are highlighted where they are found. */
  quotes?: readonly string[]
  /** What is between backticks is shown as code. */
  hasCode?: boolean
}

export function Foreign({ text, cutAt = 600, omitted = 0, quotes = [], hasCode = false }: ForeignProps) {
  const [isWhole, setIsWhole] = useState(false)
  const [shownUpTo, setShownUpTo] = useState(0)
  const end = isWhole ? text.length : Math.max(cutAt, shownUpTo)
  const shown = text.length > end ? cut(text, end) : text
  const hidden = text.length - shown.length
  const more = () => (hidden > stepAt ? setShownUpTo(end + stepAt) : setIsWhole(true))
  return (
    <bdi className="foreign">
      {hasCode ? <WithCode text={shown} /> : <Marked text={shown} quotes={quotes} />}
      {hidden > 0 && (
        <button type="button" className="more" onClick={more}>
          {hidden > stepAt ? `Show ${formatCount(stepAt)} of` : 'Show'} {formatCount(hidden)} more characters
        </button>
      )}
      {hidden === 0 && omitted > 0 && (
        <span className="cut"> … {formatCount(omitted)} more characters are in the record of the run</span>
      )}
    </bdi>
  )
}

/** More at once would hold up the browser while it lays out a single line. */
const stepAt = 50_000

/** Not between the halves of a surrogate pair. */
function cut(text: string, end: number): string {
  const code = text.charCodeAt(end - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end)
}

function WithCode({ text }: { text: string }) {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, at) =>
      part.length > 2 && part.startsWith('`') && part.endsWith('`') ? (
        <code key={`${at}${part}`}>{spell(part.slice(1, -1))}</code>
      ) : (
        spell(part)
      ),
    )
}

function Marked({ text, quotes }: { text: string; quotes: readonly string[] }) {
  const wanted = quotes.filter((quote) => quote.trim() !== '' && text.includes(quote))
  const [quote] = wanted
  if (quote === undefined) return spell(text)
  const at = text.indexOf(quote)
  return (
    <>
      {spell(text.slice(0, at))}
      <mark>{spell(quote)}</mark>
      <Marked text={text.slice(at + quote.length)} quotes={wanted} />
    </>
  )
}

/** `⟦U+202E⟧` stands out from the text around it, so that nobody takes it for a part of the text. */
function spell(text: string): React.ReactNode {
  const parts = visibleText(text.replaceAll('\r\n', '\n')).split(/(⟦U\+[0-9A-F]{4,6}⟧)/)
  if (parts.length === 1) return parts[0]
  return parts.map((part, at) =>
    part.startsWith('⟦U+') ? (
      <span key={`${at}${part}`} className="hidden-character">
        {part.slice(1, -1)}
      </span>
    ) : (
      part
    ),
  )
}

/** A path or a name on one line; its end stays in sight when there is no room. */
export function Name({ text }: { text: string }) {
  return <Foreign text={text.replace(/[\r\n\t]+/g, ' ')} cutAt={200} />
}
