/** The frame around every screen: where one can go, who is signed in, how it looks, which keys there are. */
import { useEffect, useMemo, useRef } from 'react'
import { write } from '../api/client.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Link, usePlace } from '../router.tsx'
import { KeysDialog, keyOf, useKeys } from './keys.tsx'
import { mayAct, useSession } from './session.tsx'
import { type Theme, themes, useTheme } from './theme.ts'

type Area = { to: string; title: string; key: string; for?: 'admins of a server' }

const everyArea: readonly Area[] = [
  { to: '/runs', title: 'Reviews', key: 'g r' },
  { to: '/queue', title: 'Queue', key: 'g q' },
  { to: '/trends', title: 'Trends', key: 'g t' },
  { to: '/policy', title: 'Policy and memory', key: 'g p' },
  { to: '/repositories', title: 'Repositories', key: 'g o' },
  { to: '/workspace', title: 'Workspace', key: 'g w' },
  { to: '/access', title: 'Access', key: 'g a', for: 'admins of a server' },
  { to: '/health', title: 'Health', key: 'g h' },
]

/** Nobody is shown what would be refused. */
function useAreas(): readonly Area[] {
  const session = useSession()
  const isAdminOfServer = session.mode === 'server' && mayAct(session, 'admin')
  return useMemo(() => everyArea.filter((area) => !area.for || isAdminOfServer), [isAdminOfServer])
}

export function Shell({ children }: { children: React.ReactNode }) {
  const { path } = usePlace()
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const areas = useAreas()
  useKeys(areas)
  // Who follows a link with a keyboard or a screen reader goes on from the top of the new screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each path
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="side">
        <Link to="/runs" className="brand">
          <Eye /> Sightline
        </Link>
        <nav aria-label="Main">
          <ul>
            {areas.map(({ to, title, key }) => (
              <li key={to}>
                <Link
                  to={to}
                  aria-current={isIn(to, path) ? 'page' : undefined}
                  aria-keyshortcuts={keyOf(key)}
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="side-end">
          <Who />
          <ThemeChoice />
          <KeysDialog areas={areas} />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function isIn(area: string, path: string): boolean {
  if (area === '/runs')
    return (
      path === '/' || path.startsWith('/runs') || path.startsWith('/change') || path.startsWith('/compare')
    )
  return path.startsWith(area)
}

function Who() {
  const { user, mode, role, tenant, tenants } = useSession()
  // Everything on the screen is of one tenant, so all of it is read again.
  const change = async (to: string) => {
    await write('PATCH', '/session', { body: { tenant: to } }).catch(() => {})
    location.assign('/')
  }
  const leave = async () => {
    await write('DELETE', '/session').catch(() => {})
    location.assign('/')
  }
  return (
    <p className="who">
      {mode === 'local' ? 'On this machine' : <Foreign text={user?.name ?? tenant} />}
      {mode === 'server' && (
        <>
          {tenants.length > 1 && (
            <label>
              <span className="quiet">Team</span>
              <select value={tenant} onChange={(event) => void change(event.target.value)}>
                {tenants.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
          )}
          <span className="quiet">{role}</span>
          <button type="button" className="button-quiet" onClick={() => void leave()}>
            Sign out
          </button>
        </>
      )}
    </p>
  )
}

function ThemeChoice() {
  const [theme, setTheme] = useTheme()
  return (
    <label className="theme">
      <span>Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
        {themes.map((each) => (
          <option key={each} value={each}>
            {each === 'system' ? 'System' : each === 'light' ? 'Light' : 'Dark'}
          </option>
        ))}
      </select>
    </label>
  )
}

function Eye() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" className="eye">
      <path d="M3 16c3.500-6 8-9 13-9s9.500 3 13 9c-3.500 6-8 9-13 9S6.500 22 3 16z" />
      <circle cx="16" cy="16" r="4" />
    </svg>
  )
}
