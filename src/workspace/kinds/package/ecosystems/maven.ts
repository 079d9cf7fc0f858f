/** Java and Kotlin: artifacts by `pom.xml` or Gradle, and the public types of their packages. */
import { folderOf, isTestPath, isVendoredPath } from '../../../../base/file-paths.ts'
import type { ImportFact } from '../../../../code-index/contract.ts'
import type { World } from '../../../../code-index/resolve/contract.ts'
import type { Pin, SourceFile, SourceTree } from '../../../contract.ts'
import { placeAt } from '../../../places.ts'
import { worldOf } from '../../tree-world.ts'
import type { BrokenExport, Ecosystem, PackageUse, ProvidedExport, Publisher } from '../contract.ts'
import { type DeclaringFile, declaredSurface } from '../declared.ts'
import { escaped, foldersAbove, inFolder, lineWith, pinIn } from '../manifests.ts'
import { namesDefinedIn, packageEntry } from '../surface.ts'
import { type ImportTarget, usesOf } from '../uses.ts'

const id = 'maven'
const manifests = ['pom.xml', 'build.gradle.kts', 'build.gradle']
const code = /\.(?:java|kt)$/
const mostFolders = 30

export const maven: Ecosystem = {
  id,
  mayProvide: (path) =>
    (code.test(path) && !isTest(path) && !isVendoredPath(path)) ||
    manifests.some((name) => path.endsWith(name)),
  mayUse: (path) => code.test(path) && !isVendoredPath(path),
  provided,
  uses,
  isMeant,
  pin,
  refusesMissing: (_file, { shape }) => shape.role === 'import',
}

async function artifactAbove(world: World, path: string): Promise<Publisher | null> {
  for (const folder of foldersAbove(path))
    for (const name of manifests) {
      const at = inFolder(folder, name)
      if (world.paths.has(at))
        return await world.once(`artifact ${at}`, () => readArtifact(world, folder, at))
    }
  return null
}

/** Elements of a `pom.xml` that name other artifacts. */
const ofOthers = ['parent', 'dependencies', 'build', 'dependencyManagement', 'profiles']

function withoutElement(text: string, name: string): string {
  const [first = '', ...rest] = text.split(`<${name}>`)
  const end = `</${name}>`
  return (
    first +
    rest.map((part) => part.slice(part.indexOf(end) < 0 ? 0 : part.indexOf(end) + end.length)).join('')
  )
}

