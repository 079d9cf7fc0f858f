/** A repository and a ticket with canaries in every place that a review reads. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from '../../helpers/random.ts'
import { type Canary, drawCanaries } from './kinds.ts'

export const places = ['diff', 'context', 'evidence', 'tool', 'path', 'message', 'ticket'] as const
export type Place = (typeof places)[number]

/** `mark` stands next to it: a output that shows the mark has shown the place. */
export type Planted = Canary & { place: Place; mark: string }

/** `kinds`: so many in each place, and others in the next one, so that a seventh in each reaches all kinds somewhere. */
export function plantCanaries(random: Random, kinds = Number.POSITIVE_INFINITY): Planted[] {
  // Kinds that are alike stand together, and each place is to have some of each.
  return places.flatMap((place, round) =>
    drawCanaries(random, 'telling')
      // Of what has no token of its own, only the form around it tells; a path has none.
      .filter((canary) => place !== 'path' || hasBareToken(canary))
      .filter((_canary, index, { length }) => (index + round) % Math.max(1, Math.ceil(length / kinds)) === 0)
      .map((canary, index) => ({ ...canary, place, mark: `Q${place}${index}Q` })),
  )
}

/** What only tools read, and what has to be asked to see each of its lines. */
export type ToolMaterial = {
  files: { path: string; text: string }[]
  /** Texts of a canary each, which are read and searched by line. */
  texts: string[]
  /** A canary in every signature, and in every call of the function that the file defines. */
  code: { path: string; opens: string }[]
  /** Functions of code, one for each canary; those over several lines are only in these. */
  functions: string[]
  /** A folder with a canary in the name of every folder in it. */
  names: string
}

/** Lines that one answer of `grep` shows; blank ones are not asked for. */
const linesOfAnswer = 30
/** Uses that one answer of `find_references` shows, with room for the imports. */
const usesOfAnswer = 14

export function toolMaterial(planted: readonly Planted[]): ToolMaterial {
  const all = ofPlace(planted, 'tool')
  const texts = fileUp(all, linesOfAnswer, ({ text }) => 1 + text.split('\n').filter(Boolean).length).map(
    (some, index) => ({
      path: `tool/${index}.conf`,
      text: some.map(({ mark, text }) => `# ${mark}\n${text}\n`).join('\n'),
    }),
  )
  const onOneLine = all.filter(({ text }) => !text.includes('\n'))
  const code = fileUp(onOneLine, usesOfAnswer, () => 1).map((some, index) => {
    const [path, opens] = [`tool/code${index}.ts`, `open${index}`]
    const users = some.map(({ mark, text }) =>
      userOf({ mark, text }, { name: functionName(mark), calls: opens }),
    )
    const opener = `export function ${opens}(address: string): string {\n  return address\n}\n`
    return { path, opens, text: [opener, ...users].join('\n') }
  })
  const overLines = all.filter(({ text }) => text.includes('\n'))
  const bodies = overLines.map(
    ({ mark, text }) => `export function ${functionName(mark)}() {\n  return ${quoted({ mark, text })}\n}\n`,
  )
  const names = all.filter(hasBareToken).map(({ mark, text }) => ({
    path: `tool/names/${mark} ${nameOf(text)}/a.conf`,
    text: 'port = 1\n',
  }))
  return {
    files: [...texts, ...code, { path: 'tool/keys.ts', text: bodies.join('\n') }, ...names],
    texts: texts.map(({ path }) => path),
    code,
    functions: all.map(({ mark }) => functionName(mark)),
    names: 'tool/names',
  }
}

/** Not the mark itself: a question that names it would show it, whatever the answer. */
function functionName(mark: string): string {
  return `use_${mark.toLowerCase()}`
}

/** In files of at most so much each. */
function fileUp<Item>(items: readonly Item[], most: number, sizeOf: (item: Item) => number): Item[][] {
  const files: Item[][] = []
  let size = most
  for (const item of items) {
    size += sizeOf(item)
    if (size > most) {
      files.push([])
      size = sizeOf(item)
    }
    files.at(-1)?.push(item)
  }
  return files
}

/** More matches in one file become one finding. */
const matchesOfFile = 3

