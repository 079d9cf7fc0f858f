/** Any other server, as the operator describes it in the settings. Never described by a repository. */

import { matchGlobs } from '../../../base/globs.ts'
import type { LanguageServerEntry } from '../../../config/settings/language-servers.ts'
import { languageOf } from '../../language-of.ts'
import type { LanguageServer } from '../contract.ts'
import { openingFirst } from '../lay-out.ts'
import { searchPath } from '../programs.ts'

/** What is not known of it is assumed to be bad: it may be incomplete until two answers agree. */
export function operatorServer(name: string, entry: LanguageServerEntry): LanguageServer {
  const languages = entry.languages ?? []
  const isProjectFile = matchGlobs(entry.projectFiles)
  return {
    name,
    languages,
    async find({ command }) {
      const [program, ...flags] = command ?? []
      if (program === undefined) return { absent: `the settings give no command for \`${name}\`` }
      return { command: program, arguments: flags, version: null, from: 'settings', runtime: null, needs: [] }
    },
    readsFile: isProjectFile,
    documentKind: (path) => languageOf(path) ?? 'plaintext',
    arrange: openingFirst((path) => languages.includes(languageOf(path) ?? '')),
    environment: (surroundings) => ({ PATH: searchPath(surroundings) }),
    initializationOptions: null,
    configuration: () => null,
    readiness: { awaitsProgress: true, graceMs: 1_000, agreeing: 2 },
    importsAreDeclarations: false,
    checksTypes: () => false,
    knowsGlobals: false,
    isAbsence: () => false,
    openAtOnce: 20,
    memoryMb: null,
  }
}
