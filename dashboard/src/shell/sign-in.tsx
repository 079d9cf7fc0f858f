/** The page on which one signs in, and why one has to. */
import { useEffect, useState } from 'react'
import { ApiFailure, read, signIn } from '../api/client.ts'
import type { AnswerOf } from '../api/contract.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { usePlace } from '../router.tsx'

type Ways = AnswerOf<'/session/providers'>

/** What a provider sent back instead of a person, by the code in the address. */
const refusals: Readonly<Record<string, string>> = {
  denied: 'Signing in was declined at the provider.',
  expired: 'Signing in took too long. Start again.',
  'no-access': 'This account has no access to any repository that is reviewed here.',
  unavailable: 'The provider cannot be reached now. Try again later.',
  failed: 'Signing in failed. Try again; the log of the server says why.',
}

/** `hasEnded`: there was a session until now. `onDone`: there is one from now on. */
export function SignIn({ hasEnded, onDone }: { hasEnded: boolean; onDone: () => void }) {
  const { path, query } = usePlace()
  const [ways, setWays] = useState<Ways | null>(null)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  useEffect(() => {
    read('/session/providers').then(setWays, setFailure)
  }, [])
  if (failure) return <Failed failure={failure} />
  if (!ways) return <Loading what="ways to sign in" />
  if (ways.mode === 'local')
    return (
      <p>
        {hasEnded && 'The session has ended. '}This page needs a one-time token. Run <code>sightline ui</code>{' '}
        again and open the address that it prints.
      </p>
    )
  const refusal = query.get('error')
  const here = path === '/sign-in' ? '/runs' : `${path}${query.size > 0 ? `?${query}` : ''}`
  return (
    <>
      {refusal !== null && (
        <p className="notice notice-bad" role="alert">
          {refusals[refusal] ?? refusals.failed}
        </p>
      )}
      {hasEnded && (
        <p className="notice" role="status">
          Your session has ended. Sign in again to continue.
        </p>
      )}
      <p>Sign in to see the reviews of repositories that you can read.</p>
      {ways.providers.length > 0 && (
        <ul className="providers">
          {ways.providers.map(({ name, title, url }) => (
            <li key={name}>
              <a className="button button-main" href={`${url}?return=${encodeURIComponent(here)}`}>
                Continue with {title}
              </a>
            </li>
          ))}
        </ul>
      )}
      <TokenForm onDone={onDone} />
    </>
  )
}

function TokenForm({ onDone }: { onDone: () => void }) {
  const [token, setToken] = useState('')
  const [failed, setFailed] = useState<string | null>(null)
  const send = async () => {
    try {
      await signIn(token.trim())
      onDone()
    } catch (error) {
      setFailed(error instanceof ApiFailure ? error.message : String(error))
    }
  }
  return (
    <form
      className="token-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <label className="grow">
        <span>API token</span>
        <input
          type="password"
          autoComplete="off"
          required
          maxLength={200}
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      <button type="submit" className="button">
        Sign in with a token
      </button>
      {failed && (
        <p className="notice notice-bad" role="alert">
          {failed}
        </p>
      )}
      <p className="quiet">
        No token yet? An admin of your team makes one under Access. The operator of this server makes the
        first one with the admin token, as the chapter on the API shows.
      </p>
    </form>
  )
}
