/** Broken uses in Python, and uses that still work. */
import { expect, test } from 'vitest'
import { brokenUses } from './broken-uses.ts'

test('imports and calls through packages, aliases and re-exports', async () => {
  const found = await brokenUses(
    {
      'src/pkg/__init__.py': 'from .text import parse, gone as lost\n',
      'src/pkg/text.py':
        'def parse(text):\n    return text\n\n\ndef gone():\n    return [1, 2, 3]\n\n\nLIMIT = 3\n',
      'src/pkg/near.py': 'from .text import gone\nfrom . import text\n\ntext.parse("a")\ntext.gone()\n',
      'src/pkg/sub/__init__.py': '',
      'src/pkg/sub/deep.py': 'from ..text import parse as p\n\np("a")\np("a", strict=True)\np(*["a", 1])\n',
      'tests/test_text.py':
        'import pkg.text\nfrom pkg import parse, lost\n\n\ndef test_it():\n    pkg.text.parse("a")\n    parse("a")\n    lost()\n',
      'other.py':
        'from elsewhere import parse\n\nparse("a")\n# pkg.parse("a")\n\n\ndef f(parse):\n    parse("a")\n',
    },
    { 'src/pkg/text.py': 'def parse(text, strict):\n    return text if strict else None\n\n\nLIMIT = 3\n' },
  )
  expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'src/pkg/__init__.py:1 removed-symbol',
    'src/pkg/near.py:1 removed-symbol',
    'src/pkg/near.py:4 signature-arity',
    'src/pkg/near.py:5 removed-symbol',
    'src/pkg/sub/deep.py:3 signature-arity',
    'tests/test_text.py:6 signature-arity',
    'tests/test_text.py:7 signature-arity',
  ])
})

test('methods through self, cls, super, instances, annotations and fields; bound and unbound', async () => {
  const store = (list: string) =>
    `class Store:\n    def __init__(self, path):\n        self.path = path\n\n    def load(self, ${list}):\n        return self.path\n\n    @classmethod\n    def make(cls):\n        return cls("a").load("b")\n\n    @property\n    def size(self):\n        return 1\n`
  const found = await brokenUses(
    {
      'app/__init__.py': '',
      'app/store.py': store('key'),
      'app/use.py':
        'from app.store import Store\n\n\ndef typed(store: Store):\n    store.load("a")\n    Store.load(store, "a")\n    Store.load(store, "a", True)\n\n\nmade = Store("x")\nmade.load("a")\nStore("x").load("a")\n',
      'app/field.py':
        'from app.store import Store\n\n\nclass App:\n    def __init__(self, store: Store):\n        self.store = store\n\n    def run(self):\n        return self.store.load("a")\n',
      'app/sub.py':
        'from app.store import Store\n\n\nclass Sub(Store):\n    def more(self):\n        return self.load("a") + super().load("b")\n',
      'app/other.py':
        'class Other:\n    def load(self, key):\n        return key\n\n\nOther().load("a")\n\n\ndef f(x):\n    x.load("a")\n',
    },
    { 'app/store.py': store('key, fresh') },
  )
  expect(found.map((line) => line.split(' ')[0])).toEqual([
    'app/field.py:9',
    'app/store.py:10',
    'app/sub.py:6',
    'app/sub.py:6',
    'app/use.py:11',
    'app/use.py:12',
    'app/use.py:5',
    'app/use.py:6',
  ])
})

test('keywords that are taken no longer, and constructors', async () => {
  const found = await brokenUses(
    {
      'a.py':
        'def draw(shape, *, color="red", width=1):\n    return shape\n\n\nclass Box:\n    def __init__(self, size):\n        self.size = size\n',
      'b.py':
        'from a import Box, draw\n\ndraw(1, color="blue")\ndraw(1, width=2)\ndraw(1, **{"color": 1})\nBox(1)\nBox(size=1, depth=2)\nBox(1, 2)\n',
    },
    {
      'a.py':
        'def draw(shape, *, width=1):\n    return shape\n\n\nclass Box:\n    def __init__(self, size, depth):\n        self.size = size\n',
    },
  )
  expect(found).toEqual([
    'b.py:3 removed-parameter passes `color`, which it does not take',
    'b.py:6 signature-arity passes 1 argument, it takes 2',
  ])
})

test('silent where names may come at run time or are bound in another way', async () => {
  const files = {
    'dyn.py':
      'def old():\n    return [1, 2, 3, 4]\n\n\ndef two():\n    return {"a": 1}\n\n\ndef three():\n    return (5, 6, 7)\n',
    'use.py': 'from dyn import old\n\nold()\n',
  }
  expect(await brokenUses(files, { 'dyn.py': 'def __getattr__(name):\n    return name\n' })).toEqual([])
  expect(
    await brokenUses(files, {
      'dyn.py': 'try:\n    from fast import old\nexcept ImportError:\n    old = None\n',
    }),
  ).toEqual([])
  const wrapped = 'from tool import wrap\n\n\n@wrap\ndef old(a):\n    return [1, 2, 3, 4]\n'
  expect(await brokenUses(files, { 'dyn.py': wrapped })).toEqual([])
})
