/** The kinds of options there are: a switch, a text, a choice, a whole number, a list. */
import { nearestWord } from '../../config/nearest-word.ts'
import type { Option } from '../command.ts'

/** What was typed cannot be the value of this option; the message says what can. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue'
}

/** `--name`: true when given. */
export function flag(about: string, short: string | null = null): Option<boolean> {
  return { placeholder: null, about, short, repeatable: false, read: () => true }
}

/** `--name TEXT`. */
export function text(placeholder: string, about: string): Option<string | undefined> {
  return { placeholder, about, short: null, repeatable: false, read: readText }
}

/** `--name TEXT --name TEXT`, or `--name TEXT,TEXT`. */
export function list(placeholder: string, about: string): Option<readonly string[]> {
  const read = (typed: string): readonly string[] => readText(typed).split(',').map(trim).filter(Boolean)
  return { placeholder, about: `${about} Repeatable.`, short: null, repeatable: true, read }
}

/** `--name ONE`, one of a fixed set. */
export function choice<const Word extends string>(
  words: readonly Word[],
  about: string,
): Option<Word | undefined> {
  const read = (typed: string): Word => {
    const found = words.find((word) => word === typed)
    if (found !== undefined) return found
    const near = nearestWord(typed, words)
    const hint = near === null ? '' : ` Did you mean \`${near}\`?`
    throw new InvalidValue(`\`${typed}\` is not one of ${words.join(', ')}.${hint}`)
  }
  return { placeholder: words.join('|'), about, short: null, repeatable: false, read }
}

/** `--name NUMBER`, a whole number between the two bounds, both included. */
export function integer(minimum: number, maximum: number, about: string): Option<number | undefined> {
  const read = (typed: string): number => {
    const value = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN
    if (!(value >= minimum && value <= maximum))
      throw new InvalidValue(`\`${typed}\` is not a whole number from ${minimum} to ${maximum}.`)
    return value
  }
  return { placeholder: 'NUMBER', about, short: null, repeatable: false, read }
}

/** `--name DOLLARS`, such as `0.40`; more than nothing. */
export function dollars(about: string): Option<number | undefined> {
  const read = (typed: string): number => {
    const value = /^\$?(?:\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})$/.test(typed)
      ? Number(typed.replace('$', ''))
      : Number.NaN
    if (!(value > 0)) throw new InvalidValue(`\`${typed}\` is not an amount in US dollars, such as 0.40.`)
    return value
  }
  return { placeholder: 'DOLLARS', about, short: null, repeatable: false, read }
}

function readText(typed: string): string {
  if (typed.trim() === '') throw new InvalidValue('its value is empty.')
  return typed
}

function trim(word: string): string {
  return word.trim()
}
