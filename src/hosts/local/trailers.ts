/** Who reviewed a commit, as the trailers of its message say. */
import type { NamedPerson } from '../../domain/team-history.ts'

const longestBody = 50_000
const longestLine = 2_000
const mostPeople = 20
const trailer = /^(?:reviewed[- ]by|acked-by|approved[- ]by|reviewers?):/i

/** Trailers are last by custom only: hosts add lines behind them, so every line is read. Each person once. */
export function reviewersIn(body: string): NamedPerson[] {
  const found: NamedPerson[] = []
  for (const line of body.slice(0, longestBody).split('\n')) {
    if (line.length > longestLine || !trailer.test(line)) continue
    for (const person of peopleIn(line.slice(line.indexOf(':') + 1)))
      if (!found.some(({ name, email }) => name === person.name && email === person.email)) found.push(person)
  }
  return found.slice(0, mostPeople)
}

/** `Ada King <ada@example.com>`, or several with commas between them. A word without an address is not taken for a person. */
export function peopleIn(value: string): NamedPerson[] {
  return value.split('>').flatMap((part) => {
    const start = part.lastIndexOf('<')
    const email = part.slice(start + 1).trim()
    const name = part
      .slice(0, Math.max(0, start))
      .replace(/^[\s,;]+/, '')
      .trim()
    return start !== -1 && email.includes('@') ? [{ name, email }] : []
  })
}
