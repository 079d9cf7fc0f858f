/** The parts of docs/depths-by-example.md that are printed by reviews, each between its own two marks. */
import { spawnSync } from 'node:child_process'
import type { Review } from '../../src/index.ts'
import { mended, reviewed, root, ticket } from './change.ts'
import type { Depth, DepthRun } from './run-depth.ts'

/** By the name in the marks. */
export type Block = { name: string; text: string }

/** Replaces the text between `begin` and `end` of each block; a block that the page lacks is an error. */
export function fillPage(page: string, blocks: readonly Block[]): string {
  return blocks.reduce((text, { name, text: inner }) => {
    const begin = `<!-- begin: ${name}, written by scripts/example-depths.ts -->`
    const end = `<!-- end: ${name} -->`
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`docs/depths-by-example.md has lost its marks of ${name}`)
    return `${text.slice(0, from + begin.length)}\n\n${inner}\n\n${text.slice(to)}`
  }, page)
}

/** The change itself and its ticket. */
export function changeBlocks(): Block[] {
  return [
    { name: 'change', text: fenced('diff', show('--format=', reviewed)) },
    {
      name: 'commits',
      text: [
        `- \`${subject(reviewed)}\`: the change that is reviewed`,
        `- \`${subject(mended)}\`: fixes it, half an hour later`,
      ].join('\n'),
    },
    { name: 'ticket', text: fenced('markdown', ticket) },
  ]
}

/** What one review printed, and which models it called. */
export function depthBlock({ depth, review, terminal }: DepthRun): Block {
  const more = depth === 'deep' ? ' --ticket ticket.md' : ''
  const command = `sightline review ${reviewed.slice(0, 7)} --depth ${depth} --explain${more}`
  return {
    name: depth,
    text: [fenced('sh', command), askedOf(review), fenced('', excerptOf(terminal))].join('\n\n'),
  }
}

/** Without the summary, which is the same at every depth, and what follows the coverage: planes, cost and time. */
function excerptOf(terminal: string): string {
  const lines = terminal.trimEnd().split('\n')
  const summary = lines.indexOf('')
  const finding = lines.findIndex((line) => /^(?:CRITICAL|HIGH|MEDIUM|LOW) /.test(line))
  if (finding === -1) return [...lines.slice(0, -1), '…'].join('\n')
  const end = lines.findIndex((line, at) => at > finding && line === 'Planes')
  return [...lines.slice(0, summary), '', '…', '', ...lines.slice(finding, end), '…'].join('\n')
}

export function comparison(runs: readonly DepthRun[]): Block {
  const rows = runs.map(({ depth, review }) => {
    const { calls, usage, usd } = review.run.cost ?? none
    const dropped = review.verdicts.filter(({ outcome }) => outcome === 'dropped').length
    const { files, complete } = review.coverage
    const reviewedFiles = files.filter(({ state }) => state === 'reviewed').length
    return [
      `[\`${depth}\`](#${depth})`,
      calls,
      usage.input,
      usage.output,
      price(usd),
      review.findings.length,
      dropped,
      `${reviewedFiles} of ${files.length} files${complete ? '' : ', incomplete'}`,
      review.confidence.score === null ? '' : `${review.confidence.score}/5`,
    ]
  })
  const head = [
    'Depth',
    'Calls',
    'Tokens in',
    'Tokens out',
    'Cost',
    'Findings',
    'Dropped',
    'Coverage',
    'Confidence',
  ]
  return { name: 'comparison', text: table(head, rows) }
}

const none = { calls: 0, usage: { input: 0, cacheRead: 0, output: 0 }, usd: 0, byRole: [] }

function askedOf({ run }: Review): string {
  const rows = (run.cost ?? none).byRole.map(({ role, calls, usage, usd }) => [
    role,
    calls,
    usage.input,
    usage.cacheRead,
    usage.output,
    usd === null ? 'unknown' : price(usd),
  ])
  if (rows.length === 0) return 'No model was called, and nothing left the machine.'
  return table(['Role', 'Calls', 'Tokens in', 'of these cached', 'Tokens out', 'Cost'], rows)
}

function table(head: readonly string[], rows: readonly (string | number)[][]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function price(usd: number): string {
  return `$${usd.toFixed(4)}`
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

function subject(commit: string): string {
  return show('--no-patch', '--abbrev=7', '--format=%h %s', commit).trim()
}

function show(...args: string[]): string {
  const shown = spawnSync(
    'git',
    ['-C', root, '-c', 'core.abbrev=7', 'show', '--no-color', '--no-ext-diff', ...args],
    { encoding: 'utf8' },
  )
  if (shown.status !== 0) throw new Error(shown.stderr)
  return shown.stdout
}

export const depths: readonly Depth[] = ['offline', 'quick', 'standard', 'deep']
