/**
 * What facts depend on besides the text of a file: part of the name of everything that is kept on disk. Apart from the
 * record, so that the processes that parse do not load what finds secrets.
 */
import { createRequire } from 'node:module'
import { secretsVersion } from '../../base/secrets/find-secrets.ts'
import { recordVersion } from './record.ts'

const grammars: { version: string } = createRequire(import.meta.url)('@vscode/tree-sitter-wasm/package.json')

/** The extraction and its format, what is masked of a file, and the grammars. Compared number by number. */
export const factsVersion = `${recordVersion}-${secretsVersion}-${grammars.version}`
