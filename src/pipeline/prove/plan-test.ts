/** How the test of a finding is run here: its project, its framework, where the test file belongs, and which tests are near. */

import { basename, dirname, extname, posix } from 'node:path'
import { compareText } from '../../base/compare-text.ts'
import type { Finding } from '../../domain/finding.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { Project, TestFramework } from '../../test-runs/contract.ts'
import { findProject } from '../../test-runs/find-project.ts'
import { frameworkOf } from '../../test-runs/registry.ts'

/** Or why no test can be run. Plain JSON. */
export type Plan = { why: string } | { why: null; framework: string; testPath: string; command: string[] }

/** `checkout`: the person's own folder of this repository, whose installed packages are lent; null where there is none. */
export async function planTest(finding: Finding, head: RepoSnapshot, checkout: string | null): Promise<Plan> {
  const { path } = finding.anchor
  const project = await findProject(path, head, checkout)
  const framework = project && frameworkOf(project)
  if (!project || !framework) return { why: 'no test framework that is known here tests this file' }
  const testPath = placeOfTest(finding, project, framework)
  const places = { root: '.', test: testPath, report: '/dev/null', text: '' }
  const command = framework.command(places, project)
  if (!command) return { why: `${framework.name} is not installed in this checkout` }
  return {
    why: null,
    framework: framework.name,
    testPath,
    command: command.typed ? [...command.typed] : shortCommand(command.words),
  }
}

/** Those of the same name first, then those in the nearest folders. */
export function nearestFirst(tests: readonly string[], path: string): string[] {
  const stem = basename(path, extname(path))
  const distance = (test: string) => {
    const [a, b] = [test.split('/'), path.split('/')]
    const common = a.findIndex((part, at) => part !== b[at])
    const sameName = basename(test).includes(stem) ? 0 : 100
    return sameName + a.length + b.length - 2 * Math.max(0, common)
  }
  return tests.toSorted((a, b) => distance(a) - distance(b) || compareText(a, b))
}

/** The nearest test files that name the file or one of these definitions: what they test may be that code. */
export async function testsThatReach(
  path: string,
  symbols: readonly string[],
  { project, head, most }: { project: Project; head: RepoSnapshot; most: number },
): Promise<{ path: string; text: string }[]> {
  const words = new Set([...symbols, basename(path, extname(path))])
  const candidates = nearestFirst(project.testFiles, path).slice(0, mostRead)
  const texts = await head.readMany(candidates)
  return candidates
    .flatMap((test) => {
      const text = texts.get(test)?.text ?? ''
      const named = text.match(/[\p{L}_$][\p{L}\p{N}_$-]*/gu) ?? []
      return named.some((word) => words.has(word)) ? [{ path: test, text }] : []
    })
    .slice(0, most)
}

const mostRead = 200

/** `shows-the-base-is-not-used-3f2a1b`: no file of the project is called so. */
export function stemOf({ title, fingerprint }: Finding): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return ['shows', ...words.slice(0, 5), fingerprint.slice(0, 6)].join('-')
}

/** Where the framework wants it, else beside the nearest test: it is found there, and its imports look like theirs. */
function placeOfTest(finding: Finding, project: Project, framework: TestFramework): string {
  const { path } = finding.anchor
  const name = framework.nameFor(stemOf(finding), extname(path))
  if (framework.folderFor) return posix.join(framework.folderFor(path, project), name)
  const [nearest] = nearestFirst(project.testFiles, path)
  return posix.join(nearest === undefined ? project.folder : dirname(nearest), name)
}

/** As a person types it: without our own reports, and with the program by its name. */
function shortCommand([program = '', ...args]: readonly string[]): string[] {
  const kept = args.filter((word) => !word.includes('/dev/null') && !/^--(?:test-)?reporter=/.test(word))
  return [basename(program), ...kept]
}
