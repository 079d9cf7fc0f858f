/** Turns worlds and their mutants into repositories and cases: everything a self-contained evaluation needs. */
import { join } from 'node:path'
import { type EvalCase, writeHistory } from '../../src/evaluation/index.ts'
import type { Mutant } from '../mutants/contract.ts'
import { seedMutants } from '../mutants/seed-mutants.ts'
import { importStream } from './import-stream.ts'
import type { World } from './parse-world.ts'

/** `mirrors` gets OWNER+NAME/repo for each world and must not have them yet. Clean changes come first, then mutants. */
export async function buildWorlds(
  worlds: readonly World[],
  mirrors: string,
  seed: number,
): Promise<EvalCase[]> {
  const cases: EvalCase[] = []
  for (const world of worlds) {
    const mutants = seedMutants(world, seed)
    const ids = await writeHistory(
      join(mirrors, `worlds+${world.name}`, 'repo'),
      importStream(world, mutants),
    )
    cases.push(...casesOf(world, mutants, ids))
  }
  return cases
}

function casesOf(world: World, mutants: readonly Mutant[], ids: ReadonlyMap<string, string>): EvalCase[] {
  const shared = { repo: `worlds/${world.name}`, url: null, language: languageOf(world), rejected: [] }
  const ends = (change: number, branch: string) => ({
    base: ids.get(`change-${change - 1}`) ?? '',
    head: ids.get(branch) ?? '',
  })
  const twinOf = (change: number) => `clean/${world.name}/${change}`
  const clean = world.commits.slice(1).map((_, at): EvalCase => {
    const change = at + 1
    const both = ends(change, `change-${change}`)
    return {
      ...shared,
      ...both,
      id: twinOf(change),
      kind: 'clean',
      source: 'clean',
      expected: [],
      twin: null,
    }
  })
  const faulty = mutants.map(({ operator, mutation, change }, at): EvalCase => {
    const { name, severity, category, context } = operator
    const { place, also, description } = mutation
    return {
      ...shared,
      ...ends(change, `mutant-${at}`),
      id: `mutant/${world.name}/${name}/${change}`,
      kind: 'fault',
      source: name,
      expected: [{ place, also, severity, category, description, context }],
      twin: twinOf(change),
    }
  })
  return [...clean, ...faulty]
}

function languageOf({ commits }: World): string | null {
  const names = { ts: 'TypeScript', py: 'Python', go: 'Go', rs: 'Rust', java: 'Java' }
  const paths = [...(commits[0]?.files.keys() ?? [])]
  const found = Object.entries(names).find(([ending]) => paths.some((path) => path.endsWith(`.${ending}`)))
  return found?.[1] ?? null
}
