/** Who is looking: asked once, before anything else, because every other answer depends on it. */
import { createContext, use, useCallback, useEffect, useState } from 'react'
import { type ApiFailure, read, setCsrf, signInLocally } from '../api/client.ts'
import type { AnswerOf } from '../api/contract.ts'
import { Failed, Loading } from '../parts/states.tsx'

export type SessionView = AnswerOf<'/session'>

const CurrentSession = createContext<SessionView | null>(null)

/** Only below `WithSession`. */
export function useSession(): SessionView {
  const session = use(CurrentSession)
  if (!session) throw new Error('useSession is called outside WithSession')
  return session
}

const roles = ['viewer', 'reviewer', 'admin'] as const

/** Whether the person may do what a role may. */
export function mayAct({ role }: SessionView, as: (typeof roles)[number]): boolean {
  return roles.indexOf(role) >= roles.indexOf(as)
}

export function WithSession({ children }: { children: React.ReactNode }) {
  const [session, setSession] = useState<SessionView | null>(null)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const load = useCallback(async () => {
    try {
      await redeemToken()
      const found = await read('/session')
      setCsrf(found.csrf)
      setFailure(null)
      setSession(found)
    } catch (error) {
      setFailure(error as ApiFailure)
    }
  }, [])
  useEffect(() => void load(), [load])
  if (session) return <CurrentSession value={session}>{children}</CurrentSession>
  return (
    <main className="door">
      <h1>Sightline</h1>
      {!failure && <Loading what="the dashboard" />}
      {failure?.status === 401 && <SignIn />}
      {failure && failure.status !== 401 && <Failed failure={failure} again={() => void load()} />}
    </main>
  )
}

/** `sightline ui` opens the page with `#token=…`, which works once; it is gone from the address before it is sent. */
async function redeemToken(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  await signInLocally(token)
}

function SignIn() {
  const [providers, setProviders] = useState<AnswerOf<'/session/providers'>['providers'] | null>(null)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  useEffect(() => {
    read('/session/providers').then(({ providers }) => setProviders(providers), setFailure)
  }, [])
  if (failure) return <Failed failure={failure} />
  if (!providers) return <Loading what="ways to sign in" />
  if (providers.length === 0)
    return (
      <p>
        This page needs a one-time token. Run <code>sightline ui</code> again and open the address that it
        prints.
      </p>
    )
  return (
    <>
      <p>Sign in to see the reviews of repositories that you can read.</p>
      <ul className="providers">
        {providers.map(({ name, title, url }) => (
          <li key={name}>
            <a className="button button-main" href={url}>
              Continue with {title}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
