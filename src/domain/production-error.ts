/** An error that was seen in production, as an error tracker groups it, and how its stack runs through a change. */
import { z } from 'zod'

/** A frame of a stack that lies in a changed file. The line is that of the release in production, not of this change. */
export const ErrorFrame = z.object({
  /** Path in the change. */
  path: z.string(),
  line: z.number().int().positive().nullable(),
  /** As the tracker names it: `TokenService.decode`, `<anonymous>`; null when it does not. */
  function: z.string().max(300).nullable(),
})
export type ErrorFrame = z.infer<typeof ErrorFrame>

export const ProductionError = z.object({
  /** `sentry:API-12`. */
  id: z.string().max(120),
  /** Foreign text, like everything the tracker says. */
  title: z.string().max(400),
  /** As the tracker names it: `error`, `fatal`. */
  level: z.string().max(40),
  state: z.enum(['open', 'closed', 'unknown']),
  /** How often it happened in the time that was asked about. */
  events: z.number().int().nonnegative(),
  /** How many people it happened to; null when the tracker does not say. */
  users: z.number().int().nonnegative().nullable(),
  /** `2026-11-20`; null when the tracker does not say. */
  lastSeen: z.string().nullable(),
  /** Where it was thrown first. */
  frames: z.array(ErrorFrame),
})
export type ProductionError = z.infer<typeof ProductionError>

/** The first line says what and how often, each further one a frame. All of it is foreign. */
export function describeError({
  id,
  title,
  level,
  events,
  users,
  lastSeen,
  frames,
}: ProductionError): string[] {
  const often = [
    `events: ${events}`,
    ...(users === null ? [] : [`users: ${users}`]),
    ...(lastSeen === null ? [] : [`last on ${lastSeen}`]),
  ]
  return [
    `${id} (${level}; ${often.join(', ')}): ${title}`,
    ...frames.map(
      ({ path, line, function: name }) =>
        `  at ${path}${line === null ? '' : `:${line}`}${name === null ? '' : ` in ${name}`}`,
    ),
  ]
}

const mostFrames = 20

type RawFrame = { path: string; line: number | null; function: string | null }

/**
 * The frames that lie in files of the change, by the path there. Trackers name files in many ways (`./src/a.ts`,
 * `webpack:///src/a.ts`, `/app/src/a.ts`, `pkg/a.py`), so a frame belongs to the one changed file whose path ends like
 * its own; where two do, it belongs to none. `paths`: what a file is called in production, and in the change.
 */
export function framesInChange(
  frames: readonly RawFrame[],
  paths: ReadonlyMap<string, string>,
): ErrorFrame[] {
  const found = frames.flatMap(({ path, line, function: name }) => {
    const changed = changedFile(path, paths)
    return changed === null
      ? []
      : [
          {
            path: changed,
            line: line !== null && line > 0 ? line : null,
            function: name?.slice(0, 300) ?? null,
          },
        ]
  })
  return found.slice(0, mostFrames)
}

function changedFile(written: string, paths: ReadonlyMap<string, string>): string | null {
  const plain = written
    .replace(/^[a-z][a-z0-9+.-]*:\/\/+/i, '')
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.' && part !== '..' && part !== '')
    .join('/')
  if (plain === '') return null
  const exact = paths.get(plain)
  if (exact !== undefined) return exact
  const within = [...paths].filter(([path]) => plain.endsWith(`/${path}`) || path.endsWith(`/${plain}`))
  const changed = new Set(within.map(([, path]) => path))
  return changed.size === 1 ? ([...changed][0] ?? null) : null
}
