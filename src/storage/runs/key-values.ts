/** The values of variables that hold keys, which must not be written wherever they turn up. */

/** A shorter value would be found in ordinary words. */
const shortest = 12

const keyName = /key|token|secret|passw|credential|auth/i

/** Longest first. `names`: variables that hold keys whatever they are called. */
export function keyValues(environment: NodeJS.ProcessEnv, names: readonly string[] = []): string[] {
  const values = Object.entries(environment).flatMap(([name, value = '']) =>
    (names.includes(name) || keyName.test(name)) && isKey(value) ? [value] : [],
  )
  return [...new Set(values)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
}

/** Not the path of a key file, an address or a plain word, which may stand in any prompt. */
function isKey(value: string): boolean {
  return (
    value.length >= shortest && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[./~]|\s|:\/\//.test(value)
  )
}
