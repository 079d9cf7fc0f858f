/** Whether a test can show a finding: the project and its framework are found, a model writes the test, and it is run on both sides. */
import { basename, dirname, extname, posix } from 'node:path'
import { UserError } from '../base/errors.ts'
import type { Sandbox } from '../base/sandbox/contract.ts'
import type { Fence } from '../base/untrusted/untrusted.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Side } from '../domain/change-set.ts'
import { openEvidenceBook } from '../domain/evidence.ts'
import type { Finding } from '../domain/finding.ts'
import type { Reproduction, TestRun } from '../domain/reproduction.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Gateway } from '../llm/contract.ts'
import type { Project, TestFramework } from '../test-runs/contract.ts'
import { findProject } from '../test-runs/find-project.ts'
import { frameworkOf, testFrameworks } from '../test-runs/registry.ts'
import { runTest } from '../test-runs/run-test.ts'
import { type Piece, proveByTest } from './prove/write-test.ts'
import { type CodeQuestions, type Dossier, gatherDossier } from './refutation/dossier.ts'

export type ProveInput = {
  finding: Finding
  /** Of the review, with the evidence that its findings cite. */
  context: ReviewContext
  base: RepoSnapshot
  head: RepoSnapshot
  facts: FactStore
  code: CodeQuestions
  /** The person's own folder of this repository, whose installed packages are lent; null where there is none. */
  checkout: string | null
  /** Null where only the record answers. */
  sandbox: Sandbox | null
  limits: { seconds: number; memoryMb: number; readOnlyPaths: readonly string[] }
  /** Keeps what ran on record, where a replay finds it. `input`: what the result depends on. */
  keep<Result>(
    address: string,
    input: object,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>
  gateway: Gateway
  fence: Fence
  signal: AbortSignal
}

/** Bytes of evidence in the question, of one test that is shown as an example, and how many of these are. */
const most = { evidence: 40_000, example: 6_000, examples: 2 }

/** How the test of a finding is run here, or why none can be. Plain JSON. */
type Plan = { why: string } | { why: null; framework: string; testPath: string; command: string[] }

/** Never throws for what a model or a test does; rejects after an abort, and with what `keep` and the gateway reject with. */
export async function proveFinding(input: ProveInput): Promise<Reproduction> {
  const { finding, context, base, head, checkout, sandbox, limits, keep, gateway, fence, signal } = input
  const { path } = finding.anchor
  const at = `prove/${finding.id}`
  const plan = await keep<Plan>(
    `${at}/plan`,
    { tree: head.tree, path, fingerprint: finding.fingerprint },
    () => planTest(finding, head, checkout),
  )
  if (plan.why !== null) return notTried(finding.id, plan.why)
  const framework = testFrameworks.find(({ name }) => name === plan.framework)
  if (!framework) return notTried(finding.id, `${plan.framework} is not known here`)
  const { testPath, command } = plan
  const run = async (side: Side, text: string, within: AbortSignal): Promise<TestRun> => {
    const project = await findProject(path, head, checkout)
    if (!project || !sandbox) throw new UserError('no-sandbox', '')
    const tree = side === 'new' ? head : base
    const test = { path: testPath, text }
    return await runTest({ tree, test, framework, project, sandbox, checkout, limits }, within)
  }
  const { material, symbols } = await keep(
    `${at}/material`,
    { tree: head.tree, bundle: context.hash, fingerprint: finding.fingerprint },
    () => gatherMaterial(input),
  )
  const file = context.change.files.find((one) => one.path === path)
  return await proveByTest({
    finding,
    material,
    symbols,
    framework,
    testPath,
    command,
    isNewCode: file?.status === 'added',
    run: (side, text, attempt) => {
      const { tree } = side === 'new' ? head : base
      return keep(
        `${at}/${attempt}`,
        { tree, testPath, text, framework: framework.name, attempt },
        (within) => run(side, text, within),
      )
    },
    gateway,
    fence,
    signal,
  })
}

async function gatherMaterial(input: ProveInput): Promise<{ material: Piece[]; symbols: string[] }> {
  const { finding, context, head } = input
  const book = openEvidenceBook(context.evidence)
  const dossier = await gatherDossier([finding], { ...input, book, room: most.evidence })
  const examples = await examplesFor(finding.anchor.path, head)
  const { title, body } = context.request
  // What the change means to do is no defect, and a test of how it was before would fail all the same.
  const intent = { origin: 'what its author says of the change', text: `${title}\n\n${body}`.trim() }
  return {
    material: [...materialOf(finding, dossier), intent, ...examples],
    symbols: await symbolsAround(input),
  }
}

async function planTest(finding: Finding, head: RepoSnapshot, checkout: string | null): Promise<Plan> {
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

/** `why`: in our words. */
export function notTried(finding: string, why: string): Reproduction {
  return {
    finding,
    outcome: 'not-tried',
    why,
    framework: null,
    test: null,
    because: '',
    predicted: '',
    command: [],
    head: null,
    base: null,
    tries: 0,
  }
}

/** `shows-the-base-is-not-used-3f2a1b`: no file of the project is called so. */
function stemOf({ title, fingerprint }: Finding): string {
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

/** Those of the same name first, then those in the nearest folders. */
function nearestFirst(tests: readonly string[], path: string): string[] {
  const stem = basename(path, extname(path))
  const distance = (test: string) => {
    const [a, b] = [test.split('/'), path.split('/')]
    const common = a.findIndex((part, at) => part !== b[at])
    const sameName = basename(test).includes(stem) ? 0 : 100
    return sameName + a.length + b.length - 2 * Math.max(0, common)
  }
  return tests.toSorted((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1))
}

async function examplesFor(path: string, head: RepoSnapshot): Promise<Piece[]> {
  const project = await findProject(path, head, null)
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
async function symbolsAround({ finding, base, head, facts }: ProveInput): Promise<string[]> {
  const { anchor, side, startLine, endLine } = finding
  const source = await (side === 'old' ? base : head).read(anchor.path)
  if (!source) return []
  const known = await facts.facts([{ path: anchor.path, blob: source.blob, text: source.text }])
  const around = (known.get(anchor.path)?.symbols ?? []).filter(
    (symbol) => symbol.startLine <= startLine && endLine <= symbol.endLine,
  )
  return [...new Set(around.map(({ name }) => name))]
}

/** As a person types it: without our own reports, and with the program by its name. */
function shortCommand([program = '', ...args]: readonly string[]): string[] {
  const kept = args.filter((word) => !word.includes('/dev/null') && !/^--(?:test-)?reporter=/.test(word))
  return [basename(program), ...kept]
}
