/** One finding: what is wrong and what to do on one side, what shows it on the other. */
import { useEffect, useRef, useState } from 'react'
import { Badge, SeverityBadge } from '../../parts/badges.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { formatUsd } from '../../parts/format.ts'
import { usePlace } from '../../router.tsx'
import { EvidenceCard } from './evidence.tsx'
import type { EvidenceItem, FindingItem, RunDetail } from './shared.ts'

type Props = {
  finding: FindingItem
  detail: RunDetail
  evidence: ReadonlyMap<string, EvidenceItem>
  isChosen: boolean
}

export function FindingCard({ finding, detail, evidence, isChosen }: Props) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'center' })
  }, [isChosen])
  const { severity, title, explanation, remedy, evidence: citations } = finding
  return (
    <section
      ref={card}
      className={`finding edge-${severity}${isChosen ? ' is-chosen' : ''}`}
      aria-label={`Finding: ${title}`}
    >
      <header>
        <SeverityBadge severity={severity} />
        <h4>
          <Foreign text={title} cutAt={300} hasCode />
        </h4>
        <CopyLink run={detail.row.run} finding={finding.fingerprint} />
      </header>
      <div className="finding-body">
        <div className="finding-words">
          {explanation.split(/\n\s*\n/).map((paragraph) => (
            <p key={paragraph}>
              <Foreign text={paragraph} cutAt={1500} hasCode />
            </p>
          ))}
          {remedy && (
            <p>
              <b>Suggested fix.</b> <Foreign text={remedy} hasCode />
            </p>
          )}
          <Fix finding={finding} />
          <Checks finding={finding} />
          <p className="finding-origin">
            <span>{finding.rule}</span>
            <span>{finding.category}</span>
            <span>{finding.confidence}</span>
            {finding.preExisting && <Badge>existed before</Badge>}
            {finding.contested !== undefined && <Badge>contested by a model</Badge>}
            {finding.byModel && <span>reported by the reviewer model</span>}
            {finding.byTool && (
              <span>
                reported by <Foreign text={finding.byTool} />
              </span>
            )}
            {finding.usd !== null && <span>{formatUsd(finding.usd)}</span>}
          </p>
        </div>
        <div className="finding-evidence">
          <h5>Evidence</h5>
          {citations.length === 0 && <p className="quiet">The changed lines above are the evidence.</p>}
          {citations.map(({ evidence: id, quote }) => {
            const item = evidence.get(id)
            return item ? (
              <EvidenceCard key={id + quote} item={item} quotes={[quote]} detail={detail} />
            ) : (
              <p key={id + quote} className="quiet">
                {id} <Foreign text={quote} cutAt={200} />
              </p>
            )
          })}
        </div>
      </div>
    </section>
  )
}

function CopyLink({ run, finding }: { run: string; finding: string }) {
  const place = usePlace()
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    const address = new URL(`/runs/${run}?finding=${encodeURIComponent(finding)}`, location.origin)
    await navigator.clipboard?.writeText(address.href).then(
      () => setIsCopied(true),
      () => history.replaceState(null, '', `${place.path}?finding=${encodeURIComponent(finding)}`),
    )
  }
  return (
    <button type="button" className="button-quiet" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy link'}
    </button>
  )
}

function Fix({ finding: { suggestion, example } }: { finding: FindingItem }) {
  if (suggestion)
    return (
      <div className="fix">
        {[suggestion, ...(suggestion.further ?? [])].map((edit) => (
          <div key={edit.startLine}>
            {edit.replaced?.split('\n').map((text, at) => (
              <FixLine key={`${at}-${text}`} kind="removed" text={text} />
            ))}
            {edit.replacement.split('\n').map((text, at) => (
              <FixLine key={`${at}+${text}`} kind="added" text={text} />
            ))}
          </div>
        ))}
      </div>
    )
  if (!example) return null
  return (
    <pre className="code">
      <Foreign text={example} />
    </pre>
  )
}

function FixLine({ kind, text }: { kind: 'added' | 'removed'; text: string }) {
  return (
    <div className={`line line-${kind}`}>
      <span className="line-sign">{kind === 'added' ? '+' : '−'}</span>
      <code>
        <Foreign text={text} />
      </code>
    </div>
  )
}

const outcomes: Record<string, string> = {
  refuted: 'refuted it',
  upheld: 'upheld it',
  narrowed: 'upheld its main claim',
  overstated: 'upheld it with a less severe consequence',
  latent: 'found nothing that makes it happen today',
  'pre-existing': 'found that it existed before the change',
  undecided: 'could not decide',
  'not-asked': 'was not asked',
}

function Checks({
  finding: { verifiedBy, refutation, lowered, refusedSuggestion },
}: {
  finding: FindingItem
}) {
  const lines = [
    ...verifiedBy,
    ...(refutation ? [`An independent check ${outcomes[refutation.outcome]}: ${refutation.reason}`] : []),
    ...(lowered ? [`Severity lowered from ${lowered.from}: ${lowered.why}`] : []),
    ...(refusedSuggestion ? [`Suggested code refused: ${refusedSuggestion}`] : []),
  ]
  if (lines.length === 0) return null
  return (
    <ul className="checks">
      {lines.map((line) => (
        <li key={line}>
          <Foreign text={line} cutAt={400} hasCode />
        </li>
      ))}
    </ul>
  )
}
