/** A model for a week: it reports every added line with `bug N`, and can be away. */
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { emptyAnswer, plainFinding } from '../helpers/reviewer-answer.ts'
import { bugPattern } from '../pipeline/publish/sync/bug-world.ts'

export type WeekModel = { readonly fake: FakeProvider; setDown(isDown: boolean): void }

export async function openModel(): Promise<WeekModel> {
  let isDown = false
  const fake = await startFakeProvider('anthropic', {
    steps: [
      // It may be asked again at once, so that nobody waits.
      { answer: 'overloaded', retryAfterSeconds: 0, times: 'always', if: () => isDown },
      { answer: 'good', times: 'always', answerFrom: ({ prompt }) => answerTo(prompt) },
    ],
  })
  return {
    fake,
    setDown(value) {
      isDown = value
    },
  }
}

function answerTo(prompt: string): object {
  const listed = /"files to look at"\n([\s\S]*?)\n>>>end/.exec(prompt)?.[1]?.split('\n')
  const blocks = prompt.matchAll(/<<<foreign (\S+) "diff of ([^"\n]+)"\n([\s\S]*?)\n>>>end \1/g)
  const findings = [...blocks].flatMap(([, , file = '', text = '']) =>
    listed && !listed.includes(file) ? [] : text.split('\n').flatMap((line) => findingAt(file, line)),
  )
  return { ...emptyAnswer, findings }
}

function findingAt(file: string, line: string): object[] {
  const [, tag, words = ''] = /^\[(L\d+#\w+)\] \+(.*)$/.exec(line) ?? []
  const number = bugPattern.exec(words)?.[1]
  if (tag === undefined || number === undefined) return []
  return [
    {
      ...plainFinding,
      ...{ file, tags: [tag], evidence: [{ id: tag, quote: words.trim() }] },
      ...{ title: `The name bug_${number} is wrong`, explanation: `It is bug ${number}.` },
      ...{ category: 'correctness', severity: 'medium', confidence: 'likely', claims: [], remedy: null },
    },
  ]
}
