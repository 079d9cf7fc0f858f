/** `sightline memory`: what the team keeps about its code, as files that people review; what may become one of them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readBelow } from '../../base/below.ts'
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { linkStatOrNull } from '../../base/git/read-data.ts'
import { redactText } from '../../base/secrets/redact.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { BackTest, MemoryNote } from '../../index.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { choice, dollars, flag, list, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { pathIn, servicesIn } from '../shell.ts'
import { repositoryRoot } from './config.ts'
import { writeFiles } from './init.ts'

export const actions = ['list', 'show', 'search', 'propose', 'test', 'accept', 'retire'] as const
type Action = (typeof actions)[number]
const largestFile = 64 * 1024

const options = {
  from: choice(
    ['dismissals', 'reactions', 'repeated', 'documents'],
    'With propose: where to look. Default: everywhere.',
  ),
  paths: list('GLOB', 'With propose TEXT: the files that it is about. Default: all.'),
  symbols: list('NAME', 'With propose TEXT: the symbols that it is about.'),
  dismiss: text('RULE', 'With propose TEXT and --paths: findings of this rule do not count there.'),
  minor: text('RULE', 'With propose TEXT and --paths: findings of this rule are minor there.'),
  'dry-run': flag('With propose: print the notes and write no file.'),
  'ask-models': flag('With test and accept: ask the models of the recorded reviews again. This costs money.'),
  budget: dollars('Spending limit of --ask-models for each review.'),
  because: text('TEXT', 'Reason. With retire; with accept when no recorded review speaks for the note.'),
  repo: repositoryOption,
  json: flag('Print JSON.'),
}

type Call = Invocation<{
  [Name in keyof typeof options]: ReturnType<(typeof options)[Name]['read']> | undefined
}>

export const memory = defineCommand({
  name: 'memory',
  summary: 'List, propose, test and accept what reviews should remember about this repository.',
  operand: 'ACTION | NAME | TEXT...',
  options,
  examples: [
    'sightline memory  # the notes, what they did, what contradicts them',
    'sightline memory propose  # from dismissals, repeated findings, suggestions of models, documents',
    'sightline memory propose "Amounts are integers, in cents." --paths "src/money/**"',
    'sightline memory test no-nan-tests  # what it would have done to recorded reviews',
    'sightline memory accept no-nan-tests  # then commit the file',
    'sightline memory retire no-nan-tests --because "the tests were rewritten"',
  ],
  async run(call) {
    const [typed = 'list', ...rest] = call.operands
    const action = actions.find((one) => one === typed)
    if (!action) throw new UserError('usage', `\`${typed}\` is not one of ${actions.join(', ')}.`)
    // A note is committed; what is typed here is part of it.
    return await perform(action, redactText(rest.join(' ').trim()), call as unknown as Call)
  },
})

async function perform(action: Action, operand: string, call: Call): Promise<number> {
  const { values, terminal, shell, signal } = call
  const because = redactText(values.because?.trim() ?? '')
  const root = repositoryRoot(pathIn(shell, values.repo ?? ''))
  const api = await import('../../index.ts')
  const { describeList, describeNote, describeProposals, describeTest } = await import(
    '../output/memory-text.ts'
  )
  const files = readFiles(root, api.memoryFolder)
  const needsName = action === 'show' || action === 'test' || action === 'accept' || action === 'retire'
  if (needsName && operand === '')
    throw new UserError('usage', `\`memory ${action}\` needs the name of a note.`)
  const opened = await api.openMemory({ folder: root, files, environment: shell.environment, signal })
  const print = (json: unknown, words: string) =>
    terminal.result(values.json ? `${asciiJson(json, 2)}\n` : words)
  const write = async (notes: readonly MemoryNote[]) => {
    const texts = notes.map((note) => ({ path: note.path, text: api.writeNote(note) }))
    await writeFiles(root, texts, action !== 'propose')
  }
  switch (action) {
    case 'list': {
      const found = api.listMemory(opened)
      await print(found, describeList(found))
      return exitCodes.clean
    }
    case 'show': {
      const note = api.oneNote(opened.memory, operand)
      await print(note, describeNote(note))
      return exitCodes.clean
    }
    case 'search': {
      if (operand === '') throw new UserError('usage', '`memory search` needs words to search for.')
      const found = api.searchNotes(opened.memory.notes, operand, 20)
      await print(
        found,
        found.length === 0 ? 'No note has such words.\n' : found.map(describeNote).join('\n'),
      )
      return exitCodes.clean
    }
    case 'propose': {
      const proposals =
        operand === ''
          ? api.proposeFor(opened, values.from ? [values.from] : undefined)
          : [{ source: 'documents' as const, note: noteOf(operand, call, api), suspicions: [] }]
      if (!values['dry-run']) await write(proposals.map(({ note }) => note))
      await print(proposals, describeProposals(proposals, values['dry-run'] ?? false))
      return exitCodes.clean
    }
    case 'test': {
      const result = await tryNote(operand, call, opened, api)
      await print(result, describeTest(result))
      return result.verdict.word === 'bad' ? exitCodes.findings : exitCodes.clean
    }
    case 'accept': {
      const result = await tryNote(operand, call, opened, api)
      if (!values.json) await terminal.result(describeTest(result))
      const accepted = api.acceptNote(result, because || null)
      await write([accepted])
      await print(
        accepted,
        `Accepted. It has an effect on changes that are based on a commit with ${visibleLine(accepted.path)}.\n`,
      )
      return exitCodes.clean
    }
    case 'retire': {
      if (because === '') throw new UserError('usage', '--because is required: say why.')
      const note = api.oneNote(opened.memory, operand)
      await write([{ ...note, state: 'retired', because }])
      await print(note, `Retired. Commit ${visibleLine(note.path)}, or delete it.\n`)
      return exitCodes.clean
    }
  }
}

type Api = typeof import('../../index.ts')

async function tryNote(
  name: string,
  { values, shell, signal, terminal }: Call,
  opened: Awaited<ReturnType<Api['openMemory']>>,
  api: Api,
): Promise<BackTest> {
  const asksModels = values['ask-models'] ?? false
  const replay = async (run: string, memory: { path: string; note: MemoryNote | null }, again: boolean) => {
    const { review } = await api.replayRun({
      run,
      memory,
      again,
      ...(values.budget === undefined ? {} : { budget: values.budget }),
      ...servicesIn(shell),
      signal,
    })
    return review
  }
  const result = await api.testNote(opened, api.oneNote(opened.memory, name), { replay, asksModels })
  for (const problem of result.unusable) terminal.note(`sightline: not tried: ${visibleLine(problem)}\n`)
  if (result.replayed > 0)
    terminal.note(`sightline: ${count(result.replayed, 'review')} gone through again\n`)
  return result
}

/** What a person proposes in so many words. */
function noteOf(words: string, { values }: Call, { memoryFolder, readNote }: Api): MemoryNote {
  const { paths = [], symbols = [], dismiss, minor } = values
  const scope = paths.length > 0 ? 'paths' : symbols.length > 0 ? 'symbols' : 'repository'
  const name =
    words
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
      .replace(/^-|-$/g, '') || 'note'
  const front = [
    `scope: ${scope}`,
    ...(scope === 'repository' ? [] : [`${scope}: ${JSON.stringify(scope === 'paths' ? paths : symbols)}`]),
    ...(dismiss === undefined ? [] : [`dismiss: ${JSON.stringify(dismiss)}`]),
    ...(minor === undefined ? [] : [`minor: ${JSON.stringify(minor)}`]),
    'origin: written by a person',
    'state: proposed',
  ]
  const today = new Date().toISOString().slice(0, 10)
  const path = `${memoryFolder}/${name}.md`
  const { note, fault } = readNote(path, `---\n${front.join('\n')}\n---\n${words}\n`, today)
  if (!note) throw new UserError('usage', fault ?? path)
  return note
}

/** The notes of the work tree. A repository may have come from a stranger: no link is followed. */
function readFiles(root: string, folder: string): { path: string; text: string }[] {
  const isFolder = ['.sightline', folder].every((path) => linkStatOrNull(join(root, path))?.isDirectory())
  if (!isFolder) return []
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && linkStatOrNull(join(root, folder, name))?.isFile())
    .sort()
    .map((name) => {
      const text = readBelow(root, `${folder}/${name}`, largestFile)?.toString('utf8') ?? ''
      return { path: `${folder}/${name}`, text }
    })
}
