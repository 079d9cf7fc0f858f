/**
 * rust-analyzer. Build scripts and procedural macros would be run, so both are off, and nothing is fetched. Toolchain
 * files and cargo configurations of the repository are left out: they choose programs to run.
 */

import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type { Absent, LanguageServer, Program, Surroundings } from '../contract.ts'
import { openingFirst } from '../lay-out.ts'
import { askVersion, findOnPath, searchPath } from '../programs.ts'

export const rustAnalyzer: LanguageServer = {
  name: 'rust-analyzer',
  languages: ['rust'],
  find: findRustAnalyzer,
  readsFile: (path) => /(?:^|\/)Cargo\.(?:toml|lock)$/.test(path),
  documentKind: () => 'rust',
  arrange: openingFirst((path) => path.endsWith('.rs')),
  environment: cargoEnvironment,
  initializationOptions: {
    cargo: { buildScripts: { enable: false }, noDeps: true, sysroot: null },
    procMacro: { enable: false },
    checkOnSave: false,
    cachePriming: { enable: false },
    files: { watcher: 'server' },
  },
  configuration: () => null,
  readiness: { awaitsProgress: true, graceMs: 3_000, agreeing: 2 },
  importsAreDeclarations: false,
  // Without the checks of cargo it finds some errors, by far not all.
  checksTypes: () => false,
  knowsGlobals: false,
  isAbsence: ({ code }) => /^(?:unresolved|unlinked|macro|proc-macro)/.test(code ?? ''),
  openAtOnce: 50,
  memoryMb: 4096,
}

async function findRustAnalyzer(surroundings: Surroundings): Promise<Program | Absent> {
  const [named, ...more] = surroundings.command ?? []
  const command = named ?? findOnPath('rust-analyzer', surroundings)
  if (command === null) return { absent: '`rust-analyzer` is not on the PATH' }
  // rustup leaves a stand-in of this name for a component that may not be installed; without a folder of its own it would make one.
  if (isOfRustup(command) && !existsSync(homes(surroundings).rustup))
    return { absent: `\`${command}\` does not run` }
  const version = await askVersion(command, ['--version'], cargoEnvironment(surroundings))
  if (version === null) return { absent: `\`${command}\` does not run` }
  const from = named === undefined ? 'PATH' : 'settings'
  return { command, arguments: more, version, from, runtime: null, needs: toolchain(surroundings) }
}

function isOfRustup(command: string): boolean {
  try {
    return basename(realpathSync(command)) === 'rustup'
  } catch {
    return false
  }
}

function cargoEnvironment(surroundings: Surroundings): Readonly<Record<string, string>> {
  const { cargo, rustup } = homes(surroundings)
  return {
    PATH: searchPath(surroundings),
    // In a sandbox it is a folder of the server's own home: that of the operator holds keys of registries.
    ...(surroundings.isConfined ? {} : { CARGO_HOME: cargo }),
    RUSTUP_HOME: rustup,
    CARGO_NET_OFFLINE: 'true',
    RUSTUP_AUTO_INSTALL: '0',
  }
}

/** The compilers, and the programs that stand in for them. */
function toolchain(surroundings: Surroundings): string[] {
  const { cargo, rustup } = homes(surroundings)
  return [join(cargo, 'bin'), rustup]
}

function homes({ environment }: Surroundings): { cargo: string; rustup: string } {
  const home = environment.HOME || homedir()
  return {
    cargo: environment.CARGO_HOME || join(home, '.cargo'),
    rustup: environment.RUSTUP_HOME || join(home, '.rustup'),
  }
}
