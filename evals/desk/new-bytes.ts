/** How much of a prompt is new to a provider that keeps what earlier prompts began with. */

/** UTF-8 bytes of the messages of a prompt. */
export function bytesOf(prompt: readonly string[]): number {
  return prompt.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

/** Of them, those that follow the longest beginning it shares with an earlier prompt. */
export function newBytes(prompt: readonly string[], earlier: readonly (readonly string[])[]): number {
  const known = earlier.map((other) => sharedBytes(prompt, other))
  return bytesOf(prompt) - Math.max(0, ...known)
}

/** Bytes that both begin with, as a provider's cache counts them: a message may begin like another and end otherwise. */
function sharedBytes(a: readonly string[], b: readonly string[]): number {
  const [one, other] = [Buffer.from(a.join('')), Buffer.from(b.join(''))]
  const shorter = Math.min(one.length, other.length)
  let differs = 0
  while (differs < shorter && one[differs] === other[differs]) differs++
  return differs
}
