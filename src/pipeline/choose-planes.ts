/** Which planes look at a change: those of code and those of models, by the same names. */
import { UserError } from '../base/errors.ts'
import type { Depth } from '../domain/review.ts'
import type { Plane } from './planes/contract.ts'
import { planes as codePlanes } from './planes/registry.ts'
import type { ModelPlane, Panel } from './reviewer/panel/contract.ts'
import { deepPanel, onePanel } from './reviewer/panel/panels.ts'
import { reviewerName } from './reviewer/panel/read-plane.ts'
import { listModelPlanes } from './reviewer/panel/registry.ts'

export type PlaneChoice = {
  /** Not these. Wins over `enable`. */
  disable: readonly string[]
  /** Also these, which only look when they are asked for. */
  enable: readonly string[]
  /** Of those that would look only these; empty: no restriction. */
  only: readonly string[]
  /** These and no others, whatever the three above say; empty: as they say. */
  exactly: readonly string[]
}

export type ChosenPlanes = {
  planes: readonly Plane[]
  /** Null where no model is to be asked. */
  panel: Panel | null
  /** Names that look at this depth unless they are switched off, and are switched off. */
  off: readonly string[]
  /** Names that were asked for and do not look at this depth. */
  idle: readonly string[]
}

const hint = `\`${reviewerName}\` looks at quick and standard, planes of models look at deep`

/** Code first, then `reviewer`, then the planes of depth deep; each name once. */
export function listPlaneNames(modelPlanes = listModelPlanes()): string[] {
  return [...new Set([...codePlanes, { name: reviewerName }, ...modelPlanes].map(({ name }) => name))]
}

/** Throws `plane-unknown` for a name that no plane has, and when none of those asked for looks at this depth. */
export function choosePlanes(
  choice: PlaneChoice,
  depth: Depth,
  modelPlanes: readonly ModelPlane[] = listModelPlanes(),
): ChosenPlanes {
  refuseUnknown(choice, listPlaneNames(modelPlanes))
  const looks = ({ name, byDefault = true }: { name: string; byDefault?: boolean }): boolean => {
    if (choice.exactly.length > 0) return choice.exactly.includes(name)
    if (choice.disable.includes(name)) return false
    if (choice.only.length > 0 && !choice.only.includes(name)) return false
    return byDefault || choice.enable.includes(name)
  }
  const candidates = panelOf(depth, modelPlanes)
  const asked = candidates?.planes.filter(looks) ?? []
  const planes = codePlanes.filter(looks)
  const running = new Set([...planes, ...asked].map(({ name }) => name))
  const wanted = choice.exactly.length > 0 ? choice.exactly : choice.only
  if (wanted.length > 0 && running.size === 0)
    throw new UserError('plane-unknown', `none of ${wanted.join(', ')} looks at depth ${depth}; ${hint}`)
  const usual = [...codePlanes, ...(candidates?.planes.filter(({ byDefault }) => byDefault) ?? [])]
  return {
    planes,
    panel: candidates && asked.length > 0 ? { ...candidates, planes: asked } : null,
    off: [...new Set(usual.map(({ name }) => name))].filter((name) => !running.has(name)),
    idle: wanted.filter((name) => !running.has(name) && !choice.disable.includes(name)),
  }
}

/** Names of all that look at this depth without being asked for, each once. */
export function planesAt(depth: Depth): string[] {
  const { planes, panel } = choosePlanes({ disable: [], enable: [], only: [], exactly: [] }, depth)
  return [...new Set([...planes, ...(panel?.planes ?? [])].map(({ name }) => name))]
}

/** Who asks a model without being asked for. */
export function usualPanel(depth: Depth | 'auto'): Panel | null {
  const choice = { disable: [], enable: [], only: [], exactly: [] }
  return choosePlanes(choice, depth === 'auto' ? 'quick' : depth).panel
}

function panelOf(depth: Depth, modelPlanes: readonly ModelPlane[]): Panel | null {
  if (depth === 'offline') return null
  return depth === 'deep' ? deepPanel(modelPlanes) : onePanel(depth)
}

function refuseUnknown({ disable, enable, only, exactly }: PlaneChoice, known: readonly string[]): void {
  const unknown = [...disable, ...enable, ...only, ...exactly].find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new UserError('plane-unknown', `there is no plane \`${unknown}\`; there are ${known.join(', ')}`)
}
