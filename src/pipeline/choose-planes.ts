/** Which planes review a change: those of code and those of models, chosen by name. */
import { UserError } from '../base/errors.ts'
import type { StoppedReview } from '../domain/coverage.ts'
import type { Depth } from '../domain/review.ts'
import type { PlaneOff } from './conclude/coverage.ts'
import type { Plane } from './planes/contract.ts'
import { planes as codePlanes, formerPlaneNames } from './planes/registry.ts'
import type { ModelPlane } from './reviewer/panel/model-planes.ts'
import { listModelPlanes, reviewerName } from './reviewer/panel/model-planes.ts'
import { deepPanel, onePanel, type Panel } from './reviewer/panel/panels.ts'

/** The first three are switches: what a review consists of. The last two are filters: what of it is shown. */
export type PlaneChoice = {
  /** Not these. Wins over `enable`. */
  disable: readonly string[]
  /** Also these, which are off by default. */
  enable: readonly string[]
  /** Exactly these, regardless of `disable` and `enable`; empty: no effect. */
  exactly: readonly string[]
  /** Only these of the planes that are on; empty: no restriction. */
  only: readonly string[]
  /** Not these. */
  skip: readonly string[]
}

export const everyPlane: PlaneChoice = { disable: [], enable: [], exactly: [], only: [], skip: [] }

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

const hint = `\`${reviewerName}\` looks at quick and standard, planes of models look at deep`

/** Code first, then `reviewer`, then the planes of depth deep; each name once. */
export function listPlaneNames(modelPlanes = listModelPlanes()): string[] {
  return [...new Set([...codePlanes, { name: reviewerName }, ...modelPlanes].map(({ name }) => name))]
}

/**
 * A filter also keeps models from being asked, which would cost money and send code; the review is then incomplete. Throws
 * `plane-unknown` for an unknown name, and when none of the planes asked for runs at this depth.
 */
export function choosePlanes(
  choice: PlaneChoice,
  depth: Depth,
  modelPlanes: readonly ModelPlane[] = listModelPlanes(),
): ChosenPlanes {
  refuseUnknown(choice, listPlaneNames(modelPlanes))
  const isOn = ({ name, byDefault = true }: Named): boolean => {
    if (choice.exactly.length > 0) return choice.exactly.includes(name)
    return !choice.disable.includes(name) && (byDefault || choice.enable.includes(name))
  }
  const filterOf = ({ name }: Named): string | null => {
    if (choice.skip.includes(name)) return `--skip ${name}`
    return choice.only.length === 0 || choice.only.includes(name) ? null : `--only ${choice.only.join(',')}`
  }
  const candidates = panelOf(depth, modelPlanes)
  const planes = codePlanes.filter(isOn)
  const asked = candidates?.planes.filter((plane) => isOn(plane) && filterOf(plane) === null) ?? []
  const seen = new Set(
    [...planes.filter((plane) => filterOf(plane) === null), ...asked].map(({ name }) => name),
  )
  const requested = choice.exactly.length > 0 ? choice.exactly : choice.only
  if (requested.length > 0 && seen.size === 0)
    throw new UserError('plane-unknown', `none of ${requested.join(', ')} looks at depth ${depth}; ${hint}`)
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
    panel: candidates && asked.length > 0 ? { ...candidates, planes: asked } : null,
    off: [
      ...codePlanes.flatMap((plane) => why(plane, false)),
      ...(candidates?.planes.filter(({ byDefault }) => byDefault) ?? []).flatMap((plane) => why(plane, true)),
    ],
    hidden: new Map(planes.flatMap((plane) => entryOf(plane.name, filterOf(plane)))),
    idle: requested.filter((name) => !seen.has(name) && !choice.disable.includes(name)),
  }
}

/** Without the planes that an earlier attempt did not finish, those of models among them. */
export function withoutUnfinished(chosen: ChosenPlanes, { finished }: StoppedReview): ChosenPlanes {
  const isFinished = ({ name }: Named): boolean => finished.includes(name)
  const stopped = ({ name }: Named) => ({
    plane: name,
    state: 'failed' as const,
    reason: 'not finished when the watchdog stopped the review',
  })
  const asked = chosen.panel?.planes ?? []
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

type Named = { name: string; byDefault?: boolean }

function entryOf(name: string, filter: string | null): [string, string][] {
  return filter === null ? [] : [[name, filter]]
}

/** Names of all planes that run at this depth by default, each once. */
export function planesAt(depth: Depth): string[] {
  const { planes, panel } = choosePlanes(everyPlane, depth)
  return [...new Set([...planes, ...(panel?.planes ?? [])].map(({ name }) => name))]
}

/** The planes that a model is asked for by default. */
export function defaultPanel(depth: Depth | 'auto'): Panel | null {
  return choosePlanes(everyPlane, depth === 'auto' ? 'quick' : depth).panel
}

function panelOf(depth: Depth, modelPlanes: readonly ModelPlane[]): Panel | null {
  if (depth === 'offline') return null
  return depth === 'deep' ? deepPanel(modelPlanes) : onePanel(depth)
}

function refuseUnknown(
  { disable, enable, only, skip, exactly }: PlaneChoice,
  known: readonly string[],
): void {
  const off = [...disable, ...skip].filter((name) => !formerPlaneNames.includes(name))
  const unknown = [...off, ...enable, ...only, ...exactly].find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new UserError('plane-unknown', `there is no plane \`${unknown}\`; there are ${known.join(', ')}`)
}
