/** The words of an acceptance criterion by which code can be tied to it. */
import { partsOf, stemOf } from '../../../code-index/lexical/terms.ts'

export type CriterionWords = {
  /** Names of code: between backticks or quotes, in camel or snake case, in capitals, with a dot inside. */
  names: readonly string[]
  /** Stems of the other significant words. */
  stems: readonly string[]
}

const longestText = 500
const mostNames = 20
const shortestName = 3
const shortestWord = 4

/** Words that occur in nearly every criterion. */
const common: ReadonlySet<string> = new Set(
  `about above after again also always another because been before being below between both cannot could does done down
  each either else ensure even every from given have having here into just like made make many more most must need needs
  never none only other over same shall should show shows since some such take than that their them then there these
  they this those through true under until upon used user users uses using very want well were what when where whether
  which while will with within without would your able allow allows available case cases change changes code correct
  correctly criteria feature handle handles implement implemented include includes method page return returns screen
  support supports system test tests value values work works false`
    .split(/\s+/)
    .map(stemOf),
)

export function criterionWords(text: string): CriterionWords {
  const shown = text.slice(0, longestText)
  const names = [...new Set([...quotedIn(shown), ...shapedIn(shown)])].slice(0, mostNames)
  const named = new Set(names.flatMap((name) => [name.toLowerCase(), ...partsOf(name)]).map(stemOf))
  const words = (shown.match(/[\p{L}][\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase())
  const stems = words
    .filter((word) => word.length >= shortestWord)
    .map(stemOf)
    .filter((stem) => !common.has(stem) && !named.has(stem))
  return { names, stems: [...new Set(stems)] }
}

/** Only single names, not quoted sentences. */
function quotedIn(text: string): string[] {
  return [...text.matchAll(/[`"'“”]([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?[`"'“”]/gu)].flatMap(([, name]) =>
    name !== undefined && name.length >= shortestName ? [name] : [],
  )
}

/** `retryLimit`, `max_size`, `HTTP_TIMEOUT`: not words of prose. */
function shapedIn(text: string): string[] {
  return (text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter(
    (word) => word.length >= shortestName && /\p{Ll}\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(word),
  )
}
