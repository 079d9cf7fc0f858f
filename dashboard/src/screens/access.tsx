/** Who uses this server: API tokens for programs, and who is signed in. Only administrators come here. */
import { useState } from 'react'
import { ApiFailure, write } from '../api/client.ts'
import type { AnswerOf } from '../api/contract.ts'
import { usePages } from '../api/use-resource.ts'
import { Badge } from '../parts/badges.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Name } from '../parts/foreign.tsx'
import { formatAgo, formatTime } from '../parts/format.ts'
import { Heads } from '../parts/heads.tsx'
import { RevokeButton } from '../parts/revoke-button.tsx'
import { Empty, Failed, Loading, LoadMore } from '../parts/states.tsx'
import { mayAct, useSession } from '../shell/session.tsx'

type Token = AnswerOf<'/tokens'>['items'][number]
type Made = AnswerOf<'/tokens', 'POST'>

const scopes = [
  { name: 'read', title: 'Read', note: 'everything that the dashboard shows' },
  { name: 'review', title: 'Review', note: 'ask questions and repeat reviews, which spends money' },
  { name: 'admin', title: 'Administer', note: 'repositories, tokens, the audit log' },
] as const
type Scope = (typeof scopes)[number]['name']

export function Access() {
  const session = useSession()
  return (
    <>
      <div className="head">
        <h1>Access</h1>
      </div>
      {session.mode === 'server' && mayAct(session, 'admin') ? (
        <>
          <Tokens />
          <h2>Who is signed in</h2>
          <Sessions />
        </>
      ) : (
        <Empty title="Access is for administrators of a server." />
      )}
    </>
  )
}

function Tokens() {
  // Lists are read once for each address; a change asks for another.
  const [changes, setChanges] = useState(0)
  const [made, setMade] = useState<Made | null>(null)
  return (
    <>
      <h2>API tokens</h2>
      <p className="quiet">
        For programs. Each acts in the name of this account, with the scopes it was given.
      </p>
      <TokenForm
        onMade={(token) => {
          setMade(token)
          setChanges(changes + 1)
        }}
      />
      {made && <NewToken made={made} />}
      <TokenList key={changes} onRevoked={() => setChanges(changes + 1)} />
    </>
  )
}

function TokenForm({ onMade }: { onMade: (made: Made) => void }) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['read'])
  const [days, setDays] = useState(90)
  const [failed, setFailed] = useState<string | null>(null)
  const make = async () => {
    try {
      onMade(await write('POST', '/tokens', { body: { name: name.trim(), scopes: [...chosen], days } }))
      setName('')
      setFailed(null)
    } catch (error) {
      setFailed(messageOf(error))
    }
  }
  return (
    <form
      className="filters"
      aria-label="New token"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <label className="grow">
        <span>Name of the new token</span>
        <input required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <fieldset className="choices">
        <legend>Scopes</legend>
        {scopes.map(({ name: scope, title, note }) => (
          <label key={scope} className="check" title={note}>
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ target }) =>
                setChosen(target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
              }
            />
            <span>{title}</span>
          </label>
        ))}
      </fieldset>
      <label>
        <span>Ends after</span>
        <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
          {[7, 30, 90, 366].map((each) => (
            <option key={each} value={each}>
              {each} days
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button button-main" disabled={chosen.length === 0}>
        Make a token
      </button>
      {failed && (
        <p className="notice notice-bad" role="alert">
          {failed}
        </p>
      )}
    </form>
  )
}

/** The server keeps only its hash. */
function NewToken({ made: { token, made } }: { made: Made }) {
  return (
    <div className="notice" role="status">
      <p>
        This is <Name text={made.name} />. Copy it now: it is not shown again.
      </p>
      <p className="token">
        <code>{token}</code> <CopyButton text={token} label="Copy the token" />
      </p>
    </div>
  )
}

function TokenList({ onRevoked }: { onRevoked: () => void }) {
  const { items, state, failure, more } = usePages('/tokens')
  if (failure) return <Failed failure={failure} />
  if (items.length === 0 && state === 'loading') return <Loading what="tokens" />
  if (items.length === 0) return <Empty title="There are no tokens." />
  return (
    <>
      <table className="table">
        <Heads columns={['Token', 'Scopes', 'Last used', 'Ends', 'Change']} numbers={['Last used', 'Ends']} />
        <tbody>
          {items.map((token) => (
            <TokenRow key={token.id} token={token} onRevoked={onRevoked} />
          ))}
        </tbody>
      </table>
      <LoadMore more={more} />
    </>
  )
}

function TokenRow({ token, onRevoked }: { token: Token; onRevoked: () => void }) {
  const { id, name, scopes: its, createdAt, createdBy, expiresAt, lastUsedAt } = token
  return (
    <tr>
      <td className="cell-main">
        <Name text={name} />
        <span className="row-detail">
          made {formatTime(createdAt)}
          {createdBy !== null && (
            <>
              {' '}
              by <Name text={createdBy} />
            </>
          )}
        </span>
      </td>
      <td>
        {its.map((scope) => (
          <Badge key={scope} tone={scope === 'admin' ? 'warn' : 'plain'}>
            {scope}
          </Badge>
        ))}
      </td>
      <td className="number">{lastUsedAt ? formatAgo(lastUsedAt) : 'never'}</td>
      <td className="number">{expiresAt ? formatTime(expiresAt) : 'never'}</td>
      <td>
        <RevokeButton
          label={`Revoke ${name}`}
          title="Revoke"
          again="Revoke it now"
          onSure={async () => {
            await write('DELETE', '/tokens/{id}', { parameters: { id } })
            onRevoked()
          }}
        />
      </td>
    </tr>
  )
}

/** Signing somebody out takes effect with their next request. */
function Sessions() {
  const [ended, setEnded] = useState<readonly string[]>([])
  const { items, state, failure, more } = usePages('/sessions')
  if (failure) return <Failed failure={failure} />
  if (items.length === 0 && state === 'loading') return <Loading what="sessions" />
  const shown = items.filter(({ id }) => !ended.includes(id))
  if (shown.length === 0) return <Empty title="No one is signed in." />
  return (
    <>
      <table className="table">
        <Heads columns={['Who', 'Through', 'Last seen', 'Ends', 'Change']} numbers={['Last seen', 'Ends']} />
        <tbody>
          {shown.map(({ id, name, provider, begunAt, seenAt, expiresAt }) => (
            <tr key={id}>
              <td className="cell-main">
                <Name text={name} />
                <span className="row-detail">since {formatTime(begunAt)}</span>
              </td>
              <td>{provider ?? 'an API token'}</td>
              <td className="number">{formatAgo(seenAt)}</td>
              <td className="number">{formatTime(expiresAt)}</td>
              <td>
                <RevokeButton
                  label={`Sign out ${name}`}
                  title="Sign out"
                  again="Sign out now"
                  onSure={async () => {
                    await write('DELETE', '/sessions/{id}', { parameters: { id } })
                    setEnded([...ended, id])
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <LoadMore more={more} />
    </>
  )
}

function messageOf(error: unknown): string {
  return error instanceof ApiFailure ? error.message : String(error)
}