async function readArtifact(world: World, folder: string, path: string): Promise<Publisher> {
  const text = (await world.text(path)) ?? ''
  const own = ofOthers.reduce(withoutElement, text)
  const named = /<artifactId>\s*([\w.-]{1,100})\s*<\/artifactId>/.exec(own)?.[1]
  const settings = ['settings.gradle.kts', 'settings.gradle'].map((one) => inFolder(folder, one))
  const root = [...(await world.texts(settings)).values()].join('\n')
  const name =
    named ??
    /rootProject\.name\s*=\s*["']([\w.-]{1,100})["']/.exec(root)?.[1] ??
    folder.split('/').at(-1) ??
    ''
  const line = lineWith(text, new RegExp(`<artifactId>\\s*${escaped(name)}\\s*<`)) ?? 1
  return { name, folder, path, line }
}

async function provided(world: World, changed: readonly string[]): Promise<ProvidedExport[]> {
  const found: ProvidedExport[] = []
  const artifacts = new Map<string, Publisher>()
  const folders = new Map<string, Publisher>()
  for (const path of changed) {
    const artifact = await artifactAbove(world, path)
    if (!artifact || artifact.name === '') continue
    artifacts.set(artifact.name, artifact)
    if (code.test(path)) folders.set(folderOf(path), artifact)
  }
  const defined = await namesDefinedIn(world, changed)
  for (const artifact of artifacts.values()) found.push(packageEntry(id, artifact, [], defined))
  for (const [name, own] of Map.groupBy([...folders].sort(), ([, artifact]) => artifact.name)) {
    const paths = [...new Set(own.flatMap(([folder]) => filesOfPackage(world, folder)))].sort()
    const files = [...(await world.factsOf(paths))].map(([path, facts]) => ({ path, facts }))
    const isWhole = files.length === paths.length
    for (const [module, declaring] of Map.groupBy(files, ({ facts }) => facts.packageName ?? ''))
      if (module !== '') found.push(...packageSurface(name, module, declaring, isWhole))
  }
  return found
}

function packageSurface(
  artifact: string,
  name: string,
  files: readonly DeclaringFile[],
  isWhole: boolean,
): ProvidedExport[] {
  return declaredSurface({
    ...{ ecosystem: id, package: artifact, keys: [`maven:${name}`], name, files },
    place: placeAt(files[0]?.path ?? '', 1),
    isOpen: !isWhole || files.some(({ facts }) => facts.errorLines.length > 0),
    constructorName: (type) => type,
  })
}

/** A package may have folders in several artifacts of the repository. */
function filesOfPackage(world: World, folder: string): string[] {
  const [, inside] = /^(?:.{0,500}?\/)?(?:java|kotlin)\/(.{1,500})$/.exec(folder) ?? []
  const folders = new Set([folder, ...(inside === undefined ? [] : world.paths.foldersEndingWith(inside))])
  return [...folders]
    .slice(0, mostFolders)
    .flatMap((one) => world.paths.filesIn(one).filter((path) => code.test(path) && !isTest(path)))
}

/** The source sets of Gradle are called after what they are for. */
function isTest(path: string): boolean {
  return isTestPath(path) || /(?:^|\/)src\/\w*[tT]est\//.test(path)
}

function uses(file: SourceFile): PackageUse[] {
  const { facts } = file
  if (facts?.language !== 'java' && facts?.language !== 'kotlin') return []
  return usesOf(id, { ...file, facts }, targetOf)
}

/** `com.acme.Client`, and of static imports `com.acme.Client` with a member of it. */
function targetOf({ source, imported }: ImportFact): ImportTarget | null {
  if (
    !/^[a-z]\w*(?:\.\w+){1,20}$/.test(source) ||
    /^(?:java|javax|kotlin|kotlinx|android|androidx)\./.test(source)
  )
    return null
  const parts = source.split('.')
  const at = parts.findIndex((part) => /^[A-Z]/.test(part))
  const isTopLevel = at < 0 && imported !== '*'
  const module = (
    at < 0 ? (isTopLevel && parts.at(-1) === imported ? parts.slice(0, -1) : parts) : parts.slice(0, at)
  ).join('.')
  const type = at < 0 ? [] : parts.slice(at)
  const names = imported === '*' || type.at(-1) === imported ? type : [...type, imported]
  return {
    key: `maven:${module}`,
    package: module,
    module,
    symbol: names.length === 0 ? null : names.join('.'),
  }
}

const buildFiles =
  /(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?|libs\.versions\.toml|[\w-]+\.gradle(?:\.kts)?)$/

async function buildTexts(tree: SourceTree): Promise<ReadonlyMap<string, string>> {
  const world = await worldOf(tree)
  return await world.once('build files', async () => {
    const paths = (await tree.paths()).filter((path) => buildFiles.test(path))
    return await world.texts(paths.slice(0, 200))
  })
}

async function isMeant({ shape }: BrokenExport, _use: PackageUse, tree: SourceTree): Promise<boolean> {
  const texts = await buildTexts(tree)
  const named = new RegExp(`(?<![\\w-])${escaped(shape.package)}(?![\\w-])`)
  return texts.size === 0 || [...texts.values()].some((text) => named.test(text))
}

async function pin({ shape }: BrokenExport, _use: PackageUse, tree: SourceTree): Promise<Pin | null> {
  const name = escaped(shape.package)
  for (const [path, text] of await buildTexts(tree)) {
    const found =
      pinIn(path, text, new RegExp(`<artifactId>\\s*${name}\\s*<`), /<version>\s*([\w.-]+)\s*<\/version>/) ??
      pinIn(path, text, new RegExp(`:${name}:`), new RegExp(`:${name}:([\\w.-]+)`))
    if (found) return found
  }
  return null
}
