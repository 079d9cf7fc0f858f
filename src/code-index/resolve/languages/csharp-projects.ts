/** What a C# project opens for all of its files: `global using` in a file of its own, `<Using>` in the project. */
import { folderOf } from '../../../base/file-paths.ts'
import type { World } from '../contract.ts'
import { joinPath } from '../world.ts'

/** Files that hold a project's `global using` by convention. */
const defaultFiles = ['GlobalUsings.cs', 'GlobalUsing.cs', 'Usings.cs', 'Imports.cs', 'Global.cs']
const shared = ['Directory.Build.props', 'Directory.Build.targets']

/** Namespaces, as written. */
export async function globalUsings(world: World, path: string): Promise<readonly string[]> {
  const project = projectFolder(world, path)
  return world.once(`csharp usings ${project}`, async () => [
    ...(await fromFiles(world, project)),
    ...(await fromProjects(world, project)),
  ])
}

/** The nearest folder above with a project file; the root when there is none. */
function projectFolder(world: World, path: string): string {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
    if (world.paths.filesIn(folder).some((file) => file.endsWith('.csproj'))) return folder
  return ''
}

async function fromFiles(world: World, project: string): Promise<string[]> {
  const files = defaultFiles
    .flatMap((name) => world.paths.named(name))
    .filter((path) => project === '' || path.startsWith(`${project}/`))
  const facts = await world.factsOf(files)
  return [...facts.values()].flatMap(({ imports }) =>
    imports.filter(({ reexport, local }) => reexport && local === null).map(({ source }) => source),
  )
}

async function fromProjects(world: World, project: string): Promise<string[]> {
  const files = world.paths.filesIn(project).filter((file) => file.endsWith('.csproj'))
  for (let folder = project; ; folder = folderOf(folder)) {
    files.push(
      ...shared.flatMap((name) => joinPath(folder, name) ?? []).filter((path) => world.paths.has(path)),
    )
    if (folder === '') break
  }
  const texts = await world.texts(files)
  return [...texts.values()].flatMap((text) =>
    [...text.matchAll(/<Using\s{1,9}Include="([\w.]{1,200})"/g)].flatMap(([, name]) => name ?? []),
  )
}
