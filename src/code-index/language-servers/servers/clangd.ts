/**
 * clangd. A compilation database can name plugins to load, so that of the repository is not used: one of our own lists
 * every source with the folders of headers, and `.clangd` files are not read. No compiler is asked for its paths.
 */
import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { languageOf } from '../../language-of.ts'
import type { Absent, Arrangement, LaidTree, LanguageServer, Program, Surroundings } from '../contract.ts'
import { askVersion, findOnPath, realOf } from '../programs.ts'

const flags = [
  '--background-index',
  '--enable-config=false',
  '--clang-tidy=false',
  '--limit-references=0',
  '--log=error',
  '-j=2',
]
const mostFolders = 300

export const clangd: LanguageServer = {
  name: 'clangd',
  languages: ['c', 'cpp'],
  find: findClangd,
  // Headers by other endings, and pieces that sources include.
  readsFile: (path) => /\.(?:inc|def|tcc|cu|cuh|m|mm)$/i.test(path),
  documentKind: (path) => (languageOf(path) === 'c' ? 'c' : 'cpp'),
  arrange: arrangeClang,
  environment: () => ({}),
  initializationOptions: { clangdFileStatus: true },
  configuration: () => null,
  readiness: { awaitsProgress: true, graceMs: 3_000, agreeing: 2 },
  importsAreDeclarations: false,
  checksTypes: () => true,
  knowsGlobals: false,
  isAbsence: ({ code }) => code === 'pp_file_not_found',
  openAtOnce: 3,
  memoryMb: 3072,
}

async function findClangd(surroundings: Surroundings): Promise<Program | Absent> {
  const [named, ...more] = surroundings.command ?? []
  const command = named ?? findOnPath('clangd', surroundings)
  if (command === null) return { absent: '`clangd` is not on the PATH' }
  const version = await askVersion(command, ['--version'])
  if (version === null) return { absent: `\`${command}\` does not run` }
  const from = named === undefined ? 'PATH' : 'settings'
  return { command, arguments: [...flags, ...more], version, from, runtime: null, needs: headersOf(command) }
}

/** Its own headers and libraries lie beside the program: `bin/clangd`, `lib/clang`. */
function headersOf(command: string): string[] {
  const lib = join(dirname(dirname(realOf(command))), 'lib')
  return existsSync(join(lib, 'clang')) ? [lib] : []
}

async function arrangeClang({ root, paths }: LaidTree): Promise<Arrangement> {
  const headers = paths.filter((path) => /\.(?:h|hh|hpp|hxx|inc|def|ipp|tpp|tcc|inl)$/i.test(path))
  const folders = new Set(['.'])
  // `#include "fmt/core.h"` is looked for from a folder above.
  for (const header of headers)
    for (let folder = posix.dirname(header); folder !== '.'; folder = posix.dirname(folder))
      folders.add(folder)
  const includes = [...folders]
    .sort()
    .slice(0, mostFolders)
    .flatMap((folder) => ['-I', join(root, folder)])
  const sources = paths.filter((path) => languageOf(path) !== null && !headers.includes(path))
  const commands = sources.map((path) => ({
    directory: root,
    file: join(root, path),
    arguments: [
      ...(languageOf(path) === 'c' ? ['clang', '-std=gnu11'] : ['clang++', '-std=gnu++20']),
      ...includes,
      '-ferror-limit=0',
      '-w',
      '-c',
      '--',
      join(root, path),
    ],
  }))
  const first = sources[0]
  return {
    files: new Map([['compile_commands.json', `${JSON.stringify(commands)}\n`]]),
    links: [],
    openFirst: first === undefined ? [] : [first],
  }
}
