/** Whether quoted words stand in a text: word for word, as it is or as a model was shown it. */
import { visibleText } from './visible-text.ts'

/** A model is shown hidden characters made visible, and plain line ends. Blank words are no quote. */
export function holdsQuote(text: string, quote: string): boolean {
  if (quote.trim() === '') return false
  return text.includes(quote) || visibleText(text.replaceAll('\r\n', '\n')).includes(quote)
}
