/** One file of the change. Findings stand below the line they are about; long stretches are drawn when asked for. */
import { Fragment, useEffect, useRef, useState } from 'react'
import type { ShownFile, ShownLine } from '../../../../src/server/api/contract/runs.ts'
import { Badge } from '../../parts/badges.tsx'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { countOf, formatCount } from '../../parts/format.ts'
import { Link, usePlace, withQuery } from '../../router.tsx'
import type { FindingItem, Target } from './shared.ts'

export type { ShownFile } from '../../../../src/server/api/contract/runs.ts'

type Props = {
  file: ShownFile
  findings: readonly FindingItem[]
  target: Target | null
  card: (finding: FindingItem) => React.ReactNode
}

/** A hunk with more lines is drawn near its findings only, until all of it is asked for. */
const wholeUpTo = 300
const nearLines = 25
/** The browser lays out pieces of so many lines when they come into view. */
const pieceLines = 100

export function DiffFile({ file, findings, target, card }: Props) {
  const placed = new Set<FindingItem>()
  const hunks = file.hunks.map((hunk) => {
    const own = new Map<ShownLine, FindingItem[]>()
    for (const finding of findings) {
      const line = placed.has(finding)
        ? undefined
        : hunk.lines.find((each) => holds(each, finding.side, finding.endLine))
      if (!line) continue
      placed.add(finding)
      own.set(line, [...(own.get(line) ?? []), finding])
    }
    return { hunk, own }
  })
  const unplaced = findings.filter((finding) => !placed.has(finding))
  return (
    <article className="file">
      <header className="file-head">
        <h3>
          <Name text={file.path} />
        </h3>
        {file.oldPath && (
          <span className="quiet">
            was <Name text={file.oldPath} />
          </span>
        )}
        {file.status !== 'modified' && <Badge>{file.status}</Badge>}
        {file.role !== 'source' && <Badge>{file.role}</Badge>}
        <span className="file-counts">
          <span className="plus">+{formatCount(file.added)}</span>{' '}
          <span className="minus">−{formatCount(file.removed)}</span>
        </span>
      </header>
      {unplaced.map(card)}
      {hunks.map(({ hunk, own }) => (
        <Hunk
          key={`${hunk.oldStart}:${hunk.newStart}`}
          path={file.path}
          section={`@@ −${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@ ${hunk.section}`}
          lines={hunk.lines}
          findings={own}
          target={target}
          card={card}
        />
      ))}
      {file.hunks.length === 0 && (
        <p className="file-note">
          {file.omitted ?? (file.kind === 'text' ? 'No lines changed.' : `Not text: ${file.kind}.`)}
        </p>
      )}
      {file.hunks.length > 0 && file.omitted && <p className="file-note">{file.omitted}</p>}
    </article>
  )
}

function Hunk({
  path,
  section,
  lines,
  findings,
  target,
  card,
}: {
  path: string
  section: string
  lines: readonly ShownLine[]
  findings: ReadonlyMap<ShownLine, FindingItem[]>
  target: Target | null
  card: (finding: FindingItem) => React.ReactNode
}) {
  const [isWhole, setIsWhole] = useState(lines.length <= wholeUpTo)
  const isWanted = (line: ShownLine) =>
    findings.has(line) || (target && holds(line, target.side, target.line))
  const shown = isWhole ? lines : near(lines, isWanted)
  const pieces = Array.from({ length: Math.ceil(shown.length / pieceLines) }, (_, at) =>
    shown.slice(at * pieceLines, (at + 1) * pieceLines),
  )
  return (
    <>
      <p className="hunk-head">
        <Foreign text={section} cutAt={160} />
      </p>
      {pieces.map((piece, at) => (
        <div className="piece" key={at}>
          {piece.map((line, index) => (
            <Fragment key={`${line.old}:${line.new}`}>
              <Line
                line={line}
                path={path}
                isTarget={target !== null && holds(line, target.side, target.line)}
                startsPart={index > 0 && !follows(piece[index - 1], line)}
              />
              {findings.get(line)?.map(card)}
            </Fragment>
          ))}
        </div>
      ))}
      {shown.length < lines.length && (
        <button type="button" className="more more-lines" onClick={() => setIsWhole(true)}>
          Show all {countOf(lines.length, 'line')} of this part
        </button>
      )}
    </>
  )
}

function near(lines: readonly ShownLine[], isWanted: (line: ShownLine) => boolean | null): ShownLine[] {
  const wanted = lines.flatMap((line, at) => (isWanted(line) ? [at] : []))
  const centres = wanted.length > 0 ? wanted : [0]
  return lines.filter((_, at) => centres.some((centre) => Math.abs(centre - at) <= nearLines))
}

function follows(before: ShownLine | undefined, line: ShownLine): boolean {
  if (!before) return true
  if (line.new !== null && before.new !== null) return line.new === before.new + 1
  if (line.old !== null && before.old !== null) return line.old === before.old + 1
  return true
}

function holds(line: ShownLine, side: 'old' | 'new', number: number): boolean {
  return line[side] === number
}

const signs = { context: ' ', added: '+', removed: '−' } as const

function Line({
  line,
  path,
  isTarget,
  startsPart,
}: {
  line: ShownLine
  path: string
  isTarget: boolean
  startsPart: boolean
}) {
  const place = usePlace()
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isTarget) row.current?.scrollIntoView({ block: 'center' })
  }, [isTarget])
  const side = line.new === null ? 'old' : 'new'
  const number = line.new ?? line.old ?? 0
  const to = withQuery(place, { at: `${side}:${number}:${path}`, finding: null, evidence: null })
  return (
    <div
      ref={row}
      className={`line line-${line.kind}${isTarget ? ' is-target' : ''}${startsPart ? ' starts-part' : ''}`}
    >
      <span className="line-number">{line.old}</span>
      <Link to={to} className="line-number" aria-label={`Link to line ${number}`} tabIndex={-1}>
        {line.new ?? ''}
      </Link>
      <span className="line-sign">{signs[line.kind]}</span>
      <code>
        <Foreign text={line.text} omitted={line.omitted} />
        {line.noNewline && <span className="quiet"> (no line feed at the end)</span>}
      </code>
    </div>
  )
}