/** Quotes the code that it matches where SARIF and rdjson show it: in the message and in the fix. */
const rule = `id: kept
language: [typescript]
severity: low
message: 'kept in the code: $TEXT'
rule: { pattern: keep($TEXT) }
fix: keepElsewhere($TEXT)
`

/** Room for a scout that asks for everything, on a machine as slow as it may be. */
const configuration = `review: { refutations: 3 }
explore: { callsPerIteration: 20, calls: 200, seconds: 600, evidenceBytes: 400000 }
`

export function ticketText(planted: readonly Planted[]): string {
  const points = ofPlace(planted, 'ticket').map(({ mark, text }) => `- [ ] ${mark}\n\n${text}`)
  return `# Ticket\n\n${points.join('\n\n')}\n`
}

export function buildRepository(folder: string, planted: readonly Planted[]): void {
  mkdirSync(folder)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const marked = (all: readonly Planted[]) => all.map(({ mark, text }) => `${mark}\n${text}`).join('\n\n')
  git('init', '--quiet')
  const context = ofPlace(planted, 'context').map(({ mark, text }) => `# ${mark}\n${text}\n`)
  write('conf/context.conf', context.join('\n'))
  for (const { path, text } of toolMaterial(planted).files) write(path, text)
  write('.sightline.yaml', configuration)
  write('.sightline/rules/kept.yaml', rule)
  write('src/keep.ts', 'export function keep(text: string): string {\n  return text\n}\n')
  write('src/service.ts', 'export function connect(address: string): string {\n  return address\n}\n')
  const evidence = ofPlace(planted, 'evidence').map((one) =>
    userOf(one, { name: one.mark, calls: 'connect' }),
  )
  write('evidence/user.ts', `import { connect } from '../src/service.ts'\n${evidence.join('\n')}`)
  git('add', '-A')
  git('commit', '--quiet', '-m', 'begin')
  write('conf/context.conf', context.join('changed = 1\n'))
  write(
    'src/service.ts',
    `export function connect(address: string, port: number): string {\n  return address + port\n}\n/*\n${marked(ofPlace(planted, 'diff'))}\n*/\n`,
  )
  write(
    'conf/diff.conf',
    ofPlace(planted, 'diff')
      .map(({ mark, text }) => `# ${mark}\n${text}\n`)
      .join('\n'),
  )
  // Few in a file: the rule plane reports each match by itself, in its own words, and suggests how to change it.
  for (const [index, some] of fileUp(ofPlace(planted, 'diff'), matchesOfFile, () => 1).entries())
    write(`src/kept/${index}.ts`, some.map(({ mark, text }) => `keep(${quoted({ mark, text })})\n`).join(''))
  for (const { mark, text } of ofPlace(planted, 'path'))
    write(`conf/paths/${mark}/${nameOf(text)}/a.conf`, 'port = 1\n')
  git('add', '-A')
  git('commit', '--quiet', '-m', `change\n\n${marked(ofPlace(planted, 'message'))}`)
}

/** Code that calls a function with the secret; one on a single line stands in its signature too. */
function userOf(
  { mark, text }: Pick<Planted, 'mark' | 'text'>,
  { name, calls }: { name: string; calls: string },
): string {
  const parameter = text.includes('\n') ? '' : `address = \`${name === mark ? '' : `${mark} `}${text}\``
  return `export function ${name}(${parameter}) {\n  return ${calls}(${quoted({ mark, text })})\n}\n`
}

/** As a string in code. A password at the end of a `.netrc` goes up to the next space. */
function quoted({ mark, text }: Pick<Planted, 'mark' | 'text'>): string {
  return `\`${mark} ${text}${text.includes('\n') ? '\n' : ''}\``
}

function hasBareToken({ text }: Canary): boolean {
  return /^value: [\w.-]+$/.test(text)
}

/** The token alone, where a path can hold one. */
function nameOf(text: string): string {
  return text
    .replace(/^value: /, '')
    .replaceAll('/', '')
    .replaceAll('\n', '')
    .slice(0, 200)
}

export function ofPlace(planted: readonly Planted[], wanted: Place): Planted[] {
  return planted.filter(({ place }) => place === wanted)
}
