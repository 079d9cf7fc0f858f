/** What the questions about code share: which tree they read, and which definition they are about. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { askCode, CodeTree, findTargets, QuestionOptions, SymbolSite } from '../../index.ts'
import type { Invocation, ValuesOf } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { flag, text } from '../input/options.ts'
import { pathIn, type Shell, servicesIn } from '../shell.ts'
import type { Terminal } from '../terminal.ts'
import { printAnswer } from '../terminal.ts'
import { siteLine } from './describe.ts'

export const treeOptions = {
  ref: text('REF', 'Commit to read. Default: HEAD.'),
  uncommitted: flag('Read the work tree, including uncommitted changes.'),
  json: flag('Print JSON.'),
  repo: repositoryOption,
}

export const targetOptions = {
  all: flag('Answer for every definition with this name.'),
  ...treeOptions,
}

type TargetFlags = ValuesOf<typeof targetOptions>
type TreeFlags = ValuesOf<typeof treeOptions>
type OpenServers = Parameters<Parameters<typeof askCode>[1]>[1]
type Elsewhere = Parameters<Parameters<typeof askCode>[1]>[2]
type Target = Awaited<ReturnType<typeof findTargets>>[number]

/**
 * Finds the definition, asks, prints. Several definitions of one name are listed instead, unless --all is given; with it
 * the JSON is a list of answers.
 */
export async function askOfTarget<Answer>(
  {
    values,
    operands,
    terminal,
    shell,
    signal,
  }: Pick<Invocation<TargetFlags>, 'values' | 'operands' | 'terminal' | 'shell' | 'signal'>,
  ask: (tree: CodeTree, target: Target, openServers: OpenServers, elsewhere: Elsewhere) => Promise<Answer>,
  describe: (answer: Answer) => string,
): Promise<number> {
  const asked = requireOperand(operands[0], 'A name, or FILE:LINE,')
  const options = readTree(values, shell, signal, terminal)
  const { askCode, findTargets, siteOf } = await import('../../index.ts')
  const found = await askCode(options, async (tree, openServers, elsewhere) => {
    const targets = await findTargets(tree, asked)
    if (targets.length === 0) throw new UserError('unknown-name', await whyUnknown(tree, asked))
    if (targets.length > 1 && !values.all) return { choices: targets.map(siteOf), answers: [] }
    const answers: Answer[] = []
    for (const target of targets) answers.push(await ask(tree, target, openServers, elsewhere))
    return { choices: [], answers }
  })
  if (found.choices.length > 0) {
    const choices = { ambiguous: asked, definitions: found.choices }
    await printAnswer(terminal, values.json, choices, () => choiceText(found.choices))
    terminal.note(
      `sightline: ${found.choices.length} definitions have this name; pick one as FILE:LINE, or use --all.\n`,
    )
    return exitCodes.usage
  }
  const [first] = found.answers
  const answer = values.all ? found.answers : first
  await printAnswer(terminal, values.json, answer, () => found.answers.map(describe).join('\n'))
  return exitCodes.clean
}

async function whyUnknown(tree: CodeTree, asked: string): Promise<string> {
  const { findDefinitions } = await import('../../index.ts')
  const { emptiness } = await findDefinitions(tree, asked)
  return `\`${asked}\`: ${emptiness?.why ?? 'not found'}`
}

function choiceText(choices: readonly SymbolSite[]): string {
  return `${choices.map((site) => siteLine(site)).join('\n')}\n`
}

/** Throws `UserError('usage')` when two trees are named. */
export function readTree(
  flags: TreeFlags,
  shell: Shell,
  signal: AbortSignal,
  terminal?: Pick<Terminal, 'note'>,
): QuestionOptions {
  if (flags.uncommitted && flags.ref !== undefined)
    throw new UserError('usage', '--ref and --uncommitted cannot be used together.')
  return {
    ...servicesIn(shell),
    folder: pathIn(shell, flags.repo ?? ''),
    at: flags.uncommitted ? 'work-tree' : { ref: flags.ref ?? 'HEAD' },
    signal,
    ...(terminal ? { onNote: (note: string) => terminal.note(`sightline: ${visibleLine(note)}\n`) } : {}),
  }
}

/** Throws `UserError('usage')` with what the command is to be told. */
export function requireOperand(operand: string | undefined, what: string): string {
  if (operand !== undefined && operand.trim() !== '') return operand
  throw new UserError('usage', `${what} is missing.`)
}
