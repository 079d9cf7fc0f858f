/** Twelve repositories in six languages that share contracts, made from a seed, and the places where each contract is used. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runGit } from '../../evals/base/git.ts'
import type { SharedKind } from '../../src/domain/shared-contract.ts'
import { Random } from '../../test/helpers/random.ts'
import { manifests } from './manifests.ts'
import { fill, Names } from './names.ts'
import { type Home, homes, type Pick, type Scene, type Scenes } from './scene.ts'
import { type Style, styleOf } from './style.ts'

export type Files = Map<string, string>
/** One place in a repository: a finding on any of these lines has found it. 1-based. */
export type Place = { repository: string; path: string; lines: number[] }
export type Repository = { name: string; remote: string; files: Files }
export type PlacedScene = {
  kind: SharedKind
  scene: Scene
  repository: string
  /** By mark: in every repository, that of the provider too. */
  places: Map<string, Place[]>
  render(address: string, text: string): { path: string; text: string }
}
export type World = { seed: number; repositories: Map<string, Repository>; scenes: PlacedScene[] }

/** Which homes share a repository. A provider and those who use it lie in different ones. */
const kits: Home[] = ['goKit', 'jvmKit', 'gemKit', 'crateKit', 'nugetKit']
const layouts: Home[][][] = [
  [
    ['ledger', 'database'],
    ['risk', 'desk'],
    [...kits, 'contracts'],
    ['deploy', 'ci'],
  ],
  [['jsKit', 'pyKit'], ['risk', 'desk'], kits, ['contracts', 'database'], ['admin', 'reporting']],
  [
    ['web', 'admin'],
    ['pricing', 'reporting'],
    ['pyKit', 'goKit'],
    ['ledger', 'desk'],
    ['jvmKit', 'crateKit', 'gemKit', 'nugetKit'],
    ['contracts', 'database'],
  ],
]
const repositoryNames: Partial<Record<Home, string[]>> = {
  web: ['web', 'storefront', 'shop-ui'],
  orders: ['orders', 'checkout-api', 'order-service'],
  jsKit: ['js-kit', 'frontend-packages', 'node-libs'],
  pyKit: ['py-kit', 'python-common'],
  edge: ['edge', 'gateway-go'],
  goKit: ['platform', 'foundation', 'libs'],
  jvmKit: ['platform-libs', 'shared-code'],
  database: ['warehouse', 'db-schema'],
  contracts: ['contracts', 'api-specs', 'interfaces'],
  deploy: ['deploy', 'infrastructure', 'gitops'],
  ci: ['ci', 'pipelines', 'build-tools'],
}
const organizations = ['acme', 'northwind', 'initech', 'globex', 'hooli']

export function buildWorld(seed: number, tables: readonly Scenes[]): World {
  const random = new Random(seed)
  const lay = layOut(random)
  const repositories = new Map<string, Repository>()
  for (const { repository } of lay.homes.values()) {
    const address = random.pick(lay.remotes)
    repositories.set(repository, {
      name: repository,
      remote: address.replace('REPO', `${lay.organization}/${repository}`),
      files: new Map(),
    })
  }
  const styles = new Map([...repositories.keys()].map((name) => [name, styleOf(random)]))
  const world: World = { seed, repositories, scenes: [] }
  const needs: (readonly [Home, string, string])[] = []
  for (const { kind, scenes } of tables) {
    const names = new Names(random)
    const pick: Pick = (...items) => random.pick(items)
    for (const make of scenes) {
      const scene = make(pick)
      const drawn = names.draw().set('org', lay.organization)
      const placed = placeScene(kind, scene, lay, drawn, styles)
      for (const [home, dependency, range] of scene.needs ?? [])
        needs.push([home, fill(placed.fillPlaces(dependency), drawn), range])
      world.scenes.push(placed)
      for (const [address, text] of Object.entries(scene.files)) addFile(world, placed, lay, address, text)
    }
  }
  for (const home of homes) {
    const { repository, folder } = lay.at(home)
    const own = needs.filter(([of]) => of === home)
    for (const [path, text] of manifests(home, own, lay.goModule(home)))
      repositories.get(repository)?.files.set(folder + path, text)
  }
  return world
}

