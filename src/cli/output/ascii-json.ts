/** JSON that no terminal and no runner of CI jobs obeys: what is not plainly visible, or might be a command, is escaped. */

// JSON.stringify escapes control characters below U+0020 only; C1 controls and bidi marks would pass as they are.
const unsafe = /[\p{Cf}\u007f-\u009f\u2028\u2029]/gu

export function asciiJson(value: unknown, indent?: number): string {
  return escapeJsonText(JSON.stringify(value, null, indent))
}

/** For JSON text that is already written: such characters stand only inside its strings. */
export function escapeJsonText(json: string): string {
  return json
    .replace(unsafe, (character) =>
      character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    )
    .replace(/##(?=\w*\[)/g, '#\\u0023')
}
