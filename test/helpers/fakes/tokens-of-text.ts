/** Tokens as a tokeniser for code counts them, about: four letters are one, and each other sign is one. */
export function tokensIn(text: string): number {
  let letters = 0
  let signs = 0
  for (const character of text) {
    if (/[\p{L}\p{N}\s]/u.test(character)) letters++
    else signs++
  }
  return Math.ceil(letters / 4) + signs
}
