/**
 * The last gate before a terminal. The formats make foreign text visible themselves; should one ever forget, nothing
 * but colours gets through here: no cursor movement, no title, no clipboard, no hyperlink.
 */

const controlAndColor = /(\p{Cc})(\[[0-9;]{0,20}m)?/gu

export function keepColors(text: string): string {
  return text.replace(controlAndColor, (all: string, control: string, color = '') => {
    const harmless = control === '\n' || control === '\t' || (control === '\u001b' && color !== '')
    return harmless ? all : color
  })
}
