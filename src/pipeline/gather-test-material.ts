/** What a model is shown that writes the test of a finding: the code on both sides, what it is made with, tests that are near. */
import { basename, dirname, extname, join } from 'node:path'
import { openEvidenceBook } from '../domain/evidence.ts'
import type { Finding } from '../domain/finding.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Project } from '../test-runs/contract.ts'
import { findProject } from '../test-runs/find-project.ts'
import { nearestFirst, testsThatReach } from './prove/plan-test.ts'
import type { Piece } from './prove/write-test.ts'
import { type Dossier, gatherDossier, numberDossier } from './refutation/dossier.ts'
import type { CodeQuestions } from './refutation/sources.ts'
import type { StageInput } from './stage-input.ts'

export type Material = {
  material: Piece[]
  /** Names of the definitions around the cited lines. */
  symbols: string[]
  /** Tests of the project that reach the code, the nearest first. */
  neighbours: string[]
}

/** Bytes of evidence; characters of one file of each kind, and how many of these are. */
const most = {
  evidence: 40_000,
  ...{ example: 6_000, examples: 2 },
  ...{ file: 10_000, sibling: 4_000, siblings: 3 },
  neighbours: 3,
}

export type MaterialSources = Omit<StageInput, 'config' | 'onEvent'> & {
  /** Of the review. */
  finding: Finding
  code: CodeQuestions
}

export async function gatherMaterial(input: MaterialSources): Promise<Material> {
  const { finding, context, head } = input
  const book = openEvidenceBook(context.evidence)
  const draft = await gatherDossier(finding, { ...input, book, room: most.evidence })
  const dossier = numberDossier(draft, book)
  const { path } = finding.anchor
  const project = await findProject(path, head, null)
  const symbols = await symbolsAround(input)
  const examples = await examplesFor(path, project, head)
  const reaching = project
    ? await testsThatReach(path, symbols, { project, head, most: most.neighbours })
    : []
  const intent = authorsWords(context)
  const around = await surroundings(finding, project, head)
  return {
    material: [...materialOf(finding, dossier), intent, ...around, ...examples],
    symbols,
    neighbours: reaching.map((test) => test.path),
  }
}

/** What the change means to do is no defect, and a test of how it was before would fail all the same. */
function authorsWords({ request: { title, body }, around }: ReviewContext): Piece {
  const isLeftOut = around?.sections.some(({ name }) => name === 'author') === true
  return { origin: 'what its author says of the change', text: isLeftOut ? '' : `${title}\n\n${body}`.trim() }
}

/** How the code is reached from a test: what its file imports and exports, how values that it takes are made. */
async function surroundings(
  { anchor: { path }, side, startLine }: Finding,
  project: Project | null,
  head: RepoSnapshot,
): Promise<Piece[]> {
  const file = await head.read(path)
  if (!file || side === 'old') return []
  const words = new Set(file.text.toLowerCase().match(/[a-z0-9_-]+/g) ?? [])
  const stemOf = (one: string) => basename(one, extname(one)).toLowerCase()
  const tests = new Set(project?.testFiles)
  // Files of this folder that it names are what it is made with, in most languages.
  const siblings = (await head.list())
    .map((entry) => entry.path)
    .filter((one) => one !== path && isNextTo(one, path) && !tests.has(one) && words.has(stemOf(one)))
    .slice(0, most.siblings)
  // A test of Rust is outside the crate: it needs its name, and what it exports.
  const crate =
    project?.ecosystem === 'rust'
      ? ['Cargo.toml', 'src/lib.rs'].map((name) => join(project.folder, name))
      : []
  const others = [...new Set([...crate, ...siblings])].filter((one) => one !== path)
  const texts = await head.readMany(others)
  return [
    { origin: `the file after the change: ${path}`, text: around(file.text, startLine) },
    ...others.flatMap((one) => {
      const text = texts.get(one)?.text.slice(0, most.sibling)
      return text === undefined ? [] : [{ origin: `a file next to it: ${one}`, text }]
    }),
  ]
}

function isNextTo(one: string, path: string): boolean {
  return dirname(one) === dirname(path) && extname(one) === extname(path)
}

/** The whole text, or the lines around this one. */
function around(text: string, line: number): string {
  if (text.length <= most.file) return text
  const lines = text.split('\n')
  let [from, to, size] = [line - 1, line, 0]
  while (size < most.file && (from > 0 || to < lines.length)) {
    if (from > 0) size += lines[--from]?.length ?? 0
    if (to < lines.length) size += lines[to++]?.length ?? 0
  }
  return lines
    .slice(from, to)
    .join('\n')
    .slice(0, 2 * most.file)
}

async function examplesFor(path: string, project: Project | null, head: RepoSnapshot): Promise<Piece[]> {
  const nearest = nearestFirst(project?.testFiles ?? [], path).slice(0, most.examples)
  const texts = await head.readMany(nearest)
  return nearest.flatMap((test) => {
    const text = texts.get(test)?.text
    return text === undefined
      ? []
      : [{ origin: `a test of the project: ${test}`, text: text.slice(0, most.example) }]
  })
}

function materialOf(finding: Finding, { evidence, diffs }: Dossier): Piece[] {
  const { anchor, startLine, title, explanation } = finding
  const signs = { added: '+', removed: '-', context: ' ' } as const
  return [
    { origin: `the finding, at ${anchor.path}:${startLine}`, text: `${title}\n\n${explanation}` },
    ...diffs.map(({ file, lines }) => ({
      origin: `diff of ${file.path}`,
      text: lines.map((line) => `${signs[line.kind]} ${line.text}`).join('\n'),
    })),
    ...evidence.map(({ path, startLine: from, side, title: what, text }) => {
      const where = path === null ? '' : ` in ${path}:${from ?? 1}`
      const when = side === 'old' ? ' before the change' : ''
      return { origin: `${what}${where}${when}`, text }
    }),
  ]
}

/** Names of all definitions around the finding, from the outermost in. */
async function symbolsAround({ finding, base, head, facts }: MaterialSources): Promise<string[]> {
  const { anchor, side, startLine, endLine } = finding
  const source = await (side === 'old' ? base : head).read(anchor.path)
  if (!source) return []
  const known = await facts.facts([{ path: anchor.path, blob: source.blob, text: source.text }])
  const around = (known.get(anchor.path)?.symbols ?? []).filter(
    (symbol) => symbol.startLine <= startLine && endLine <= symbol.endLine,
  )
  return [...new Set(around.map(({ name }) => name))]
}
