/** Calls that were not changed and mean something else now. */
import { expect, test } from 'vitest'
import { brokenUses } from './broken-uses.ts'

test('Python: parameters swapped, added between others, or removed between others', async () => {
  const found = await brokenUses(
    {
      'app/__init__.py': '',
      'app/money.py':
        'def pay(source, target, amount=1):\n    return source, target, amount\n\n\ndef log(text, level=1):\n    return text, level\n\n\ndef cut(a, b=1, c=2):\n    return a, b, c\n\n\ndef named(old, other):\n    return old, other\n\n\nclass Box:\n    def __init__(self, width, height):\n        self.size = width * height\n',
      'app/use.py':
        'from app.money import Box, cut, log, named, pay\n\npay("me", "you")\npay(source="me", target="you")\npay(*["me", "you"])\nlog("hi", 2)\nlog("hi")\nlog("hi", level=2)\ncut(1, 2)\nnamed(1, 2)\nBox(3, 4)\n\n\ndef f(target, source):\n    pay(target, source)\n',
      'app/fresh.py': 'from app.money import pay\n\npay("a", "b")\n',
    },
    {
      'app/money.py':
        'def pay(target, source, amount=1):\n    return source, target, amount\n\n\ndef log(text, color=None, level=1):\n    return text, level, color\n\n\ndef cut(a, c=2):\n    return a, c\n\n\ndef named(new, other):\n    return new, other\n\n\nclass Box:\n    def __init__(self, height, width):\n        self.size = width * height\n',
      'app/fresh.py': 'from app.money import pay\n\npay("b", "a")\n',
    },
  )
  expect(found).toEqual([
    'app/use.py:11 argument-order its `3` was `width` and is `height` now',
    'app/use.py:3 argument-order its `"me"` was `source` and is `target` now',
    'app/use.py:6 argument-order its `2` was `level` and is `color` now',
    'app/use.py:9 argument-order its `2` was `b` and is `c` now',
  ])
})

test('TypeScript and Go: the compiler may not notice', async () => {
  const found = await brokenUses(
    {
      'src/money.ts':
        'export function pay(from: string, to: string) { return from + to }\nexport function get(url: string, done: () => void) {}\n',
      'src/use.ts': 'import { get, pay } from "./money"\n\npay("me", "you")\nget("a", () => {})\n',
      'go.mod': 'module example.com/shop\n',
      'money/money.go':
        'package money\n\nfunc Pay(from, to string) string { return from + to }\n\nfunc Wait(seconds int, name string) {}\n',
      'main.go':
        'package main\n\nimport "example.com/shop/money"\n\nfunc main() {\n\tmoney.Pay("me", "you")\n\tmoney.Wait(30, "x")\n\tmoney.Wait(0, "x")\n}\n',
    },
    {
      'src/money.ts':
        'export function pay(to: string, from: string) { return from + to }\nexport function get(url: string, options: object | (() => void), done?: () => void) {}\n',
      'money/money.go':
        'package money\n\nimport "time"\n\nfunc Pay(to, from string) string { return from + to }\n\nfunc Wait(seconds time.Duration, name string) {}\n',
    },
  )
  expect(found).toEqual([
    'main.go:6 argument-order its `"me"` was `from` and is `to` now',
    'main.go:7 argument-type passes `30` for `seconds`, which is `time.Duration` now',
    'src/use.ts:3 argument-order its `"me"` was `from` and is `to` now',
  ])
})

test('Go: a call that did not fit before fits now', async () => {
  const code = (parameters: string) => `package code\n\nfunc Encode(${parameters}) []byte { return nil }\n`
  const found = await brokenUses(
    {
      'go.mod': 'module example.com/shop\n',
      'code/code.go': code('version int16, flexible bool, value any'),
      'main.go':
        'package main\n\nimport "example.com/shop/code"\n\nfunc main() {\n\tcode.Encode(1, "a")\n\tcode.Encode(1, true, "a")\n}\n',
    },
    { 'code/code.go': code('version int16, value any') },
  )
  expect(found).toEqual([expect.stringMatching(/^main\.go:7 signature-arity /)])
})

test('Python: a literal of the old type', async () => {
  const wait = (type: string) =>
    `from datetime import timedelta\n\n\ndef wait(time: ${type}, note: str = ""):\n    return time, note\n`
  const uses = 'from wait import wait\n\nwait(30)\nwait(time)\nwait("30")\n'
  const found = (before: string, after: string) =>
    brokenUses({ 'wait.py': wait(before), 'use.py': uses }, { 'wait.py': wait(after) })
  expect(await found('int', 'timedelta')).toEqual([
    'use.py:3 argument-type passes `30` for `time`, which is `timedelta` now',
  ])
  expect(await found('int', 'int | timedelta')).toEqual([])
  expect(await found('int', 'Seconds')).toEqual([])
})
