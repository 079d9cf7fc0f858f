/** Puts a quote right that carries the marks of the prompt; whether it stands there is for validation to say. */

/** Tag and sign of a diff line, or number and bar of a line of evidence, as the prompt shows them. */
const prefix = /^[ \t]*(?:\[[LOF]\d{0,9}#[0-9a-z]{3}\] ?[-+ ]?|\d{1,9}\| ?)/

/** The quote as given where it stands in the text; else without the marks of each line, and without the outer space. */
export function readQuote(quote: string, text: string): string {
  if (quote !== '' && text.includes(quote)) return quote
  const bare = quote
    .split('\n')
    .map((line) => line.replace(prefix, ''))
    .join('\n')
  for (const candidate of [bare, bare.trim(), quote.trim()])
    if (candidate !== '' && text.includes(candidate)) return candidate
  return quote
}
