/** Collects every change of a world as the product does, and compares what it says with the labels. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Services } from '../../src/assembly/services.ts'
import { withWorkspace } from '../../src/assembly/workspace/with-workspace.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import type { WorkspaceView } from '../../src/domain/workspace.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { drawChanges, type LabelledChange } from './changes.ts'
import type { Scenes } from './scene.ts'
import { buildWorld, type Place, writeWorld } from './world.ts'

type SaidPlace = Place & { line: number; name: string; how: string; confidence: string }

export type Outcome = {
  change: LabelledChange
  found: Place[]
  missed: Place[]
  /** What is said of places that are none of the labels. */
  wrong: SaidPlace[]
  /** What is said to be broken, for people. */
  what: string[]
}

type Parts = Pick<Services, 'settings' | 'environment' | 'facts' | 'folders' | 'signal' | 'now'>

/** `folder`: the repositories are written there. `kinds`: null for all. */
export async function measureWorld(
  tables: readonly Scenes[],
  seed: number,
  each: number,
  kinds: ReadonlySet<string> | null,
  folder: string,
): Promise<Outcome[]> {
  const world = buildWorld(seed, tables)
  const changes = drawChanges(world, each).filter(({ kind }) => kinds?.has(kind) ?? true)
  await writeWorld(world, folder, changes)
  const parts = openParts(
    folder,
    [...world.repositories.keys()].map((name) => join(folder, name)),
  )
  try {
    const outcomes: Outcome[] = []
    for (const change of changes) {
      const view = await collectView(join(folder, change.repository), `main..change-${change.id}`, parts)
      outcomes.push(compare(change, view))
    }
    return outcomes
  } finally {
    await parts.facts.close()
  }
}

/** `repositories`: folders of the workspace. What is read of them is kept below `folder`. */
export function openParts(folder: string, repositories: string[]): Parts {
  const cache = join(folder, '.cache')
  mkdirSync(cache, { recursive: true })
  return {
    settings: { ...defaultSettings, workspace: { ...defaultSettings.workspace, repositories } },
    environment: process.env,
    facts: createFactStore({ cacheFolder: cache }),
    folders: { cache },
    signal: new AbortController().signal,
    now: () => new Date(),
  }
}

/** What the workspace says of a range of commits of the repository in `folder`. */
export async function collectView(folder: string, range: string, parts: Parts): Promise<WorkspaceView> {
  const selector = { kind: 'range', range } as const
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits })
  try {
    const { request } = await withWorkspace(change, parts, null)
    return request.workspace ?? { repositories: [], hidden: 0, breaks: [], touched: [], companions: [] }
  } finally {
    await change.close()
  }
}

function compare(change: LabelledChange, { breaks }: WorkspaceView): Outcome {
  const said = breaks.flatMap(({ uses }) =>
    uses.map(({ repository, path, line, endLine, name, how, confidence }) => ({
      ...{ repository: repository.split('/').at(-1) ?? '', path, line, name, how, confidence },
      lines: Array.from({ length: endLine - line + 1 }, (_, at) => line + at),
    })),
  )
  const isOf = (place: Place) => (one: Place) =>
    one.repository === place.repository &&
    one.path === place.path &&
    one.lines.some((line) => place.lines.includes(line))
  const allowed = [...change.places, ...change.tolerated]
  return {
    change,
    found: change.places.filter((place) => said.some(isOf(place))),
    missed: change.places.filter((place) => !said.some(isOf(place))),
    wrong: said.filter((one) => !allowed.some(isOf(one))),
    what: breaks.map(({ kind, name, what, how }) => `${kind} ${name}, ${how}: ${what}`),
  }
}
