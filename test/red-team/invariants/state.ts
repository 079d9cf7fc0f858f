/** I5: instructions are our own words, foreign text stands in the fence, and what one run saw does not bend the next. */
import { mark } from '../world/hostile-repository.ts'
import type { Judge } from './contract.ts'

type Body = { system?: unknown; messages?: { role: string; content: unknown }[] }

export const judgeState: Judge = ({ exchanges, review, depth }, { instructions, offline }) => {
  const found: string[] = []
  for (const { call } of exchanges) {
    const { messages = [] } = call.request.body as Body
    if (!instructions.has(instructionsIn(call.request.body))) found.push('instructions are not our own words')
    for (const { role, content } of messages)
      if (role === 'user') found.push(...outsideOfFence(wordsOf(content)))
  }
  if (Object.keys(Object.prototype).length > 0) found.push('the prototype of objects was changed')
  for (const plane of offline.review.coverage.planes) {
    const now = review.coverage.planes.find((one) => one.plane === plane.plane && !one.byModel)
    if (now?.state !== plane.state) found.push(`the plane ${plane.plane} is ${now?.state ?? 'gone'} now`)
  }
  const files = new Map(review.coverage.files.map((file) => [file.path, file.state]))
  for (const { path, state } of offline.review.coverage.files)
    if (!files.has(path) || (state !== 'excluded' && files.get(path) === 'excluded'))
      found.push(`${path} is not looked at any more`)
  if (depth === 'offline' && exchanges.length > 0) found.push('a model was asked at depth offline')
  return found
}

/** Of a request in the form of Anthropic's API. */
export function instructionsIn(body: unknown): string {
  return wordsOf((body as Body).system)
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((block) => String(block.text ?? '')).join('\n') : ''
}

/** Every word of the attacker stands between delimiters with one token, which none of them could know. */
export function outsideOfFence(text: string): string[] {
  const token = /<<<foreign ([0-9a-z]{12,64})/.exec(text)?.[1]
  const found: string[] = []
  let isInside = false
  for (const line of text.split('\n')) {
    const opens = token !== undefined && line.startsWith(`<<<foreign ${token} `)
    const closes = token !== undefined && line === `>>>end ${token}`
    if (opens && isInside) found.push('a fence opens inside a fence')
    else if (closes && !isInside) found.push('a fence closes that was not open')
    if (opens) isInside = true
    else if (closes) isInside = false
    else if (!isInside && line.includes(mark))
      found.push(`foreign words stand outside of the fence: ${line.slice(0, 80)}`)
    else if (isInside && /[^\P{C}\t]/u.test(line)) found.push('hidden characters stand in a prompt')
  }
  if (isInside) found.push('a fence stays open')
  return [...new Set(found)]
}
