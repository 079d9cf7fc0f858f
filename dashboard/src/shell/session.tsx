/** Who is looking: asked once, before anything else, because every other answer depends on it. */
import { createContext, use, useCallback, useEffect, useState } from 'react'
import { ApiFailure, read, setCsrf, signedOut, signIn } from '../api/client.ts'
import type { AnswerOf } from '../api/contract.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { navigate } from '../router.tsx'
import { SignIn } from './sign-in.tsx'

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
  const [hasEnded, setHasEnded] = useState(false)
  const load = useCallback(async () => {
    try {
      await redeemToken()
      const found = await read('/session')
      setCsrf(found.csrf)
      setFailure(null)
      setSession(found)
      if (location.pathname === '/sign-in') navigate('/runs', { replace: true })
    } catch (error) {
      setFailure(error as ApiFailure)
    }
  }, [])
  useEffect(() => void load(), [load])
  useEffect(() => {
    const end = () => {
      setHasEnded(true)
      setSession(null)
      setFailure(new ApiFailure(401, 'sign-in-required', 'Your session has ended.'))
    }
    if (session) signedOut.addEventListener('end', end)
    return () => signedOut.removeEventListener('end', end)
  }, [session])
  if (session) return <CurrentSession value={session}>{children}</CurrentSession>
  return (
    <main className="alone">
      <h1>Sightline</h1>
      {!failure && <Loading what="the dashboard" />}
      {failure?.status === 401 && <SignIn hasEnded={hasEnded} onDone={() => void load()} />}
      {failure && failure.status !== 401 && <Failed failure={failure} again={() => void load()} />}
    </main>
  )
}

/** `sightline ui` opens the page with `#token=…`, which works once; it is gone from the address before it is sent. */
async function redeemToken(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  await signIn(token)
}
