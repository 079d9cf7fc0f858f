/** Random files that look like code: with statements over several lines and many lines that are alike. */
import type { Random } from '../../helpers/random.ts'

const names = ['parse', 'render', 'load', 'store', 'merge', 'split', 'trim', 'walk', 'emit', 'fold']

export function randomFile(random: Random, blocks: number): string[] {
  return Array.from({ length: blocks }, () => randomBlock(random)).flat()
}

function randomBlock(random: Random): string[] {
  const [name, other] = [random.pick(names), random.pick(names)]
  const number = random.between(0, 999)
  return random.pick([
    [
      `function ${name}${number}(input) {`,
      `  const value = ${other}(`,
      `    input.field${number},`,
      '    true,',
      '  )',
      '  return value',
      '}',
      '',
    ],
    [`  if (${name}.length > ${number}) {`, '    return null', '  }'],
    [`const ${name}${number} = [`, `  '${other}',`, `  '${name}',`, ']', ''],
    [
      `export const ${name}${number} = ${other}`,
      `  .map((item) => item.id${number})`,
      '  .filter(Boolean)',
      '',
    ],
    [`// ${name} and ${other} ${number}`],
    ['try {', `  ${name}(${number})`, '} catch {', '  return null', '}'],
  ])
}

/** The lines with a few of them added, removed or altered. */
export function randomEdit(random: Random, lines: readonly string[], edits: number): string[] {
  const result = [...lines]
  for (let at = 0; at < edits; at++) {
    const where = random.between(0, Math.max(0, result.length - 1))
    const kind = random.between(0, 2)
    if (kind === 0) result.splice(where, 0, ...randomBlock(random))
    else if (kind === 1) result.splice(where, random.between(1, 4))
    else result[where] = `${result[where] ?? ''} // ${random.between(0, 9999)}`
  }
  return result
}
