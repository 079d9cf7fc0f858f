/** Packages: what a repository publishes in a registry, and what others import of it. */
import type { Break, ContractKind, Provided, Use } from '../../contract.ts'
import { worldOf } from '../tree-world.ts'
import { packageBreaks } from './breaks.ts'
import type { BrokenExport, Ecosystem, PackageUse, ProvidedExport } from './contract.ts'
import { crates } from './ecosystems/crates.ts'
import { gems } from './ecosystems/gems.ts'
import { go } from './ecosystems/go.ts'
import { maven } from './ecosystems/maven.ts'
import { npm } from './ecosystems/npm.ts'
import { nuget } from './ecosystems/nuget.ts'
import { pypi } from './ecosystems/pypi.ts'
import { judgeUse } from './judge.ts'

const ecosystems: readonly Ecosystem[] = [npm, pypi, go, crates, maven, nuget, gems]

export const packages: ContractKind = {
  kind: 'package',
  mayProvide: (path) => !isShown(path) && ecosystems.some((one) => one.mayProvide(path)),
  mayUse: (path) => ecosystems.some((one) => one.mayUse(path)),
  // A file of Ruby may name a constant without any of the words.
  cue: /\b(?:import|require|from|use|using|scripts)\b|\b[A-Z]\w*::[A-Z]|\b[A-Z]\w*\.[a-z]/,
  async provided(paths, tree) {
    const world = await worldOf(tree)
    const found: Provided[] = []
    for (const ecosystem of ecosystems) {
      const own = paths.filter((path) => ecosystem.mayProvide(path))
      if (own.length > 0) found.push(...(await ecosystem.provided(world, own)))
    }
    return found
  },
  async uses(file) {
    const found = ecosystems.filter((one) => one.mayUse(file.path)).flatMap((one) => one.uses(file))
    return found.map((use) => ({ ...use, exact: use.shape.target }))
  },
  breaks: (before, after) =>
    packageBreaks(before as readonly ProvidedExport[], after as readonly ProvidedExport[]).map(withExact),
  judge(broken, use, file) {
    const [one, of, by] = sidesOf(broken, use)
    return one ? judgeUse(one, of, by, file) : null
  },
  async isMeant(broken, use, tree) {
    const [one, of, by] = sidesOf(broken, use)
    return one ? one.isMeant(of, by, tree) : false
  },
  async pin(broken, use, tree) {
    const [one, of, by] = sidesOf(broken, use)
    return one ? one.pin(of, by, tree) : null
  },
}

/** Programs that show how a package is used are published with none. */
function isShown(path: string): boolean {
  return /(?:^|\/)(?:examples?|samples?|demos?|playgrounds?|benchmarks?)\//i.test(path)
}

/** Whatever imports a module or a package that went is broken, by any name. */
function withExact(broken: BrokenExport): Break {
  const { of, targets } = broken.shape
  return of === 'export' || of === 'member' ? { ...broken, exact: targets } : broken
}

/** Shapes are those that this kind has made. */
function sidesOf(broken: Break, use: Use): [Ecosystem | undefined, BrokenExport, PackageUse] {
  const of = broken as BrokenExport
  return [ecosystems.find(({ id }) => id === of.shape.ecosystem), of, use as PackageUse]
}
