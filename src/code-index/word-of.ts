/** The word of the text that a name is filed under: a private name of a class in ECMAScript has a mark before it, `#load`. */
export function wordOf(name: string): string {
  return name.startsWith('#') ? name.slice(1) : name
}
