/** Which tools there are, cheap ones first. */
import type { Tool } from './contract.ts'
import { findCallers } from './find-callers.ts'
import { findDefinition } from './find-definition.ts'
import { findReferences } from './find-references.ts'
import { getFileHistory } from './get-file-history.ts'
import { grep } from './grep.ts'
import { listDir } from './list-dir.ts'
import { outlineSymbols } from './outline-symbols.ts'
import { readFile } from './read-file.ts'
import { searchCode } from './search-code.ts'

export const codeTools: readonly Tool[] = [
  outlineSymbols,
  grep,
  findDefinition,
  listDir,
  readFile,
  findReferences,
  findCallers,
  getFileHistory,
  searchCode,
]
