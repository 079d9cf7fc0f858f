/** Packages: what a repository publishes in a registry, and what others import of it. */
import type { ContractKind, Provided } from '../../contract.ts'
import { worldOf } from '../tree-world.ts'
import { packageBreaks } from './breaks.ts'
import type { BrokenExport, BrokenShape, Ecosystem, PackageShape, PackageUseShape } from './contract.ts'
import { crates } from './ecosystems/crates.ts'
import { gems } from './ecosystems/gems.ts'
import { go } from './ecosystems/go.ts'
import { maven } from './ecosystems/maven.ts'
import { npm } from './ecosystems/npm.ts'
import { nuget } from './ecosystems/nuget.ts'
import { pypi } from './ecosystems/pypi.ts'
import { judgeUse } from './judge.ts'

const ecosystems: readonly Ecosystem[] = [npm, pypi, go, crates, maven, nuget, gems]

export const packages: ContractKind<PackageShape, PackageUseShape, BrokenShape> = {
  kind: 'package',
  mayProvide: (path) => !isShown(path) && ecosystems.some((one) => one.mayProvide(path)),
  mayUse: (path) => ecosystems.some((one) => one.mayUse(path)),
  // A file of Ruby may name a constant without any of the words.
  cue: /\b(?:import|require|from|use|using|scripts)\b|\b[A-Z]\w*::[A-Z]|\b[A-Z]\w*\.[a-z]/,
  async provided(paths, tree) {
    const world = await worldOf(tree)
    const found: Provided<PackageShape>[] = []
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
  breaks: (before, after) => packageBreaks(before, after).map(withExact),
  judge(broken, use, file) {
    const ecosystem = ecosystemOf(broken)
    return ecosystem ? judgeUse(ecosystem, broken, use, file) : null
  },
  isMeant: async (broken, use, tree) => (await ecosystemOf(broken)?.isMeant(broken, use, tree)) ?? false,
  pin: async (broken, use, tree) => (await ecosystemOf(broken)?.pin(broken, use, tree)) ?? null,
}

/** Programs that show how a package is used are published with none. */
function isShown(path: string): boolean {
  return /(?:^|\/)(?:examples?|samples?|demos?|playgrounds?|benchmarks?)\//i.test(path)
}

/** Whatever imports a module or a package that went is broken, by any name. */
function withExact(broken: BrokenExport): BrokenExport {
  const { of, targets } = broken.shape
  return of === 'export' || of === 'member' ? { ...broken, exact: targets } : broken
}

function ecosystemOf({ shape }: BrokenExport): Ecosystem | undefined {
  return ecosystems.find(({ id }) => id === shape.ecosystem)
}
