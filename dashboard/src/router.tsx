/** Every view has an address of its own: it can be shared, reloaded and gone back to. */
import { type AnchorHTMLAttributes, createContext, type MouseEvent, use, useEffect, useState } from 'react'

export type Place = { path: string; query: URLSearchParams }

const CurrentPlace = createContext<Place>({ path: '/', query: new URLSearchParams() })
const moved = new EventTarget()

export function usePlace(): Place {
  return use(CurrentPlace)
}

export function Router({ children }: { children: React.ReactNode }) {
  const [place, setPlace] = useState(readPlace)
  useEffect(() => {
    const update = () => setPlace(readPlace())
    moved.addEventListener('move', update)
    addEventListener('popstate', update)
    return () => {
      moved.removeEventListener('move', update)
      removeEventListener('popstate', update)
    }
  }, [])
  return <CurrentPlace value={place}>{children}</CurrentPlace>
}

function readPlace(): Place {
  return { path: location.pathname.replace(/(?<=.)\/+$/, ''), query: new URLSearchParams(location.search) }
}

export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (to === `${location.pathname}${location.search}`) return
  const before = location.pathname
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  moved.dispatchEvent(new Event('move'))
  if (location.pathname !== before && !replace) scrollTo(0, 0)
}

/** The current address with some of its parameters changed; null removes one. */
export function withQuery(place: Place, changes: Record<string, string | null>): string {
  const query = new URLSearchParams(place.query)
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  return query.size > 0 ? `${place.path}?${query}` : place.path
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { to: string }

/** A link within the dashboard. With a modifier key or another button it behaves as links do. */
export function Link({ to, onClick, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  )
}

/** `/runs/{run}/calls`: the parts of a path that fits, or null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const parts: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? ''
    if (part.startsWith('{')) parts[part.slice(1, -1)] = decode(value)
    else if (part !== value) return null
  }
  return parts
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
