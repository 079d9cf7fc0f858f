/** What stands in for data: it is on its way, it failed, or there is none. */
import type { ApiFailure } from '../api/client.ts'
import type { Loaded } from '../api/use-resource.ts'

export function Loading({ what }: { what: string }) {
  return (
    <p className="state" role="status">
      Loading {what} …
    </p>
  )
}

export function Failed({ failure, again }: { failure: ApiFailure; again?: (() => void) | undefined }) {
  return (
    <div className="state state-failed" role="alert">
      <p>{failure.message}</p>
      {again && (
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Says what is not there and what would fill it. */
export function Empty({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <div className="state state-empty">
      <p className="state-title">{title}</p>
      {children}
    </div>
  )
}

/** The button below a list that has more pages. */
export function LoadMore({ more }: { more: (() => void) | null | undefined }) {
  return more ? (
    <button type="button" className="button" onClick={more}>
      Load more
    </button>
  ) : null
}

/** The children with the data, once it is there; what is known already is shown while it is read again. */
export function When<T>({
  what,
  loaded,
  children,
}: {
  what: string
  loaded: Loaded<T> & { again?: () => void }
  children: (data: T) => React.ReactNode
}) {
  if (loaded.failure) return <Failed failure={loaded.failure} again={loaded.again} />
  if (loaded.data === null) return <Loading what={what} />
  return children(loaded.data)
}
