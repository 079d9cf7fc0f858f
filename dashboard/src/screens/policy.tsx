/** What is in force and who set it; what is remembered; who changed what. Each part has its own address. */
import { useState } from 'react'
import type { AnswerOf } from '../api/contract.ts'
import { usePages, useResource } from '../api/use-resource.ts'
import { Badge, type Tone } from '../parts/badges.tsx'
import { ExportButtons } from '../parts/data-table.tsx'
import { Foreign, Name } from '../parts/foreign.tsx'
import { countOf, formatDay, formatTime, formatUsd } from '../parts/format.ts'
import { Heads } from '../parts/heads.tsx'
import { Empty, Failed, Loading, LoadMore, When } from '../parts/states.tsx'
import { Link, usePlace, withQuery } from '../router.tsx'
import { mayAct, useSession } from '../shell/session.tsx'

const parts = [
  { name: 'configuration', title: 'Configuration' },
  { name: 'memory', title: 'Memory' },
  { name: 'audit', title: 'Audit log' },
] as const

export function Policy() {
  const place = usePlace()
  const part = place.query.get('part') ?? 'configuration'
  return (
    <>
      <div className="head">
        <h1>Policy and memory</h1>
      </div>
      <nav className="tabs" aria-label="Policy and memory">
        {parts.map(({ name, title }) => (
          <Link
            key={name}
            to={withQuery(place, { part: name === 'configuration' ? null : name })}
            data-keys="tab"
            aria-current={name === part ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {part === 'memory' ? <Memory /> : part === 'audit' ? <Audit /> : <Configuration />}
    </>
  )
}

type Value = AnswerOf<'/policy'>['configuration'][number]

function Configuration() {
  const repository = usePlace().query.get('repository') ?? undefined
  const loaded = useResource('/policy', { query: { repository } })
  const [text, setText] = useState('')
  const [onlySet, setOnlySet] = useState(false)
  return (
    <When what="the configuration" loaded={loaded}>
      {({ configuration, policies, budgets }) => {
        const fits = ({ path, origin }: Value) =>
          path.toLowerCase().includes(text.toLowerCase()) && !(onlySet && origin === 'default')
        const shown = configuration.filter(fits)
        return (
          <>
            {budgets.length > 0 && <Budgets budgets={budgets} />}
            {policies.length > 0 && (
              <>
                <h2>Policies</h2>
                <Values values={policies} />
              </>
            )}
            <div className="data-head">
              <h2>Effective configuration</h2>
              <ExportButtons
                file="configuration"
                columns={['Setting', 'Value', 'Set by']}
                rows={configuration.map(({ path, value, origin }) => [path, JSON.stringify(value), origin])}
              />
            </div>
            <div className="filters">
              <label className="grow">
                <span>Search</span>
                <input
                  type="search"
                  data-keys="search"
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              </label>
              <label className="check">
                <input
                  type="checkbox"
                  checked={onlySet}
                  onChange={(event) => setOnlySet(event.target.checked)}
                />
                <span>Only what differs from the default</span>
              </label>
            </div>
            {shown.length > 0 ? (
              <Values values={shown} />
            ) : (
              <Empty title={onlySet ? 'Every setting has its default.' : 'No setting fits.'} />
            )}
          </>
        )
      }}
    </When>
  )
}

function Values({ values }: { values: readonly Value[] }) {
  return (
    <table className="table values">
      <Heads columns={['Setting', 'Value', 'Set by']} />
      <tbody>
        {values.map(({ path, value, origin }) => (
          <tr key={path}>
            <td>
              <code>{path}</code>
            </td>
            <td>
              <code>
                <Foreign text={JSON.stringify(value) ?? 'unset'} cutAt={200} />
              </code>
            </td>
            <td>
              {origin === 'default' ? (
                <span className="quiet">default</span>
              ) : (
                <Badge tone="accent">{origin}</Badge>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Budgets({ budgets }: { budgets: AnswerOf<'/policy'>['budgets'] }) {
  return (
    <>
      <h2>Budgets</h2>
      <table className="table">
        <Heads columns={['Budget', 'Limit', 'Spent', 'Share']} numbers={['Limit', 'Spent']} />
        <tbody>
          {budgets.map(({ name, period, limitUsd, spentUsd }) => (
            <tr key={name + period}>
              <td>
                <Name text={name} /> <span className="quiet">each {period}</span>
              </td>
              <td className="number">{formatUsd(limitUsd)}</td>
              <td className="number">{formatUsd(spentUsd)}</td>
              <td>
                {spentUsd !== null && limitUsd > 0 && (
                  <meter
                    min={0}
                    max={limitUsd}
                    high={limitUsd * 0.8}
                    value={spentUsd}
                    aria-label={`Spent of ${name}`}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const memoryTones: Record<string, Tone> = {
  active: 'good',
  proposed: 'accent',
  expired: 'plain',
  untested: 'bad',
  retired: 'plain',
}

function Memory() {
  const { items, state, failure, more } = usePages('/memory')
  if (failure) return <Failed failure={failure} />
  if (items.length === 0 && state === 'loading') return <Loading what="the memory" />
  if (items.length === 0)
    return (
      <Empty title="Nothing is remembered yet.">
        <p>
          Notes are proposed from what people decide about findings, tried on recorded reviews, and used only
          after a person has activated them.
        </p>
      </Empty>
    )
  return (
    <>
      <div className="data-head">
        <h2>Memory</h2>
        <ExportButtons
          file="memory"
          columns={['Note', 'Repository', 'Scope', 'State', 'Origin', 'Tried on', 'Helped', 'Harmed']}
          rows={items.map(({ text, repository, scope, state: noteState, origin, backTest }) => [
            ...[text, repository, scope, noteState, origin],
            ...[backTest?.runs ?? null, backTest?.helped ?? null, backTest?.harmed ?? null],
          ])}
        />
      </div>
      <table className="table">
        <Heads columns={['Note', 'State', 'Origin', 'Tried on recorded reviews']} />
        <tbody>
          {items.map(({ id, repository, text, scope, state: noteState, origin, createdAt, backTest }) => (
            <tr key={id}>
              <td className="cell-main">
                <Foreign text={text} cutAt={400} hasCode />
                <span className="row-detail">
                  <Name text={`${repository} · ${scope}`} />
                </span>
              </td>
              <td>
                <Badge tone={memoryTones[noteState] ?? 'plain'}>{noteState}</Badge>
              </td>
              <td>
                <Foreign text={origin} cutAt={200} />
                {createdAt && (
                  <span className="row-detail">tried on {formatDay(createdAt.slice(0, 10))}</span>
                )}
              </td>
              <td>
                {backTest ? (
                  `${countOf(backTest.runs, 'review')}: helped ${backTest.helped}, harmed ${backTest.harmed}`
                ) : (
                  <span className="quiet">not tried</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <LoadMore more={more} />
    </>
  )
}

function Audit() {
  const isAdmin = mayAct(useSession(), 'admin')
  if (!isAdmin) return <Empty title="The audit log is for administrators." />
  return <AuditLog />
}

function AuditLog() {
  const isLocal = useSession().mode === 'local'
  const { items, state, failure, more } = usePages('/audit')
  if (failure) return <Failed failure={failure} />
  if (items.length === 0 && state === 'loading') return <Loading what="the audit log" />
  if (items.length === 0)
    return (
      <Empty title="No changes yet.">
        <p>
          {isLocal
            ? 'Decisions about findings, such as `sightline dismiss`, appear here with who made them and why.'
            : 'Every change of settings, tokens and repositories appears here, with who made it.'}
        </p>
      </Empty>
    )
  return (
    <>
      <div className="data-head">
        <h2>Audit log</h2>
        <ExportButtons
          file="audit-log"
          columns={['When', 'Who', 'Kind', 'Action', 'Target', 'Detail']}
          rows={items.map(({ at, actor, action, target, detail }) => [
            ...[at, actor.name, actor.kind, action, target, JSON.stringify(detail)],
          ])}
        />
      </div>
      <table className="table">
        <Heads columns={['When', 'Who', 'What']} />
        <tbody>
          {items.map(({ id, at, actor, action, target, detail }) => (
            <tr key={id}>
              <td>{formatTime(at)}</td>
              <td>
                <Name text={actor.name} /> <span className="quiet">{actor.kind}</span>
              </td>
              <td className="cell-main">
                <code>{action}</code> <Foreign text={target} cutAt={200} hasCode />
                {Object.keys(detail).length > 0 && (
                  <span className="row-detail">
                    <Foreign text={wordsOf(detail)} cutAt={200} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <LoadMore more={more} />
    </>
  )
}

/** `as: wrong · because: …`. */
function wordsOf(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
}
