/** Questions about one definition: finds which is meant, asks, prints; several of one name are listed instead. */
import { exitCodes, UserError } from '../../base/errors.ts'
import type { askCode, CodeTree, findTargets, SymbolSite } from '../../index.ts'
import type { Invocation } from '../command.ts'
import { flag } from '../input/options.ts'
import { asciiJson } from '../output/ascii-json.ts'
import { siteLine } from './describe.ts'
import { readTree, requireOperand, type TreeFlags, treeOptions } from './tree-options.ts'

export const targetOptions = {
  all: flag('Answer for every definition of the name.'),
  ...treeOptions,
}

export type TargetFlags = TreeFlags & { readonly all: boolean }

type OpenServers = Parameters<Parameters<typeof askCode>[1]>[1]
type Target = Awaited<ReturnType<typeof findTargets>>[number]

/** With --all the JSON is a list of answers, else one. */
export async function askOfTarget<Answer>(
  {
    values,
    operands,
    terminal,
    signal,
  }: Pick<Invocation<TargetFlags>, 'values' | 'operands' | 'terminal' | 'signal'>,
  ask: (tree: CodeTree, target: Target, openServers: OpenServers) => Promise<Answer>,
  describe: (answer: Answer) => string,
): Promise<number> {
  const asked = requireOperand(operands[0], 'A name, or FILE:LINE,')
  const options = readTree(values, signal, terminal)
  const { askCode, findTargets, siteOf } = await import('../../index.ts')
  const found = await askCode(options, async (tree, openServers) => {
    const targets = await findTargets(tree, asked)
    if (targets.length === 0) throw new UserError('usage', await whyUnknown(tree, asked))
    if (targets.length > 1 && !values.all) return { choices: targets.map(siteOf), answers: [] }
    const answers: Answer[] = []
    for (const target of targets) answers.push(await ask(tree, target, openServers))
    return { choices: [], answers }
  })
  if (found.choices.length > 0) {
    await terminal.result(
      values.json
        ? `${asciiJson({ ambiguous: asked, definitions: found.choices }, 2)}\n`
        : choiceText(found.choices),
    )
    terminal.note(
      `sightline: ${found.choices.length} definitions have this name; name one as FILE:LINE, or take --all.\n`,
    )
    return exitCodes.usage
  }
  const [first] = found.answers
  await terminal.result(
    values.json
      ? `${asciiJson(values.all ? found.answers : first, 2)}\n`
      : found.answers.map(describe).join('\n'),
  )
  return exitCodes.clean
}

async function whyUnknown(tree: CodeTree, asked: string): Promise<string> {
  const { findDefinitions, outlineFile } = await import('../../index.ts')
  const place = /^(.+):\d+$/.exec(asked)?.[1]?.replace(/^(?:\.\/)+/, '')
  const file = place === undefined ? null : await outlineFile(tree, place)
  if (file?.state === 'indexed') return `no definition stands at ${asked}.`
  if (file && file.state !== 'absent') return `${asked}: ${file.why}.`
  const { emptiness } = await findDefinitions(tree, asked)
  return `\`${asked}\` has no definition in this tree: ${emptiness?.why ?? 'it is not found'}.`
}

function choiceText(choices: readonly SymbolSite[]): string {
  return `${choices.map((site) => siteLine(site)).join('\n')}\n`
}
