/** A repository and a ticket with canaries in every place that a review reads. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from '../../helpers/random.ts'
import { type Canary, drawCanaries } from './kinds.ts'

export const places = ['diff', 'context', 'evidence', 'tool', 'path', 'message', 'ticket'] as const
export type Place = (typeof places)[number]

/** `mark` stands next to it: a door that shows the mark has shown the place. */
export type Planted = Canary & { place: Place; mark: string }

/** Canaries in one file, of those that only tools read: none of their answers is cut. */
const inOneFile = 8

export function plantCanaries(random: Random): Planted[] {
  return places.flatMap((place) =>
    drawCanaries(random, 'telling')
      // Of what has no token of its own, only the form around it tells; a path has none.
      .filter(({ text }) => place !== 'path' || /^value: [\w.-]+$/.test(text))
      .map((canary, index) => ({ ...canary, place, mark: `Q${place}${index}Q` })),
  )
}

/** What only a tool reads: a file each, beside the folder's name. */
export function toolFiles(planted: readonly Planted[]): { path: string; text: string }[] {
  const all = ofPlace(planted, 'tool').map(({ mark, text }) => `# ${mark}\n${text}\n`)
  return Array.from({ length: Math.ceil(all.length / inOneFile) }, (_, index) => ({
    path: `tool/${index}.conf`,
    text: all.slice(index * inOneFile, (index + 1) * inOneFile).join('\n'),
  }))
}

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
  for (const { path, text } of toolFiles(planted)) write(path, text)
  write('src/service.ts', 'export function connect(address: string): string {\n  return address\n}\n')
  write(
    'evidence/user.ts',
    `import { connect } from '../src/service.ts'\n${ofPlace(planted, 'evidence').map(userOf).join('\n')}`,
  )
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
  for (const { mark, text } of ofPlace(planted, 'path'))
    write(`conf/paths/${mark}/${nameOf(text)}/a.conf`, 'port = 1\n')
  git('add', '-A')
  git('commit', '--quiet', '-m', `change\n\n${marked(ofPlace(planted, 'message'))}`)
}

/** Code that uses what the change changes; a secret on one line stands in its signature too. */
function userOf({ mark, text }: Planted): string {
  const parameter = text.includes('\n') ? '' : `address = \`${text}\``
  return `export function ${mark}(${parameter}) {\n  return connect(\`${mark} ${text}\`)\n}\n`
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
