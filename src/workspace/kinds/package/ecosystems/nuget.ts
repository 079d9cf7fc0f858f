/** C#: projects by `*.csproj`, and the public types of their namespaces. */
import { fileNameOf, folderOf, isTestPath, isVendoredPath } from '../../../../base/file-paths.ts'
import type { World } from '../../../../code-index/resolve/contract.ts'
import type { Pin, SourceFile, SourceTree } from '../../../contract.ts'
import { placeAt } from '../../../places.ts'
import { worldOf } from '../../tree-world.ts'
import type { BrokenExport, Ecosystem, PackageUse, ProvidedExport, Publisher } from '../contract.ts'
import { type DeclaringFile, declaredSurface } from '../declared.ts'
import { escaped, foldersAbove, isInside, lineWith, pinIn, someLine } from '../manifests.ts'
import { usesThroughModules } from '../open-uses.ts'
import { namesDefinedIn, packageEntry } from '../surface.ts'

const id = 'nuget'
const mostFiles = 400

export const nuget: Ecosystem = {
  id,
  mayProvide: (path) => /\.(?:cs|csproj)$/.test(path) && !isTestPath(path) && !isVendoredPath(path),
  mayUse: (path) => /\.cs$/.test(path) && !isVendoredPath(path),
  provided,
  uses,
  isMeant,
  pin,
  // The name may come from another namespace that the file uses.
  refusesMissing: () => false,
}

async function projectAbove(world: World, path: string): Promise<Publisher | null> {
  for (const folder of foldersAbove(path)) {
    const at = world.paths.filesIn(folder).find((one) => one.endsWith('.csproj'))
    if (at !== undefined) return await world.once(`project ${at}`, () => readProject(world, folder, at))
  }
  return null
}

async function readProject(world: World, folder: string, path: string): Promise<Publisher | null> {
  const text = (await world.text(path)) ?? ''
  if (/<IsPackable>\s*false|<OutputType>\s*(?:Win)?Exe|<IsTestProject>\s*true/i.test(text)) return null
  const stem = fileNameOf(path).replace(/\.csproj$/, '')
  const name = /<(PackageId|AssemblyName)>\s*([\w.-]{1,100})\s*<\/\1>/.exec(text)?.[2] ?? stem
  return { name, folder, path, line: lineWith(text, /<(?:PackageId|AssemblyName)>/) ?? 1 }
}

async function provided(world: World, changed: readonly string[]): Promise<ProvidedExport[]> {
  const projects = new Map<string, Publisher>()
  for (const path of changed) {
    const project = await projectAbove(world, path)
    if (project) projects.set(project.name, project)
  }
  const defined = await namesDefinedIn(world, changed)
  const found: ProvidedExport[] = []
  for (const project of projects.values()) {
    const paths = filesBelow(world, project.folder, changed)
    const facts = await world.factsOf(paths.slice(0, mostFiles))
    const declaring = [...facts].map(([path, facts]): DeclaringFile => ({ path, facts }))
    const modules = Map.groupBy(
      declaring.filter(({ facts }) => facts.packageName),
      ({ facts }) => facts.packageName ?? '',
    )
    const keys = [...modules.keys()].map((one) => `nuget:${one}`)
    found.push(packageEntry(id, project, keys, defined))
    for (const [module, files] of modules) {
      const [first] = files
      if (!first) continue
      found.push(
        ...declaredSurface({
          ...{ ecosystem: id, package: project.name, keys: [`nuget:${module}`], name: module, files },
          place: placeAt(first.path, 1),
          isOpen: facts.size < paths.length || files.some((one) => one.facts.errorLines.length > 0),
          constructorName: (type) => type,
        }),
      )
    }
  }
  return found
}

/** Folders of changed files first: a type may be written in several files, of one folder more often than not. */
function filesBelow(world: World, folder: string, changed: readonly string[]): string[] {
  const folders = new Set<string>([folder])
  for (const path of changed) if (path.endsWith('.cs') && isInside(path, folder)) folders.add(folderOf(path))
  return [...folders]
    .sort()
    .flatMap((one) => world.paths.filesIn(one).filter((path) => path.endsWith('.cs') && !isTestPath(path)))
}

function uses(file: SourceFile): PackageUse[] {
  const { facts } = file
  if (facts?.language !== 'csharp') return []
  return usesThroughModules(id, { ...file, facts }, (source) =>
    /^(?:System|Microsoft|Windows)(?:\.|$)/.test(source) ? null : `nuget:${source}`,
  )
}

async function projectTexts(tree: SourceTree): Promise<ReadonlyMap<string, string>> {
  const world = await worldOf(tree)
  return await world.once('csproj files', async () => {
    const paths = (await tree.paths()).filter((path) =>
      /\.csproj$|(?:^|\/)(?:Directory\.Packages\.props|packages\.lock\.json|packages\.config)$/.test(path),
    )
    return await world.texts(paths.slice(0, 300))
  })
}

function reference(name: string): RegExp {
  return new RegExp(`(?:Include|id)\\s*=\\s*"${escaped(name)}"|^\\s*"${escaped(name)}"\\s*:`, 'i')
}

async function isMeant({ shape }: BrokenExport, _use: PackageUse, tree: SourceTree): Promise<boolean> {
  const texts = await projectTexts(tree)
  return texts.size === 0 || someLine(texts, reference(shape.package))
}

async function pin({ shape }: BrokenExport, _use: PackageUse, tree: SourceTree): Promise<Pin | null> {
  const texts = [...(await projectTexts(tree))].sort(
    ([a], [b]) => Number(b.endsWith('.json')) - Number(a.endsWith('.json')),
  )
  for (const [path, text] of texts) {
    const found = pinIn(
      path,
      text,
      reference(shape.package),
      /(?:[vV]ersion\s*=\s*|"resolved"\s*:\s*)"([^"]+)"/,
    )
    if (found) return found
  }
  return null
}
