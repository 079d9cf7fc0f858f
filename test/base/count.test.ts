/** Numbers and their nouns agree, everywhere: `1 file`, never `1 files`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { count } from '../../src/base/count.ts'

const source = join(import.meta.dirname, '../../src')

test('one is one, and all else is many', () => {
  expect([0, 1, 2].map((number) => count(number, 'file'))).toEqual(['0 files', '1 file', '2 files'])
  expect(count(1, 'match', 'matches')).toBe('1 match')
  expect(count(3, 'file was', 'files were')).toBe('3 files were')
})

const nouns =
  'arguments|calls|candidates|cases|changes|chunks|comments|commits|definitions|findings|files|folders|functions|hunks|lines|matches|objects|pieces|places|problems|references|symbols|tests|texts|tickets|uses|vectors'

/** A number straight before a plural, as in `${number} files`, with at most two words between. */
const plural = new RegExp(`\\$\\{([^{}]+)\\}(?: of its| of the last)?(?: [a-z]+)? (?:${nouns})\\b`, 'g')

/** Numbers that are never one: bounds that stand in the code or the settings, and tokens of a whole call. */
const bounds =
  /^(?:most\w*|most\.\w+|\w*[mM]ax\w*|shownLines|longestText|longestLines|Math\.min\(maxEntries, entries\.length\)|deepest|thousands\(.*\))$/

/** Bounds of the settings, and numbers that were compared with one before. */
const compared: ReadonlyMap<string, readonly string[]> = new Map([
  ['agent/limits.ts', ['limits.calls']],
  ['base/git/list-tree.ts', ['seen - 1']],
  ['cli/commands/demo.ts', ['seeded']],
  ['cli/questions/ask-of-target.ts', ['found.choices.length']],
  ['code-index/language-servers/lay-out.ts', ['chosen.length']],
  ['hosts/local/work-tree-files.ts', ['changedFiles']],
  ['domain/conclusion.ts', ['files.length']],
  ['pipeline/conclude/confidence.ts', ['files']],
  ['pipeline/planes/contract/find-uses.ts', ['kept.length']],
  ['pipeline/planes/hidden-text/describe.ts', ['occurrences.length']],
  ['pipeline/planes/rules/describe.ts', ['group.length']],
  ['pipeline/planes/secrets/plane.ts', ['lines.length']],
  ['pipeline/diff/read-change-set.ts', ['removed']],
  // Code between backticks, and a verb behind it.
  ['pipeline/publish/words.ts', ['at(claim)', 'code(claim.path)', 'code(claim.rule)']],
  ['pipeline/validation/anchor/locate-tag.ts', ['sameHash', 'fits.length']],
  ['pipeline/validation/shape.ts', ['limits.tags', 'limits.citations']],
  ['pipeline/validation/anchor/also-at.ts', ['places.length']],
  ['pipeline/reviewer/follow-up/check-request.ts', ['holders.length']],
  ['tools/find-definition.ts', ['longestWhole', 'code.length']],
  ['tools/read-file.ts', ['defaultLines']],
  ['pipeline/validation/anchor/re-anchor.ts', ['causes.size']],
  ['pipeline/validation/claims/check-claims.ts', ['refutations.length + remaining.length']],
  // `1 of its commits` is right.
  ['tools/get-file-history.ts', ['own']],
  // A verb behind what was asked for.
  ['storage/runs/stored-run.ts', ['asked']],
])

test('no sentence of the product has a plural behind a number that may be one', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  expect(files.length).toBeGreaterThan(500)
  const wrong = files.flatMap((path) =>
    [...readFileSync(join(source, path), 'utf8').matchAll(plural)].flatMap(([words, number = '']) =>
      bounds.test(number) || compared.get(path)?.includes(number) ? [] : [`${path}: ${words}`],
    ),
  )
  expect(wrong).toEqual([])
})
