/** A name with a mark that is no letter: `#load` of ECMAScript, `r#type` of Rust, `@class` of C#, `open?`, `save!` and `size=` of Ruby. */
const marked = /^(?:#|r#|@)?([\p{L}\p{N}_$]+)[?!=]?$/u

/** The word of the text that a name is filed under. */
export function wordOf(name: string): string {
  return marked.exec(name)?.[1] ?? name
}
