/** Which authors are one person, and which are programs. */

type Author = { readonly authorName: string; readonly authorEmail: string }

const programs =
  /\[bot\]|(?:^|[-_ ])bot$|^(?:dependabot|renovate|github-actions|greenkeeper|snyk|pre-commit-ci|copilot|web-flow)\b/i

/** Accounts that write by themselves: nobody can ask them. */
export function isProgram({ authorName, authorEmail }: Author): boolean {
  return programs.test(authorName.trim()) || /\[bot\]@|^noreply@(?!.*users)/i.test(authorEmail)
}

/**
 * Gives every author the name of a person: authors who share a name or an address are one. The answer for an author is the
 * name that was used last.
 */
export function knowPeople(newestFirst: Iterable<Author>): (author: Author) => string {
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root))
      root = next
    return root
  }
  const names = new Map<string, string>()
  for (const author of newestFirst) {
    const [name, address] = keysOf(author)
    const [a, b] = [rootOf(name), rootOf(address)]
    // The older key joins the newer one, so that the root keeps the name that was used last.
    const [root, other] = names.has(a) || !names.has(b) ? [a, b] : [b, a]
    if (root !== other) parents.set(other, root)
    parents.set(root, root)
    if (!names.has(root)) names.set(root, author.authorName.trim() || author.authorEmail)
  }
  return (author) => {
    const [name, address] = keysOf(author)
    return names.get(rootOf(name)) ?? names.get(rootOf(address)) ?? author.authorName
  }
}

/** A one-word name is shared by strangers; then only the address counts. */
function keysOf({ authorName, authorEmail }: Author): [name: string, address: string] {
  const name = authorName.trim().toLowerCase().replace(/\s+/g, ' ')
  const address = authorEmail.trim().toLowerCase() || `name:${name}`
  return [name.includes(' ') ? `name:${name}` : address, address]
}
