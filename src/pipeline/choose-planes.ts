/** Which planes review a change: those of code, and the reviewer, which is a model; chosen by name. */
import { UserError } from '../base/errors.ts'
import type { StoppedReview } from '../domain/coverage.ts'
import { formerTopic } from '../domain/names.ts'
import type { Depth } from '../domain/review.ts'
import type { PlaneOff } from './conclude/coverage.ts'
import type { Plane } from './planes/contract.ts'
import { planes as codePlanes, formerPlaneNames } from './planes/registry.ts'
import { type Panel, panelOf, reviewerName } from './reviewer/panel.ts'

/** The first two are switches: what a review consists of. The last two are filters: what of it is shown. */
export type PlaneChoice = {
  /** Not these. */
  disable: readonly string[]
  /** Exactly these, regardless of `disable`; empty: no effect. */
  exactly: readonly string[]
  /** Only these of the planes that are on; empty: no restriction. */
  only: readonly string[]
  /** Not these. */
  skip: readonly string[]
}

export const everyPlane: PlaneChoice = { disable: [], exactly: [], only: [], skip: [] }

export type ChosenPlanes = {
  planes: readonly Plane[]
  /** Null where no model is to be asked. */
  panel: Panel | null
  /** Planes of this depth that were switched off or filtered out, or that the watchdog stopped. */
  off: readonly PlaneOff[]
  /** Planes of code that are filtered out, each with its filter. They run all the same, since they cost nothing. */
  hidden: ReadonlyMap<string, string>
  /** Names that were asked for but do not run at this depth. */
  idle: readonly string[]
}

/** Code first, then `reviewer`. */
export function listPlaneNames(): string[] {
  return [...codePlanes.map(({ name }) => name), reviewerName]
}

/**
 * A filter also keeps models from being asked, which would cost money and send code; the review is then incomplete. Throws
 * `plane-unknown` for an unknown name, and when none of the planes asked for runs at this depth.
 */
export function choosePlanes(choice: PlaneChoice, depth: Depth): ChosenPlanes {
  refuseUnknown(choice)
  const isOn = ({ name }: Named): boolean =>
    choice.exactly.length > 0 ? choice.exactly.includes(name) : !choice.disable.includes(name)
  const filterOf = ({ name }: Named): string | null => {
    if (choice.skip.includes(name)) return `--skip ${name}`
    return choice.only.length === 0 || choice.only.includes(name) ? null : `--only ${choice.only.join(',')}`
  }
  const readers = depth === 'offline' ? [] : [{ name: reviewerName, panel: panelOf(depth) }]
  const planes = codePlanes.filter(isOn)
  const asked = readers.filter((plane) => isOn(plane) && filterOf(plane) === null)
  const seen = new Set(
    [...planes.filter((plane) => filterOf(plane) === null), ...asked].map(({ name }) => name),
  )
  const requested = choice.exactly.length > 0 ? choice.exactly : choice.only
  if (requested.length > 0 && seen.size === 0)
    throw new UserError(
      'plane-unknown',
      `none of ${requested.join(', ')} looks at depth ${depth}; \`${reviewerName}\` looks at every depth but offline`,
    )
  const why = (plane: Named, byModel: boolean): PlaneOff[] => {
    const filter = byModel && isOn(plane) ? filterOf(plane) : null
    if (isOn(plane) && filter === null) return []
    const isSwitched = filter === null && choice.exactly.length === 0
    return [
      {
        plane: plane.name,
        state: isSwitched ? 'skipped' : 'left-out',
        reason: isSwitched ? 'switched off' : `left out by ${filter ?? '--planes'}`,
        ...(byModel ? { byModel } : {}),
      },
    ]
  }
  return {
    planes,
    panel: asked[0]?.panel ?? null,
    off: [
      ...codePlanes.flatMap((plane) => why(plane, false)),
      ...readers.flatMap((plane) => why(plane, true)),
    ],
    hidden: new Map(planes.flatMap((plane) => entryOf(plane.name, filterOf(plane)))),
    idle: requested.filter((name) => !seen.has(name) && !choice.disable.includes(name)),
  }
}

/** Without the planes that an earlier attempt did not finish, the reviewer among them. */
export function withoutUnfinished(chosen: ChosenPlanes, { finished }: StoppedReview): ChosenPlanes {
  const isFinished = ({ name }: Named): boolean => finished.includes(name)
  const stopped = ({ name }: Named) => ({
    plane: name,
    state: 'failed' as const,
    reason: 'not finished when the watchdog stopped the review',
  })
  const asked = chosen.panel ? [{ name: reviewerName }] : []
  return {
    ...chosen,
    planes: chosen.planes.filter(isFinished),
    panel: null,
    off: [
      ...chosen.off,
      ...chosen.planes.filter((plane) => !isFinished(plane)).map(stopped),
      ...asked.map((plane) => ({ ...stopped(plane), byModel: true })),
    ],
    idle: [],
  }
}

type Named = { name: string }

function entryOf(name: string, filter: string | null): [string, string][] {
  return filter === null ? [] : [[name, filter]]
}

/** Names of all planes that run at this depth by default, each once. */
export function planesAt(depth: Depth): string[] {
  const { planes, panel } = choosePlanes(everyPlane, depth)
  return [...planes.map(({ name }) => name), ...(panel ? [reviewerName] : [])]
}

/** Who of models reads a change by default. */
export function defaultPanel(depth: Depth | 'auto'): Panel | null {
  return choosePlanes(everyPlane, depth === 'auto' ? 'quick' : depth).panel
}

function refuseUnknown({ disable, only, skip, exactly }: PlaneChoice): void {
  const known = listPlaneNames()
  const off = [...disable, ...skip].filter((name) => !formerPlaneNames.includes(name))
  const unknown = [...off, ...only, ...exactly].find((name) => !known.includes(name))
  if (unknown === undefined) return
  const words = formerTopic(unknown) ?? `there is no plane \`${unknown}\`; there are ${known.join(', ')}`
  throw new UserError('plane-unknown', words)
}
