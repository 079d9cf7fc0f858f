/** Each line of a patch is masked as in the whole file on its side; where a side was not read, by what the patch shows. */
import { expect, test } from 'vitest'
import { redactText } from '../../../src/base/secrets/redact.ts'
import { maskPatch, type PatchSide } from '../../../src/hosts/masked/mask-patch.ts'

const token = `${'ghp_'}${'q8Zr4TnV1xKp7LmB3wYc9HsD2fGj6RtE5uNa'}`
const sideOf = (text: string): PatchSide => ({ text, masked: redactText(text) })
const lines = (...all: string[]) => `${all.join('\n')}\n`
const mask = (patch: string, old: PatchSide, fresh: PatchSide) =>
  Buffer.from(maskPatch(Buffer.from(patch), old, fresh)).toString()

/** A line that no search of its own would find; it is one of a secret in the file only. */
const known = (text: string, ...hidden: string[]): PatchSide => ({
  text,
  masked: hidden.reduce((masked, line) => masked.replace(line, '…'), text),
})

test('a line is masked by its number on its own side, in every hunk', () => {
  const old = lines('a', 'key', 'c', 'd', 'e', 'f', 'g', 'key', 'same', 'z')
  const fresh = lines('a', 'new', 'key', 'c', 'd', 'e', 'f', 'g', 'same', 'z', 'key')
  const patch = lines(
    ...['@@ -1,3 +1,4 @@', ' a', '+new', ' key', ' c'],
    ...['@@ -7,4 +8,4 @@ key', ' g', '-key', ' same', ' z', '+key', '\\ No newline at end of file'],
  )
  // The first of each side is a secret, the second is not.
  expect(mask(patch, known(old, 'key'), known(fresh, 'key'))).toBe(
    patch.replace(' key\n', ' …\n').replace('@@ key', '@@ …'),
  )
  // Of a line that both sides have, the new one decides.
  expect(mask(patch, known(old), known(fresh, 'key'))).toBe(patch.replace(' key\n', ' …\n'))
  expect(mask(patch, known(old), { text: fresh, masked: fresh.replace(/key\n$/, '…\n') })).toBe(
    patch.replace('+key', '+…'),
  )
  // A section is of the old side.
  expect(mask(patch, { text: old, masked: old.replace('g\nkey', 'g\n…') }, known(fresh))).toBe(
    patch.replace('-key', '-…').replace('@@ key', '@@ …'),
  )
})

test('added lines do not count on the old side, nor removed ones on the new', () => {
  const patch = lines('@@ -1,3 +1,4 @@', '+one', '+two', ' a', '-key', '-b', '+key')
  const old = known(lines('a', 'key', 'b'), 'key')
  const fresh = known(lines('one', 'two', 'a', 'key'), 'key')
  expect(mask(patch, old, known(''))).toBe(patch.replace('-key', '-…'))
  expect(mask(patch, known(''), fresh)).toBe(patch.replace('+key', '+…'))
})

test('hunks of one line, whose counts are not written, and of none', () => {
  const patch = lines('@@ -1 +1 @@', '-key', '+word', '@@ -5,0 +6 @@', '+key', '@@ -9 +9,0 @@', '-key')
  const old = known(lines('key', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'key'), 'key')
  const fresh = { text: lines('word', '', '', '', '', 'key'), masked: lines('word', '', '', '', '', '…') }
  expect(mask(patch, old, fresh)).toBe(patch.replace('-key', '-…').replace('+key', '+…'))
})

test('the same bytes come back when nothing is masked, and what is not UTF-8 stays as it is', () => {
  const bytes = Buffer.from(lines('--- a/b\u00e4', '@@ -1 +1,2 @@', ' \u00e4', '+x'), 'latin1')
  expect(maskPatch(bytes, sideOf(''), sideOf(''))).toBe(bytes)
  expect(maskPatch(bytes, null, null)).toBe(bytes)
  const beside = Buffer.concat([bytes, Buffer.from(lines('@@ -5,0 +7 @@', `+${token}`))])
  const masked = maskPatch(beside, null, null)
  expect(Buffer.from(masked)).toEqual(Buffer.concat([bytes, Buffer.from(lines('@@ -5,0 +7 @@', '+ghp_…'))]))
})

test('without a side, what the patch shows of it is searched as one text', () => {
  const one = lines('@@ -1,3 +1,3 @@', ' a', `-const a = "${token}"`, `+const b = "${token}"`, ' c')
  expect(mask(one, null, null)).toBe(one.replaceAll(token, 'ghp_…'))
  // Each side by itself: the other one was read, and says that it is none.
  expect(mask(one, null, known(''))).toBe(one.replace(token, 'ghp_…'))
  expect(mask(one, known(''), null)).toBe(one.replace(`+const b = "${token}"`, '+const b = "ghp_…"'))
})

test('names and sections are masked, lines of the text that look like them are not', () => {
  const heads = [
    ...[`diff --git a/${token} b/${token}`, `rename from ${token}`, `rename to ${token}`],
    ...[`copy from ${token}`, `copy to ${token}`, `--- a/${token}`, `+++ b/${token}`],
    `Binary files a/${token} and b/${token} differ`,
  ]
  const shown = heads.map((line) => line.replaceAll(token, 'ghp_…'))
  const text = ['@@ -1 +1 @@', `--- ${token}`, `+++ ${token}`]
  expect(mask(lines(...heads, ...text), sideOf(''), sideOf(''))).toBe(lines(...shown, ...text))
  const section = lines(`@@ -7 +7 @@ const a = "${token}"`, '-b', '+c')
  expect(mask(lines('--- a/b', ...section.trimEnd().split('\n')), null, sideOf(`x ${token}`))).toContain(
    '@@ const a = "ghp_…"',
  )
})

test('a section that begins a line of a secret is shown as that line is; others stay', () => {
  const patch = lines('@@ -9 +9 @@ abc', '-y', '+z')
  const old = known(lines('x', 'abcdef'), 'abcdef')
  expect(mask(patch, old, known(''))).toBe(patch.replace('abc', '…'))
  expect(mask(patch, known(lines('x', 'xabc'), 'xabc'), known(''))).toBe(patch)
  const bare = lines('@@ -9 +9 @@', '-y', '+z')
  expect(mask(bare, old, known(''))).toBe(bare)
})
