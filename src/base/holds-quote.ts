/** Whether quoted words stand in a text: word for word, as it is or as a model was shown it. */
import { visibleText } from './visible-text.ts'

/** Blank words are no quote. */
export function holdsQuote(text: string, quote: string): boolean {
  return quote.trim() !== '' && holdsWords(text, quote)
}

/** A model is shown hidden characters made visible, and plain line ends. */
export function holdsWords(text: string, words: string): boolean {
  return text.includes(words) || visibleText(text.replaceAll('\r\n', '\n')).includes(words)
}
