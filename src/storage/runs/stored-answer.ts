/** An answer as an object: what came over the wire without secrets, and what we worked out ourselves with them sealed. */
import { canonicalJson } from '../../base/canonical-json.ts'
import { isOwnWork, JournalAnswer, type JournalRequest } from '../../domain/journal.ts'
import type { Blanker } from './blank.ts'
import { openSealed, sealSecrets } from './seal.ts'

/** The header of ours in which sealed secrets stand. */
const sealedHeader = 'sightline-sealed'
/** With which the gateway marks a body that is no text. */
const bytesHeader = 'sightline-bytes'

export type AnswerPlace = {
  /** Of the store. */
  folder: string
  blanker: Blanker
  /** Values of keys. */
  keys: readonly string[]
}

/**
 * The content of the object. A model's answer was cleaned before anybody used it, so that blanking it changes nothing.
 * What a service or a tool said was used as it is, and a replay needs it as it was.
 */
export function packAnswer(
  request: JournalRequest,
  answer: JournalAnswer,
  { folder, blanker, keys }: AnswerPlace,
): string {
  // Binary frames were cleaned before they were written in base64, in which forms of secrets mean nothing.
  if (answer.headers[bytesHeader] === 'base64') return canonicalJson(answer)
  if (!isOwnWork(request) || !isJson(answer.body)) return canonicalJson(blanker(answer))
  const { text, sealed } = sealSecrets(answer.body, keys, folder)
  const headers = sealed === null ? answer.headers : { ...answer.headers, [sealedHeader]: sealed }
  return canonicalJson({ ...answer, headers, body: text })
}

/** Null for what is no answer. On another machine what was sealed stays made up. */
export function readAnswer(content: string | null, folder: string): JournalAnswer | null {
  if (content === null || !isJson(content)) return null
  const read = JournalAnswer.safeParse(JSON.parse(content))
  if (!read.success) return null
  const { [sealedHeader]: sealed = null, ...headers } = read.data.headers
  if (sealed === null) return read.data
  return {
    ...read.data,
    headers,
    body: openSealed({ text: read.data.body, sealed }, folder) ?? read.data.body,
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
