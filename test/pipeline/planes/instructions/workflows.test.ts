/** Which lines of a workflow are run, whatever the size of the file. */
import { expect, test } from 'vitest'
import { scriptLines } from '../../../../src/pipeline/planes/instructions/workflows.ts'

test('a block below run is a script, and one below env is none', () => {
  const lines = [
    'steps:',
    '  - run: |',
    '      echo a',
    '',
    '        echo b',
    '    env:',
    '      A: b',
    '  - run: c',
  ]
  expect(scriptLines(lines)).toEqual([false, true, true, false, true, false, false, true])
})

test('200,000 lines of one indentation are each looked at once', () => {
  const lines = ['    env:', ...Array.from({ length: 200_000 }, () => '      a: b')]
  expect(scriptLines(lines).some(Boolean)).toBe(false)
})
