/** What the words of a line say of it: the names that show what it is about, and whether it keeps something from happening. */

/** Words of what keeps something from happening, which often names nothing else: `if value is not None`. */
export const guard =
  /\b(?:assert|break|case|catch|continue|else|except|guard|if|match|raise|rescue|return|switch|throw|try|unless|when|while)\b/

/** Keywords and English words that do not show what a line is about. */
const common: ReadonlySet<string> = new Set(
  `abstract and any are as async await be bool boolean break but by byte can case catch char class const constructor
  continue def default defer del delete do does double elif else end enum except export extends extern false final
  finally float fn for from func function get global go goto has have if impl implements import in include int
  interface is it its lambda let long loop match mod module move mut namespace new nil no none not null number object of
  on or override package pass private protected pub public raise readonly rescue ret return select self set short sizeof
  static str string struct super switch template that the their then this throw throws to trait true try type typedef
  typeof undefined unless unsafe use using val value var virtual void volatile was when where which while will with
  without yield`.split(/\s+/),
)

const name = /[\p{L}_$][\p{L}\p{N}_$]*/gu

/** The names in code or prose, without the common words, in lower case. */
export function namesIn(text: string): Set<string> {
  const names = (text.match(name) ?? []).map((word) => word.toLowerCase())
  return new Set(names.filter((word) => !common.has(word)))
}
