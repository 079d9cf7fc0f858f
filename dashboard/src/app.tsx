/** The whole dashboard: which address shows which screen. A screen is loaded when it is first opened. */
import { lazy, Suspense } from 'react'
import { Empty, Loading } from './parts/states.tsx'
import { Link, matchPath, Router, usePlace } from './router.tsx'
import { Runs } from './screens/runs.tsx'
import { Crash } from './shell/crash.tsx'
import { WithSession } from './shell/session.tsx'
import { Shell } from './shell/shell.tsx'

type Screen = React.ComponentType<{ parts: Record<string, string> }>

const review = lazy(() => import('./screens/review/review.tsx').then(({ Review }) => ({ default: Review })))

const screens: [pattern: string, screen: Screen][] = [
  ['/', Runs],
  ['/runs', Runs],
  ['/runs/{run}', review],
  ['/runs/{run}/{view}', review],
  ['/change', lazy(() => import('./screens/change.tsx').then(({ Change }) => ({ default: Change })))],
  ['/queue', lazy(() => import('./screens/queue.tsx').then(({ Queue }) => ({ default: Queue })))],
  [
    '/compare/{before}/{after}',
    lazy(() => import('./screens/compare.tsx').then(({ Compare }) => ({ default: Compare }))),
  ],
  ['/trends', lazy(() => import('./screens/trends.tsx').then(({ Trends }) => ({ default: Trends })))],
  ['/policy', lazy(() => import('./screens/policy.tsx').then(({ Policy }) => ({ default: Policy })))],
  [
    '/repositories',
    lazy(() => import('./screens/repositories.tsx').then(({ Repositories }) => ({ default: Repositories }))),
  ],
  [
    '/workspace',
    lazy(() => import('./screens/workspace.tsx').then(({ Workspace }) => ({ default: Workspace }))),
  ],
  ['/access', lazy(() => import('./screens/access.tsx').then(({ Access }) => ({ default: Access })))],
  ['/health', lazy(() => import('./screens/health.tsx').then(({ HealthView }) => ({ default: HealthView })))],
]

export function App() {
  return (
    <Crash>
      <Router>
        <WithSession>
          <Shell>
            <Suspense fallback={<Loading what="the page" />}>
              <CurrentScreen />
            </Suspense>
          </Shell>
        </WithSession>
      </Router>
    </Crash>
  )
}

function CurrentScreen() {
  const { path } = usePlace()
  for (const [pattern, Screen] of screens) {
    const parts = matchPath(pattern, path)
    if (parts) return <Screen parts={parts} />
  }
  return (
    <>
      <h1>Page not found</h1>
      <Empty title="There is nothing at this address.">
        <p>
          <Link to="/runs">See all reviews</Link>
        </p>
      </Empty>
    </>
  )
}
