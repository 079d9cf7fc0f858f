/** New Python code against its repository: names that modules do not have, and calls that do not fit. */
import { expect, test } from 'vitest'
import { misuses } from './misuses.ts'

const library = {
  'app/__init__.py': '',
  'app/text.py':
    'import os as system\nfrom .deep import inner\n\n__all__ = ["parse"]\n\nif system.name == "nt":\n    SEP = ";"\nelse:\n    SEP = ":"\n\nfor letter in "ab":\n    last = letter\n\nwith open(__file__) as source:\n    size, rest = 1, 2\n\n\ndef parse(text, strict=False, *, limit=3):\n    return text[:limit] if strict else text\n\n\ndef every(first, *rest, **named):\n    return first, rest, named\n',
  'app/deep.py': 'def inner():\n    return 1\n',
  'app/lazy.py': 'def __getattr__(name):\n    return name\n',
  'app/star.py': 'from .text import *\nfrom elsewhere import *\n',
  'app/made.py': 'globals()["made"] = 1\n',
}

test('names that a module does not have', async () => {
  const found = await misuses(library, {
    'app/use.py':
      'from app.text import parse, nope\nfrom .text import pares\nfrom . import text, missing\nimport app.text as t\n\nparse(nope, pares)\ntext.gone()\nt.parse("a")\nt.lost\n',
  })
  expect(found).toEqual(['app/use.py:1 unknown-export', 'app/use.py:3 unknown-export'])
})

test('names that a module has, or may get', async () => {
  const found = await misuses(library, {
    '.gitignore': 'app/_version.py\n',
    'app/fast.pyx': 'def run(): pass\n',
    'app/use.py':
      'from app.text import SEP, last, letter, source, size, rest, inner, system\nfrom app.lazy import anything\nfrom app.star import parse, whatever\nfrom app.made import made\nfrom . import deep, fast, _version\nfrom os import nope\nimport app\n\ntry:\n    from app.text import newer\nexcept ImportError:\n    newer = None\n\n\ndef f(app):\n    app.nope()\n',
  })
  expect(found).toEqual([])
})

test('calls of functions with other arguments', async () => {
  const found = await misuses(library, {
    'app/use.py':
      'from app.text import every, parse\nfrom . import text\n\nparse()\nparse("a", True, 3)\ntext.parse("a", strikt=True)\nevery()\nparse("a", True, limit=3)\nevery(1, 2, three=3)\nparse(*["a"])\nparse(**{"text": "a"})\n',
  })
  expect(found).toEqual([
    'app/use.py:4 argument-count',
    'app/use.py:5 argument-count',
    'app/use.py:6 unknown-argument',
    'app/use.py:7 argument-count',
  ])
})

test('a backslash that continues a line is no argument', async () => {
  const found = await misuses(library, {
    'app/use.py':
      'from app.text import parse\n\nparse("a", True, \\\n    limit=3)\nparse("a", \\\n    strict=True)\n',
  })
  expect(found).toEqual([])
})

test('methods, constructors, and what takes the place of a signature', async () => {
  const found = await misuses(
    {
      'shop/__init__.py': '',
      'shop/cart.py':
        'import functools\nfrom dataclasses import dataclass\nfrom lib import Base, wraps\n\n\nclass Cart:\n    def __init__(self, owner):\n        self.owner = owner\n        self.hook = None\n\n    def add(self, item, count=1):\n        return item * count\n\n    @classmethod\n    def empty(cls, owner):\n        return cls(owner)\n\n    @staticmethod\n    def total(prices):\n        return sum(prices)\n\n    @property\n    def handler(self):\n        return print\n\n    @wraps\n    def wrapped(self):\n        return 1\n\n    def hook(self):\n        return 1\n\n\n@dataclass\nclass Line:\n    item: str\n    count: int = 1\n\n\nclass Open(Base):\n    pass\n\n\n@wraps\nclass Wrapped:\n    def __init__(self):\n        self.a = 1\n\n\nclass Made:\n    def __new__(cls, *args):\n        return object.__new__(cls)\n\n    def __init__(self):\n        self.a = 1\n\n\nshort = functools.partial(Cart, "me")\n\n\n@functools.singledispatch\ndef show(value):\n    return value\n',
    },
    {
      'shop/use.py':
        'from shop.cart import Cart, Line, Made, Open, Wrapped, short, show\n\ncart = Cart()\nmine = Cart("me")\nmine.add()\nmine.add("a", 2, 3)\nCart.empty()\nCart.total()\nCart.add(mine, "a")\nmine.handler("x")\nmine.wrapped(1, 2)\nmine.hook(1)\nOpen(1, 2)\nWrapped(1)\nMade(1, 2)\nshort()\nshow(1, 2)\nLine("a", 2)\n\n\nclass Sub(Cart):\n    def __init__(self):\n        super().__init__()\n        super().add()\n',
    },
  )
  expect(found).toEqual([
    'shop/use.py:3 argument-count',
    'shop/use.py:5 argument-count',
    'shop/use.py:6 argument-count',
    'shop/use.py:7 argument-count',
    'shop/use.py:8 argument-count',
    // The second wrong `add` is told with the first.
    'shop/use.py:23 argument-count',
  ])
})

test('one of two packages of a name may be meant', async () => {
  const twice = { ...library, 'tests/app/text.py': 'other = 1\n', 'tests/app/__init__.py': '' }
  const use = 'from app.text import nope\n'
  expect(await misuses(twice, { 'tests/test_it.py': use })).toEqual([])
  const inside = { ...library, 'app/sub/__init__.py': '', 'app/sub/app/__init__.py': '' }
  expect(await misuses(inside, { 'tests/test_it.py': use })).toEqual(['tests/test_it.py:1 unknown-export'])
})

test('only what the change writes', async () => {
  const bad = 'from app.text import nope, parse\n\nparse()\n'
  expect(await misuses({ ...library, 'app/use.py': bad }, { 'app/use.py': `${bad}parse("a")\n` })).toEqual([])
  expect(
    await misuses(
      { ...library, 'app/use.py': 'from app.text import parse\n\nparse()\n' },
      { 'app/use.py': 'from app.text import parse\n\nif parse:\n    parse()\n' },
    ),
  ).toEqual([])
})
