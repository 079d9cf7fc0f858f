/** A test that ran before is switched off. */
import type { Language, Operator } from '../contract.ts'
import { editLines } from '../sources.ts'
import { oldTests } from './test-blocks.ts'

/** What the first lines of the test become. */
const skipped: Readonly<Record<Language, (line: string) => string[]>> = {
  typescript: (line) => [line.replace('test(', 'test.skip(')],
  python: (line) => ['@pytest.mark.skip(reason="flaky")', line],
  go: (line) => [line, '\tt.Skip("flaky")'],
  rust: (line) => [line, '    #[ignore]'],
  java: (line) => ['  @org.junit.jupiter.api.Disabled', line],
}

export const skippedTest: Operator = {
  name: 'skipped-test',
  category: 'tests',
  severity: 'medium',
  context: 'diff',
  mutate: (ground) =>
    oldTests(ground).map(({ source, index }) =>
      editLines(
        source,
        index,
        1,
        skipped[source.language](source.lines[index] ?? ''),
        `A test of ${source.path} is switched off.`,
      ),
    ),
}
