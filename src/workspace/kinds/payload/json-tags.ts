/** Names that members of Go's structs have in JSON: `Email string `json:"email"``. */
export function jsonTags(text: string): Map<string, string> {
  const tags = text.matchAll(
    /\b([A-Z]\w{0,80})[ \t]{1,40}[\w.*[\]{}]{1,80}[ \t]{1,40}`[^`\n]{0,80}json:"([^",\n]{1,80})/g,
  )
  return new Map([...tags].map(([, name = '', tag = '']) => [name, tag]))
}
