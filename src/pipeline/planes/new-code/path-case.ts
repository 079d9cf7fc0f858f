/** New imports of a file by a path that differs from it in case only: found where file names ignore case, and nowhere else. */
import { folderOf } from '../../../base/file-paths.ts'
import { isScript } from '../../../code-index/language-of.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import { resolveImport } from '../../../code-index/resolve/resolve.ts'
import { joinPath } from '../../../code-index/resolve/world.ts'
import type { Misuse } from './misuse.ts'
import type { NewUses } from './new-uses.ts'

export async function wrongCases({ file, place, imports }: NewUses, head: World): Promise<Misuse[]> {
  const found: Misuse[] = []
  if (!isScript(place.facts.language)) return found
  const sources = new Map(imports.map((fact) => [fact.source, fact]))
  for (const [source, fact] of sources) {
    const meaning = source.startsWith('.') ? await resolveImport(head, place, fact) : null
    if (meaning?.kind !== 'missing' || meaning.missing !== 'module' || meaning.by !== place.path) continue
    const wanted = joinPath(folderOf(place.path), source)
    const meant = wanted === null ? undefined : fileInOtherCase(head, wanted)
    if (wanted === null || meant === undefined) continue
    found.push({
      rule: 'new-code/path-case',
      certain: true,
      title: `\`${source}\` is spelled in another case than \`${meant}\``,
      explanation:
        'The import finds the file only where file names ignore case, as on macOS and Windows. On Linux it fails.',
      remedy: `Spell the path as the file is: \`${meant}\`.`,
      wrongIf: 'all machines that run it ignore the case of file names',
      file,
      line: fact.line,
      endLine: fact.line,
      claims: [{ kind: 'missing-path', target: wanted, path: file.path, line: fact.line }],
      shown: [],
    })
  }
  return found
}

function fileInOtherCase({ paths }: World, wanted: string): string | undefined {
  const spelled = bare(wanted)
  return paths
    .filesIn(folderOf(wanted))
    .find((path) => bare(path) !== spelled && bare(path).toLowerCase() === spelled.toLowerCase())
}

/** Without the ending that imports may leave out, or write as that of the built file. */
function bare(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
}
