/** Which repositories are known, whether their change requests are reviewed, and through which account they are connected. */
import { useState } from 'react'
import { ApiFailure, write } from '../api/client.ts'
import type { AnswerOf } from '../api/contract.ts'
import { usePages } from '../api/use-resource.ts'
import { Badge, type Tone } from '../parts/badges.tsx'
import { Name } from '../parts/foreign.tsx'
import { formatAgo, formatCount, formatTime } from '../parts/format.ts'
import { Heads } from '../parts/heads.tsx'
import { Empty, Failed, Loading, LoadMore } from '../parts/states.tsx'
import { Link, navigate, usePlace, withQuery } from '../router.tsx'
import { mayAct, useSession } from '../shell/session.tsx'

export function Repositories() {
  const { features } = useSession()
  return (
    <>
      <div className="head">
        <h1>Repositories</h1>
      </div>
      <RepositoryList />
      {features.installations && (
        <>
          <h2>Installations</h2>
          <Installations />
        </>
      )}
    </>
  )
}

function RepositoryList() {
  const place = usePlace()
  const text = place.query.get('text') ?? ''
  const { items, state, failure, more } = usePages('/repositories', { query: { text } })
  const knowsIndexes = items.some(({ isIndexed }) => isIndexed !== null)
  return (
    <>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <label className="grow">
          <span>Search</span>
          <input
            type="search"
            data-keys="search"
            defaultValue={text}
            onChange={(event) => navigate(withQuery(place, { text: event.target.value }), { replace: true })}
          />
        </label>
      </form>
      {failure && <Failed failure={failure} />}
      {!failure && items.length === 0 && state === 'loading' && <Loading what="repositories" />}
      {!failure && items.length === 0 && state === 'ready' && (
        <Empty title={text ? 'No repository fits.' : 'No repositories yet.'}>
          <p>
            A repository appears with its first review, or as soon as an installation grants access to it.
          </p>
        </Empty>
      )}
      {items.length > 0 && (
        <table className="table">
          <Heads
            columns={[
              'Repository',
              'Reviews',
              'Last review',
              ...(knowsIndexes ? ['Index'] : []),
              'Reviews of change requests',
            ]}
            numbers={['Reviews', 'Last review']}
          />
          <tbody>
            {items.map((item) => (
              <tr key={item.id}>
                <td className="cell-main">
                  <Link
                    to={`/runs?repository=${encodeURIComponent(item.name)}`}
                    data-keys="row"
                    className="row-title"
                  >
                    <Name text={item.name} />
                  </Link>
                  {item.isPrivate !== null && (
                    <span className="row-detail">{item.isPrivate ? 'private' : 'public'}</span>
                  )}
                </td>
                <td className="number">{formatCount(item.runs)}</td>
                <td className="number" title={item.lastRunAt ? formatTime(item.lastRunAt) : undefined}>
                  {item.lastRunAt ? formatAgo(item.lastRunAt) : '–'}
                </td>
                {knowsIndexes && (
                  <td>
                    {item.isIndexed ? (
                      <Badge tone="good">ready</Badge>
                    ) : (
                      <span className="quiet">
                        {item.runs === 0 ? 'not yet' : 'not needed: it is read as quickly without one'}
                      </span>
                    )}
                  </td>
                )}
                <td>
                  <Switch item={item} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <LoadMore more={more} />
    </>
  )
}

/** On or off; only administrators of a server may change it. */
function Switch({ item }: { item: AnswerOf<'/repositories'>['items'][number] }) {
  const session = useSession()
  const [isEnabled, setIsEnabled] = useState(item.isEnabled)
  const [failed, setFailed] = useState<string | null>(null)
  if (isEnabled === null) return <span className="quiet">started by hand</span>
  if (!mayAct(session, 'admin'))
    return <Badge tone={isEnabled ? 'good' : 'plain'}>{isEnabled ? 'on' : 'off'}</Badge>
  const [connection = '', ...rest] = item.id.split('/')
  const change = async () => {
    try {
      const parameters = { connection, id: rest.join('/') }
      const changed = await write('PATCH', '/repositories/{connection}/{id}', {
        parameters,
        body: { isEnabled: !isEnabled },
      })
      setIsEnabled(changed.isEnabled)
      setFailed(null)
    } catch (error) {
      setFailed(error instanceof ApiFailure ? error.message : String(error))
    }
  }
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={isEnabled} onChange={() => void change()} />
        <span>{isEnabled ? 'on' : 'off'}</span>
      </label>
      {failed && (
        <span className="row-detail warn-text" role="alert">
          {failed}
        </span>
      )}
    </>
  )
}

const tones: Record<string, Tone> = { active: 'good', suspended: 'warn', removed: 'bad' }

function Installations() {
  const { items, state, failure, more } = usePages('/installations')
  if (failure) return <Failed failure={failure} />
  if (items.length === 0 && state === 'loading') return <Loading what="installations" />
  if (items.length === 0)
    return (
      <Empty title="No account is connected yet.">
        <p>Install the app on an account of a connected host; it appears here with the next webhook.</p>
      </Empty>
    )
  return (
    <>
      <table className="table">
        <Heads
          columns={['Account', 'Host', 'State', 'Repositories', 'Last seen']}
          numbers={['Repositories', 'Last seen']}
        />
        <tbody>
          {items.map(({ connection, kind, account, state: itsState, repositories, seenAt }) => (
            <tr key={`${connection}/${account}`}>
              <td className="cell-main">
                <Name text={account} />
              </td>
              <td>
                {kind} <span className="quiet">{connection}</span>
              </td>
              <td>
                <Badge tone={tones[itsState] ?? 'plain'}>{itsState}</Badge>
              </td>
              <td className="number">{formatCount(repositories)}</td>
              <td className="number" title={formatTime(seenAt)}>
                {formatAgo(seenAt)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <LoadMore more={more} />
    </>
  )
}
