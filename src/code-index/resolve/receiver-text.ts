/** Splits the text before the last dot (`new Foo(x).bar`, `a::b`, `this.items`) into steps; null when it is not plain. */
export type Step = { name: string; called: boolean; made: boolean }

const longest = 119

export function readReceiver(text: string): Step[] | null {
  // The extraction cuts receivers at 120 characters: such a one may lack its end.
  if (text.length > longest) return null
  const made = text.startsWith('new ')
  const parts = splitPath(made ? text.slice(4) : text)
  if (!parts) return null
  const steps: Step[] = []
  for (const part of parts) {
    const match = /^([A-Za-z_$][\w$]*)(\(.*\))?$/s.exec(part)
    if (!match) return null
    steps.push({ name: match[1] ?? '', called: match[2] !== undefined, made: false })
  }
  if (!made) return steps
  // Of `new a.Foo().b()` the first call is what `new` belongs to.
  const maker = steps.findIndex((step) => step.called)
  const step = steps[maker]
  if (!step) return null
  step.made = true
  return steps
}

/** Splits at dots, double colons and arrows outside parentheses; null when brackets or quotes stand outside of them. */
function splitPath(text: string): string[] | null {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth < 0) return null
    const isTwo = text.startsWith('::', at) || text.startsWith('->', at)
    if (depth === 0 && (character === '.' || isTwo)) {
      parts.push(part)
      part = ''
      if (isTwo) at++
    } else part += character
  }
  return depth === 0 ? [...parts, part] : null
}
