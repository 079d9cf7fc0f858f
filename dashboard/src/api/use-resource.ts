/** Reads from the API into components: one request for one address, kept while somebody may come back to it. */
import { useCallback, useEffect, useState } from 'react'
import { ApiFailure, addressOf, read } from './client.ts'
import type { AnswerOf, Parameters, Query, Readable } from './contract.ts'

export type Loaded<T> =
  | { state: 'loading'; data: T | null; failure: null }
  | { state: 'ready'; data: T; failure: null }
  | { state: 'failed'; data: null; failure: ApiFailure }

type Options = {
  parameters?: Parameters
  query?: Query
  /** Milliseconds after which it is read again; absent: once. */
  everyMs?: number | undefined
}

/** So many answers are kept; the one that was not used for longest goes first. */
const kept = 40
const answers = new Map<string, unknown>()

/** While another address is being loaded, `data` is what is known of that address, never of the one before. */
export function useResource<Path extends Readable>(
  path: Path,
  { parameters = {}, query = {}, everyMs }: Options = {},
): Loaded<AnswerOf<Path>> & { again: () => void } {
  const address = addressOf(path, parameters, query)
  const [result, setResult] = useState<{ address: string; loaded: Loaded<AnswerOf<Path>> } | null>(null)
  const [turn, setTurn] = useState(0)
  const again = useCallback(() => setTurn((before) => before + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address says it all, and `turn` asks for another reading
  useEffect(() => {
    const ended = new AbortController()
    read(path, { parameters, query, signal: ended.signal }).then(
      (data) => {
        keep(address, data)
        setResult({ address, loaded: { state: 'ready', data, failure: null } })
      },
      (error: unknown) => {
        if (ended.signal.aborted) return
        const failure = error instanceof ApiFailure ? error : new ApiFailure(0, 'unreachable', String(error))
        setResult({ address, loaded: { state: 'failed', data: null, failure } })
      },
    )
    const timer = everyMs === undefined ? undefined : setTimeout(again, everyMs)
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [address, turn, everyMs])

  const known = answers.get(address) as AnswerOf<Path> | undefined
  if (result?.address === address) return { ...result.loaded, again }
  return { state: 'loading', data: known ?? null, failure: null, again }
}

function keep(address: string, data: unknown): void {
  answers.delete(address)
  answers.set(address, data)
  for (const oldest of answers.keys()) if (answers.size > kept) answers.delete(oldest)
}

/** The pages of a list that were asked for so far, joined. */
export function usePages<Path extends Readable>(
  path: Path,
  options: Omit<Options, 'everyMs'> = {},
): {
  items: ItemOf<Path>[]
  first: AnswerOf<Path> | null
  state: Loaded<unknown>['state']
  failure: ApiFailure | null
  more: (() => void) | null
} {
  const { parameters = {}, query = {} } = options
  const first = useResource(path, options)
  const start = addressOf(path, parameters, query)
  const [later, setLater] = useState<{
    start: string
    pages: Paged<ItemOf<Path>>[]
    failure: ApiFailure | null
  }>({
    start,
    pages: [],
    failure: null,
  })
  const own = later.start === start ? later : { start, pages: [], failure: null }
  const head = first.data as Paged<ItemOf<Path>> | null
  const next = own.pages.length > 0 ? own.pages.at(-1)?.next : head?.next
  const load = async (cursor: string) => {
    try {
      const page = (await read(path, { parameters, query: { ...query, cursor } })) as Paged<ItemOf<Path>>
      setLater({ start, pages: [...own.pages, page], failure: null })
    } catch (error) {
      if (error instanceof ApiFailure) setLater({ ...own, failure: error })
    }
  }
  return {
    items: [head, ...own.pages].flatMap((page) => page?.items ?? []),
    first: first.data,
    state: first.state,
    failure: first.failure ?? own.failure,
    more: next ? () => void load(next) : null,
  }
}

type Paged<Item> = { items: Item[]; next: string | null }
type ItemOf<Path> = AnswerOf<Path> extends { items: (infer Item)[] } ? Item : never

/** All pages of a list, read one after the other, up to 20. */
export function useAll<Path extends Readable>(
  path: Path,
  options: Omit<Options, 'everyMs'> = {},
): ReturnType<typeof usePages<Path>> {
  const pages = usePages(path, options)
  const [asked, setAsked] = useState({ items: 0, pages: 0 })
  useEffect(() => {
    if (!pages.more || pages.failure || asked.items === pages.items.length || asked.pages >= 20) return
    setAsked({ items: pages.items.length, pages: asked.pages + 1 })
    pages.more()
  }, [pages, asked])
  return pages
}
