/** A piece of evidence with the quoted words marked, and the ways into the code around it. */
import { useEffect, useRef, useState } from 'react'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { countOf, formatCount } from '../../parts/format.ts'
import { Link, navigate, usePlace, withQuery } from '../../router.tsx'
import { atOf, type EvidenceItem, type RunDetail } from './shared.ts'

type Props = { item: EvidenceItem; quotes: readonly string[]; detail: RunDetail }

/** So many lines are shown beside a finding; the panel has them all. */
const beside = 9

export function EvidenceCard({ item, quotes, detail }: Props) {
  const place = usePlace()
  const { from, lines } = excerptOf(item.text, quotes, beside)
  const isCut = lines.length < item.text.split('\n').length || item.omitted > 0
  return (
    <figure className="evidence">
      <figcaption>
        <span className="evidence-id">{item.id}</span>
        <span className="evidence-title">
          <Foreign text={item.title} cutAt={160} hasCode />
        </span>
        <Origin item={item} />
      </figcaption>
      <Lines lines={lines} first={item.startLine === null ? null : item.startLine + from} quotes={quotes} />
      <p className="evidence-ways">
        <Ways item={item} detail={detail} />
        {isCut && <Link to={withQuery(place, { evidence: item.id })}>Show all</Link>}
      </p>
    </figure>
  )
}

function Origin({ item: { path, startLine, endLine, trust } }: { item: EvidenceItem }) {
  return (
    <span className="evidence-origin">
      {path ? (
        <Name
          text={
            startLine ? `${path}:${startLine}${endLine && endLine > startLine ? `–${endLine}` : ''}` : path
          }
        />
      ) : trust === 'own' ? (
        'computed by Sightline'
      ) : (
        ''
      )}
    </span>
  )
}

/** Into the diff where it shows the line, and to the host, which is another site and opens on a click only. */
function Ways({ item: { path, side, startLine, url }, detail }: Omit<Props, 'quotes'>) {
  if (!path || startLine === null) return null
  const isInChange = detail.files.some((file) => file.path === path)
  return (
    <>
      {isInChange && (
        <Link to={`/runs/${detail.row.run}?at=${atOf(path, side ?? 'new', startLine)}`}>
          Jump to the code
        </Link>
      )}
      {url?.startsWith('https://') && (
        <a href={url} rel="noreferrer">
          Open on the host
        </a>
      )}
    </>
  )
}

function Lines({
  lines,
  first,
  quotes,
}: {
  lines: readonly string[]
  first: number | null
  quotes: readonly string[]
}) {
  const parts = quotes
    .flatMap((quote) => quote.split('\n').map((part) => part.trim()))
    .filter((part) => part.length > 1)
  return (
    <div className="evidence-lines">
      {lines.map((line, at) => (
        <div key={`${at}${line.slice(0, 20)}`} className="line">
          {first !== null && <span className="line-number">{first + at}</span>}
          <code>
            <Foreign text={line} cutAt={300} quotes={parts} />
          </code>
        </div>
      ))}
    </div>
  )
}

/** Lines around the first quoted words. */
function excerptOf(text: string, quotes: readonly string[], most: number): { from: number; lines: string[] } {
  const lines = text.replace(/\n$/, '').split('\n')
  const [quote = ''] = quotes
  const at = quote === '' ? -1 : text.indexOf(quote)
  const line = at < 0 ? 0 : text.slice(0, at).split('\n').length - 1
  const from = Math.max(0, Math.min(line - 3, lines.length - most))
  return { from, lines: lines.slice(from, from + most) }
}

/** In the panel, more lines are drawn when asked for. */
const panelLines = 400

/** All of one piece of evidence, over the page; its address can be shared. */
export function EvidencePanel({
  item,
  detail,
  close,
}: {
  item: EvidenceItem
  detail: RunDetail
  close: string
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [most, setMost] = useState(panelLines)
  useEffect(() => dialog.current?.showModal(), [])
  const lines = item.text.replace(/\n$/, '').split('\n')
  return (
    <dialog ref={dialog} className="panel" aria-label={`Evidence ${item.id}`} onClose={() => navigate(close)}>
      <header>
        <h2>
          {item.id} <Foreign text={item.title} cutAt={200} hasCode />
        </h2>
        <form method="dialog">
          <button type="submit" className="button">
            Close
          </button>
        </form>
      </header>
      <p className="evidence-ways">
        <Origin item={item} />
        <Ways item={item} detail={detail} />
      </p>
      <Lines lines={lines.slice(0, most)} first={item.startLine} quotes={[]} />
      {lines.length > most && (
        <button type="button" className="more" onClick={() => setMost(most + panelLines)}>
          Show {countOf(Math.min(panelLines, lines.length - most), 'more line')}
        </button>
      )}
      {item.omitted > 0 && (
        <p className="quiet">{formatCount(item.omitted)} more characters are in the record of the run.</p>
      )}
    </dialog>
  )
}
