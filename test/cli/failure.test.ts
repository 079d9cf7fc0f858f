/** What is said when something fails, and with which exit code. */
import { expect, test } from 'vitest'
import { errorTable, UserError } from '../../src/base/errors.ts'
import { describeFailure } from '../../src/cli/failure.ts'

test('what a user can mend: title, detail and the way out, with the code of the table', () => {
  const { message, exitCode, record } = describeFailure(new UserError('unknown-ref', '`mian`'), false)
  const { title, help } = errorTable['unknown-ref']
  expect(message).toBe(`sightline: ${title}: \`mian\`\n${help}\n`)
  expect(exitCode).toBe(2)
  expect(record).toEqual({ code: 'unknown-ref', title, detail: '`mian`', help, exitCode: 2 })
})

test('several lines of detail begin on a line of their own', () => {
  const { message } = describeFailure(new UserError('config-invalid', 'a:1:1 x\na:2:1 y'), false)
  expect(message).toMatch(/^sightline: The configuration is not valid:\na:1:1 x\na:2:1 y\n/)
})

test('our own fault says so, keeps the stack, and is 3', () => {
  const { message, exitCode, record } = describeFailure(new TypeError('x is not a function'), false)
  expect(message).toContain('Internal error in Sightline')
  expect(message).toMatch(/TypeError: x is not a function\n +at /)
  expect([exitCode, record.code]).toEqual([3, 'internal'])
  expect(describeFailure('a thrown string', false).message).toContain('a thrown string')
})

test('after Ctrl-C, whatever was thrown because of it is just an interruption', () => {
  const { message, exitCode } = describeFailure(new Error('This operation was aborted'), true)
  expect([message, exitCode]).toEqual(['sightline: Interrupted\n', 130])
})

test("foreign words in an error cannot move the terminal's cursor", () => {
  const { message } = describeFailure(new UserError('git-failed', 'fatal: \u001b[2J\u009b1A\u202e'), false)
  expect(message).toContain('fatal: ⟦U+001B⟧[2J⟦U+009B⟧1A⟦U+202E⟧')
})
