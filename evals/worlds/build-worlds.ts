/** Turns worlds and their mutants into repositories and cases: everything a self-contained evaluation needs. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runGit } from '../base/git.ts'
import type { EvalCase } from '../cases/eval-case.ts'
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

/**
 * Makes a repository from a stream of `git fast-import`, whose identities and dates give the same ids on every machine.
 * `folder` must not exist yet; it becomes a bare repository. Returns commit ids by branch.
 */
async function writeHistory(folder: string, stream: string): Promise<Map<string, string>> {
  mkdirSync(folder, { recursive: true })
  await runGit(folder, ['init', '--quiet', '--bare', '--template=', '--object-format=sha1'])
  await runGit(folder, ['fast-import', '--quiet', '--done'], { input: stream })
  const format = '--format=%(objectname) %(refname:lstrip=2)'
  const refs = await runGit(folder, ['for-each-ref', format, 'refs/heads'])
  const lines = refs.toString().trim().split('\n')
  return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]))
}
