/** The chapters in the order of docs/index.md: `## Group`, then rows of a table, or sentences, with links to pages. */

export type Group = { text: string; collapsed: boolean; items: { text: string; link: string }[] }

/** Every link of a group to a page of docs/, once. */
export function readChapters(index: string): Group[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section, at) => {
      const [title = '', ...lines] = section.split('\n')
      const items = lines.flatMap((line) => {
        const links = [...line.matchAll(/\[([^\]]+)\]\((?!\.\.|[a-z]+:)([^)#]+)\.md\)/g)]
        return links.map(([, text = '', path]) => ({ text: capitalized(text), link: `/docs/${path}` }))
      })
      const once = [...new Map(items.map((item) => [item.link, item])).values()]
      return { text: title.trim(), collapsed: at > 1, items: once }
    })
    .filter(({ items }) => items.length > 0)
}

/** A page that a sentence mentions has a name in the middle of it: `three examples`. */
function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