/** Writes each repository to a folder of its name, as bare repositories with the branch `main` and one of each change. */
export async function writeWorld(
  world: World,
  folder: string,
  changes: readonly { id: string; repository: string; what: string; files: Map<string, string | null> }[],
): Promise<void> {
  for (const { name, remote, files } of world.repositories.values()) {
    const place = join(folder, name)
    mkdirSync(place, { recursive: true })
    await runGit(place, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'])
    await runGit(place, ['config', 'remote.origin.url', remote])
    const branches = changes
      .filter(({ repository }) => repository === name)
      .map((change, at) => commit(`change-${change.id}`, change.what, change.files, at + 1))
    const stream = [commit('main', 'Start', files, 0), ...branches, 'done\n'].join('')
    await runGit(place, ['fast-import', '--quiet', '--done'], { input: stream })
  }
}

function commit(branch: string, message: string, files: Map<string, string | null>, at: number): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const rows = [...files].map(([path, text]) =>
    text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
  )
  const committer = `committer Ada Parcel <ada@parcel.example> ${1_700_000_000 + at * 60} +0000\n`
  const head = `commit refs/heads/${branch}\n${at === 0 ? 'mark :1\n' : ''}${committer}${data(message)}`
  return `${head}${at === 0 ? '' : 'from :1\n'}${rows.join('')}\n`
}

type Layout = ReturnType<typeof layOut>

function layOut(random: Random) {
  const merged = random.pick(layouts)
  const organization = random.pick(organizations)
  const host = random.pick(['git.example', 'code.internal.example'])
  const folderStyle = random.pick(['', 'packages/', 'src/'])
  const placed = new Map<Home, { repository: string; folder: string }>()
  const taken = new Set<string>()
  for (const group of [
    ...merged,
    ...homes.filter((home) => !merged.flat().includes(home)).map((home) => [home]),
  ]) {
    const [first] = group
    if (first === undefined) continue
    const name = random.pick((repositoryNames[first] ?? [first]).filter((one) => !taken.has(one)))
    taken.add(name)
    for (const home of group)
      placed.set(home, { repository: name, folder: group.length > 1 ? `${folderStyle}${kebab(home)}/` : '' })
  }
  const at = (home: Home) => placed.get(home) ?? { repository: home, folder: '' }
  const goModule = (home: Home) =>
    `${host}/${organization}/${`${at(home).repository}/${at(home).folder}`.replace(/\/$/, '')}`
  const remotes = [`https://${host}/REPO.git`, `git@${host}:REPO.git`, `https://${host}/REPO`]
  return { homes: placed, organization, remotes, at, goModule }
}

function kebab(home: string): string {
  return home.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function placeScene(
  kind: SharedKind,
  scene: Scene,
  lay: Layout,
  drawn: Map<string, string>,
  styles: Map<string, Style>,
): PlacedScene & { fillPlaces(text: string): string } {
  const [first = ''] = Object.keys(scene.files)
  const fillPlaces = (text: string) =>
    text
      .replaceAll(/\{repo:(\w+)\}/g, (_, home) => lay.at(home).repository)
      .replaceAll(/\{dir:(\w+)\}/g, (_, home) => lay.at(home).folder)
      .replaceAll(/\{go:(\w+)\}/g, (_, home) => lay.goModule(home))
  const render = (address: string, text: string) => {
    const { home, path } = split(address)
    const { repository, folder } = lay.at(home)
    // A path that starts with a slash, and what a host reads, lies at the root of the repository.
    const inRepository = path.startsWith('/') ? path.slice(1) : path.startsWith('.git') ? path : folder + path
    const filled = fill(fillPlaces(inRepository), drawn)
    return { path: filled, text: styles.get(repository)?.(filled, fill(fillPlaces(text), drawn)) ?? text }
  }
  return {
    kind,
    scene,
    repository: lay.at(split(first).home).repository,
    places: new Map(),
    render,
    fillPlaces,
  }
}

export function split(address: string): { home: Home; path: string } {
  const space = address.indexOf(' ')
  return { home: address.slice(0, space) as Home, path: address.slice(space + 1) }
}

const mark = /[ \t]*¤([\w,.-]+)$/gm

function addFile(world: World, placed: PlacedScene, lay: Layout, address: string, text: string): void {
  const { repository } = lay.at(split(address).home)
  const files = world.repositories.get(repository)?.files
  const rendered = placed.render(address, text)
  if (files?.has(rendered.path))
    throw new Error(`${placed.scene.title}: ${repository}/${rendered.path} twice`)
  files?.set(rendered.path, withoutMarks(rendered.text))
  for (const [at, line] of rendered.text.split('\n').entries())
    for (const [, names = ''] of line.matchAll(mark))
      for (const name of names.split(',')) {
        const places = placed.places.get(name) ?? []
        placed.places.set(name, places)
        const known = places.find((one) => one.repository === repository && one.path === rendered.path)
        if (known) known.lines.push(at + 1)
        else places.push({ repository, path: rendered.path, lines: [at + 1] })
      }
}

export function withoutMarks(text: string): string {
  return text.replaceAll(mark, '')
}
