/** The words of SQL in any dialect, with their places. Templates of dbt count as the table that they name. */

export type SqlToken = {
  /** A name as it is looked up, in lower case and without quotes; a sign or a keyword as written, in lower case. */
  text: string
  sort: 'word' | 'name' | 'string' | 'sign'
  start: number
}

const token =
  /\s+|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\{\{[^{}]*\}\}|\{%[^%]*%\}|'[^']*'?|"[^"\n]*"?|`[^`\n]*`?|\[[A-Za-z_][\w ]*\]|\$\$|[@:$%#]?[\p{L}_][\p{L}\p{N}_$]*|\d[\w.]*|[^\s]/gu

/** `word` may be a keyword; `name` is quoted, so it is none. */
export function sqlTokens(text: string): SqlToken[] {
  const tokens: SqlToken[] = []
  for (const match of text.matchAll(token)) {
    const one = tokenOf(match[0], match.index)
    if (one) tokens.push(one)
  }
  return tokens
}

function tokenOf(word: string, start: number): SqlToken | null {
  if (/^(?:\s|--|\/\*|\{%)/.test(word)) return null
  if (word.startsWith('{{')) return dbtTable(word, start)
  if (word.startsWith("'")) return { text: word, sort: 'string', start }
  if (/^["`[]/.test(word) && word.length > 2)
    return { text: word.slice(1, -1).toLowerCase(), sort: 'name', start }
  const isWord = /^[\p{L}_]/u.test(word)
  return {
    text: word.toLowerCase(),
    sort: isWord ? 'word' : /^[@:$%#\d]./.test(word) ? 'string' : 'sign',
    start,
  }
}

/** `{{ ref('orders') }}`, `{{ source('shop', 'orders') }}`. */
function dbtTable(word: string, start: number): SqlToken | null {
  const name = /\b(?:ref|source)\s?\((?:[^()]*,)?\s?['"]([\w.-]+)['"]\s?\)/.exec(word.slice(0, 300))?.[1]
  return name === undefined
    ? { text: '?', sort: 'string', start }
    : { text: name.toLowerCase(), sort: 'name', start }
}

export const keywords: ReadonlySet<string> = new Set(
  `select from where join inner left right full outer cross natural lateral on using group order by having limit offset fetch first next
   rows row only union all distinct except intersect as and or not in is null like ilike similar between exists any some case when then
   else end asc desc nulls last insert into values update set delete returning conflict do nothing duplicate key with recursive create
   table view materialized temporary temp if replace drop alter add column rename to constraint primary foreign references unique index
   check default true false unknown cast interval over partition window rows range preceding following current unbounded filter within
   collate escape at time zone for share nowait skip locked top percent into merge matched begin commit rollback explain analyze
   qualify tablesample pivot unpivot force ignore use straight_join sql_calc_found_rows low_priority delayed array date timestamp
   current_date current_time current_timestamp localtime extract year month day hour minute second div mod rlike regexp binary xor
   overriding system value ordinality isnull notnull separator cascade restrict`.split(/\s+/),
)

export function isName({ sort, text }: SqlToken): boolean {
  return sort === 'name' || (sort === 'word' && !keywords.has(text))
}
