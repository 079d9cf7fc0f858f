/** Repositories in memory, as the kinds of shared contracts read them, and what a change of one breaks in another. */
import { createHash } from 'node:crypto'
import { compareText } from '../../src/base/compare-text.ts'
import type { Confidence } from '../../src/domain/severity.ts'
import type { SharedPlace } from '../../src/domain/shared-contract.ts'
import type { Break, ContractKind, SourceTree } from '../../src/workspace/contract.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'

/** Text by path. */
export type Files = Readonly<Record<string, string>>

/** Real facts; nothing is too large here. */
export function treeOf(files: Files): SourceTree {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text, blob: blobOf(text) }))
  return {
    paths: async () => sources.map(({ path }) => path).sort(compareText),
    async read(paths) {
      const wanted = new Set(paths)
      const read = sources.filter(({ path }) => wanted.has(path))
      const facts = await sharedFacts().facts(read)
      return read.map(({ path, text }) => ({ path, text, facts: facts.get(path) ?? null }))
    },
  }
}

function blobOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

export type JudgedUse = { at: string; name: string; how: string; confidence: Confidence }
export type JudgedBreak = Pick<Break, 'name' | 'how' | 'renamedTo' | 'what'> & {
  before: string | null
  after: string | null
  uses: JudgedUse[]
}

/** Places as `path:line`. Only files that differ are asked for, as in a review; uses are looked up by their keys. */
export async function judgedChange(
  kind: ContractKind,
  before: Files,
  after: Files,
  user: Files,
): Promise<JudgedBreak[]> {
  const breaks = await breaksBetween(kind, before, after)
  const files = (await treeOf(user).read(Object.keys(user))).filter(
    ({ path, text }) => kind.mayUse(path) && kind.cue.test(text),
  )
  const uses = await Promise.all(files.map(async (file) => ({ file, uses: await kind.uses(file) })))
  return breaks.map((broken) => ({
    name: broken.name,
    how: broken.how,
    ...(broken.renamedTo !== undefined && { renamedTo: broken.renamedTo }),
    what: broken.what,
    before: placeOf(broken.before),
    after: placeOf(broken.after),
    uses: uses.flatMap(({ file, uses }) =>
      uses.flatMap((use) => {
        const confidence = broken.keys.includes(use.key) ? kind.judge(broken, use, file) : null
        const { name, how } = use
        return confidence === null ? [] : [{ at: `${use.path}:${use.line}`, name, how, confidence }]
      }),
    ),
  }))
}

function placeOf(place: SharedPlace | null): string | null {
  return place && `${place.path}:${place.line}`
}

/** A break on one line: `User.email removed`, and its uses with how sure each is. */
export function summary(breaks: readonly JudgedBreak[]): string[] {
  return breaks.map(({ name, how, uses }) =>
    [`${name} ${how}`, ...uses.map(({ at, confidence }) => `${at} ${confidence}`)].join(', '),
  )
}

/** `null` removes a file; the others are as they were. */
export function changed(before: Files, change: Readonly<Record<string, string | null>>): Files {
  const entries = Object.entries({ ...before, ...change })
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null))
}

export async function breaksBetween<Shape, UseShape, BreakShape>(
  kind: ContractKind<Shape, UseShape, BreakShape>,
  before: Files,
  after: Files,
): Promise<Break<BreakShape>[]> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path] && kind.mayProvide(path))
    .sort(compareText)
  return kind.breaks(await kind.provided(paths, treeOf(before)), await kind.provided(paths, treeOf(after)))
}

/** A break in a line: `removed acme.connect: what it says (before a.py:1, after b.py:3)`. */
export function words({ how, name, renamedTo, what, before, after }: Break): string {
  const places = [
    ...(before ? [`before ${placeOf(before)}`] : []),
    ...(after ? [`after ${placeOf(after)}`] : []),
  ]
  return `${how} ${name}${renamedTo === undefined ? '' : ` → ${renamedTo}`}: ${what} (${places.join(', ')})`
}

/** Each use of a whole repository that is among the breaks: `certain src/app.ts:3 @acme/client#connect`. */
export async function brokenUses(
  kind: ContractKind,
  breaks: readonly Break[],
  files: Files,
): Promise<string[]> {
  const tree = treeOf(files)
  const found: string[] = []
  for (const file of await tree.read(await tree.paths())) {
    if (!kind.mayUse(file.path) || !kind.cue.test(file.text)) continue
    for (const use of await kind.uses(file))
      for (const broken of breaks) {
        const confidence = broken.keys.includes(use.key) ? kind.judge(broken, use, file) : null
        if (confidence === null || (await kind.isMeant?.(broken, use, tree)) === false) continue
        found.push(`${confidence} ${use.path}:${use.line} ${use.name}`)
      }
  }
  return found
}
