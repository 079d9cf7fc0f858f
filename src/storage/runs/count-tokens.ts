/** How many values a JSON text would become, without making any of them: a few kilobytes can ask for gigabytes. */

const [quote, backslash, comma, bracket, brace] = Buffer.from('"\\,[{')

/** Commas and opening brackets outside of strings. What is no JSON is counted all the same. */
export function countTokens(json: Uint8Array): number {
  let count = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isInString) {
      if (byte === backslash) at++
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === comma || byte === bracket || byte === brace) count++
  }
  return count
}
