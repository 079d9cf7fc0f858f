/** The last step before text is printed: neither a terminal nor the runner of a CI job may take it for a command. */

// JSON.stringify escapes control characters below U+0020 only; C1 controls and bidi marks would pass as they are.
const unsafe = /[\p{Cf}\u007f-\u009f\u2028\u2029]/gu

/** Escapes in JSON what is not plainly visible or might be taken for a command. */
export function asciiJson(value: unknown, indent?: number): string {
  return escapeJsonText(JSON.stringify(value, null, indent))
}

/** For JSON text that is already written: such characters occur only inside its strings. */
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

const controlAndColor = /(\p{Cc})(\[[0-9;]{0,20}m)?/gu

/**
 * The formats escape foreign text themselves; should one ever forget, nothing but colours gets through here: no cursor
 * movement, no title, no clipboard, and no hyperlink but those whose address begins with `linkPrefix`.
 */
export function keepColors(text: string, linkPrefix: string | null = null): string {
  if (linkPrefix === null) return withoutControls(text)
  return text
    .split(/(\p{Cc}\]8;;[!-~]{0,4096}\p{Cc}\\)/u)
    .map((part, at) => {
      const isOurs =
        part === linkEnd || (part.startsWith(`\u001b]8;;${linkPrefix}`) && !part.includes('/../'))
      return at % 2 === 1 && isOurs ? part : withoutControls(part)
    })
    .join('')
}

const linkEnd = '\u001b]8;;\u001b\\'

function withoutControls(text: string): string {
  return text.replace(controlAndColor, (all: string, control: string, color = '') => {
    const harmless = control === '\n' || control === '\t' || (control === '\u001b' && color !== '')
    return harmless ? all : color
  })
}

/**
 * The runner of a CI job takes some printed lines for commands: GitHub those that begin with `::error::` and the like or
 * contain `##[error]`, Azure `##vso[…]`. Foreign text may contain them. A space inside each disarms it and keeps it
 * readable; JSON is escaped where it is written and does not change.
 */
export function withoutRunnerCommands(text: string): string {
  return text.replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ').replace(/##(?=\w*\[)/g, '# #')
}
