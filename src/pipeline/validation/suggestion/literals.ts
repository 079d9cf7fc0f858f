/** What in a piece of code a reader must be told of when it changes: strings, addresses, and words that load or run. */

/** Quadratic at worst on a run of unclosed quotation marks, so callers keep the code short (`harmless.ts`). */
const literal = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g
const address = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'`<>)]+/gi
const power =
  /\b(?:import|require|include|eval|exec\w*|spawn\w*|system|popen|subprocess|child_process|Function|fetch|curl|wget|unsafe|__import__)\b/g

/** Strings and powerful words that one text has and the other has not (or not as often), without quotation marks. */
export function delicateChanges(before: string, after: string): string[] {
  const [old, now] = [delicateParts(before), delicateParts(after)]
  return [...new Set([...missingFrom(now, old), ...missingFrom(old, now)])]
    .filter((part) => part !== '')
    .sort()
}

function delicateParts(code: string): string[] {
  return [
    ...(code.match(literal) ?? []).map((text) => text.slice(1, -1)),
    ...(code.match(address) ?? []),
    ...(code.match(power) ?? []),
  ]
}

function missingFrom(pool: readonly string[], parts: readonly string[]): string[] {
  const rest = new Map<string, number>()
  for (const part of pool) rest.set(part, (rest.get(part) ?? 0) + 1)
  return parts.filter((part) => {
    const number = rest.get(part) ?? 0
    rest.set(part, number - 1)
    return number <= 0
  })
}
