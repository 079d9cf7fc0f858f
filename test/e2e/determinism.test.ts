/** Same commits, same configuration: the same bytes, run after run and wherever the clone lies. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type Review, reviewChange } from '../../src/index.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'

const runs = Number(process.env.SIGHTLINE_RUNS ?? 2)

async function reviewText(folder: string): Promise<string> {
  const { review } = await reviewChange({
    folder,
    selector: { kind: 'commit', commit: 'HEAD' },
    cacheFolder: null,
  })
  // `run` holds times and the folder's name, and nothing else in a review may depend on them.
  const { run: _, ...rest } = review satisfies Review
  return JSON.stringify(rest)
}

test(`${runs} runs over two clones in different folders give one text`, async () => {
  const repo = createRepo()
  repo.commit({
    'src/parse.ts': 'export function parse(text: string) {\n  return text.trim()\n}\n',
    'src/app.ts':
      "import { parse } from './parse.ts'\n\nexport const run = (input: string) => parse(input)\n",
    'src/other.ts':
      "import { parse } from './parse.ts'\n\nexport const twice = (a: string) => parse(a) + parse(a)\n",
    'tool.py': 'def load(path, mode):\n    return open(path, mode)\n\n\nload("a", mode="r")\n',
  })
  repo.commit({
    'src/parse.ts':
      'export function parse(text: string, strict: boolean) {\n  return strict ? text : text.trim()\n}\n',
    'tool.py': 'def load(path, kind=[]):\n    return open(path, kind)\n\n\nload("a", mode="r")\n',
  })
  const clone = `${temporaryFolder()}/a much/longer path`
  execFileSync('git', ['clone', '--quiet', repo.path, clone])

  const texts = new Set<string>()
  for (let i = 0; i < runs; i++) texts.add(await reviewText(i % 2 === 0 ? repo.path : clone))
  expect(texts.size).toBe(1)
  expect(JSON.parse([...texts][0] ?? '{}').findings.length).toBeGreaterThan(0)
})
