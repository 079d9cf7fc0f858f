/**
 * A scene: one shared contract, who provides it, who uses it, and what can be changed about it. Written once in canonical
 * names; the world draws the rest by its seed.
 *
 * In all texts `entX`, `EntX`, `ent_x`, `ent-x` and `ENT_X` become a drawn name in that form, and likewise `subX`, `oneX`,
 * `twoX`, `sixX`, `newX`, `runX`, `endX`, `aidX`, and `orgX`, which is the same in all. `{repo:HOME}` is the name of the
 * repository a home lies in, `{dir:HOME}` its folder there with a slash after it, `{go:HOME}` the path of its Go module.
 * ` ¤mark,mark` at the end of a line marks it as a place that breaks; marks of one name in one file are one place.
 */
import type { BreakHow, SharedKind } from '../../src/domain/shared-contract.ts'

export const homes = [
  ...(['web', 'orders', 'jsKit', 'pricing', 'pyKit', 'edge', 'ledger', 'admin', 'risk', 'desk'] as const),
  ...(['goKit', 'jvmKit', 'gemKit', 'crateKit', 'nugetKit'] as const),
  ...(['contracts', 'database', 'reporting', 'deploy', 'ci'] as const),
]
export type Home = (typeof homes)[number]

/** `HOME path` → text. */
export type SceneFiles = Record<`${Home} ${string}`, string>

/**
 * What is done, what it means (`fits`: users need not change), the marks that break (`~mark`: a finding there is right, and
 * none is right too), and pairs of texts: in the one file of
 * the provider (the home of the scene's first file) that has the first, once, the second takes its place. `+path` and a text
 * adds a file, `-path` and nothing removes one, `>path` and a path moves one.
 */
export type SceneChange = readonly [what: string, how: BreakHow | 'fits', breaks: string, ...edits: string[]]

export type Scene = {
  title: string
  files: SceneFiles
  /** Packages that the manifest of a home names: home, package, range. */
  needs?: readonly (readonly [Home, string, string])[]
  changes: readonly SceneChange[]
}

export type Pick = <Item>(...items: readonly Item[]) => Item

export type Scenes = { kind: SharedKind; scenes: readonly ((pick: Pick) => Scene)[] }
