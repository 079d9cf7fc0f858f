/** How a repository formats its files: quotes, semicolons, indentation and a heading. Lines stay lines. */
import { extname } from 'node:path'
import type { Random } from '../../test/helpers/random.ts'

export type Style = (path: string, text: string) => string

const comments: Record<string, string> = {
  '.ts': '//',
  '.tsx': '//',
  '.js': '//',
  '.go': '//',
  '.rs': '//',
  '.java': '//',
  '.kt': '//',
  '.cs': '//',
  '.proto': '//',
  '.py': '#',
  '.rb': '#',
  '.yml': '#',
  '.yaml': '#',
  '.graphql': '#',
  '.sql': '--',
  '.toml': '#',
}

export function styleOf(random: Random): Style {
  const double = random.chance(0.5)
  const semicolons = random.chance(0.5)
  const indent = random.pick(['  ', '    ', '\t'])
  const heading = random.between(0, 3)
  return (path, text) => {
    const extension = extname(path)
    const isScript = ['.ts', '.tsx', '.js'].includes(extension)
    let styled = text
    if (double && (isScript || extension === '.py'))
      styled = styled.replaceAll(/(?<![\w"'])'([^'"\n]+)'(?![\w'])/g, '"$1"')
    if (semicolons && isScript)
      styled = styled.replaceAll(
        /^(\s*(?:import|export \*|const|return|await|throw)\b[^¤\n]*[\w)\]'"`])(\s*¤.*)?$/gm,
        // A template that goes on in the next line is no end of a statement.
        (line, code: string, labels = '') => (line.split('`').length % 2 === 0 ? line : `${code};${labels}`),
      )
    if (isScript || ['.json', '.java', '.proto', '.graphql', '.cs'].includes(extension))
      styled = styled.replaceAll(/^(?: {2})+/gm, (spaces) => indent.repeat(spaces.length / 2))
    const sign = comments[extension]
    const words = [
      'Licensed to the owners of this repository.',
      'See the file LICENSE.',
      'Do not remove this notice.',
    ]
    if (sign === undefined) return styled
    return (
      words
        .slice(0, heading)
        .map((line) => `${sign} ${line}\n`)
        .join('') + styled
    )
  }
}
