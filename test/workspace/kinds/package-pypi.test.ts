import { expect, test } from 'vitest'
import { packages } from '../../../src/workspace/kinds/package/kind.ts'
import { breaksBetween, brokenUses, changed, type Files, treeOf, words } from '../helpers.ts'

const library: Files = {
  'pyproject.toml': '[project]\nname = "acme-client"\nversion = "1.4.2"\n',
  'src/acme/__init__.py': `from .client import Client, connect
from .colors import *

__all__ = ["Client", "connect", "Color"]
`,
  'src/acme/client.py': `import os

from acme._net import send

TIMEOUT = 10


def connect(url: str, timeout: int = TIMEOUT, *, retries: int = 1) -> str:
    return send(url, timeout, retries)


class Client:
    def __init__(self, url, key=None):
        self.url = url

    def query(self, sql, limit=10):
        return send(sql, limit)

    def close(self):
        send("", 0)

    def _reset(self):
        pass


def _private():
    pass
`,
  'src/acme/colors.py': `from enum import Enum


class Color(Enum):
    RED = 1
    GREEN = 2
`,
  'src/acme/_net.py': `def send(*things):
    return str(things)
`,
  'tests/test_client.py': 'from acme import connect\n',
}

const user: Files = {
  'requirements.txt': 'flask\nacme_client==1.4.2\n',
  'app.py': `import acme
from acme import Client, Color
from acme.client import connect, TIMEOUT

client = Client("db", key=1)
connect("db", timeout=3)
client.query("select 1", 5)
client.close()
print(Color.GREEN, TIMEOUT)
acme.connect("db", 3)
`,
}

const replaced = (path: string, from: string, to: string) => {
  const text = library[path] ?? ''
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  return { [path]: text.replace(from, to) }
}

type Case = { change: Record<string, string | null>; breaks: string[]; uses: string[] }

const breaking: Record<string, Case> = {
  'a function goes': {
    change: {
      ...replaced('src/acme/__init__.py', 'Client, connect', 'Client'),
      'src/acme/__init__.py':
        'from .client import Client\nfrom .colors import *\n\n__all__ = ["Client", "Color"]\n',
      ...replaced(
        'src/acme/client.py',
        `def connect(url: str, timeout: int = TIMEOUT, *, retries: int = 1) -> str:
    return send(url, timeout, retries)


`,
        '',
      ),
    },
    breaks: ['removed acme.connect: `connect` is no longer exported by `acme` (before src/acme/client.py:8)'],
    uses: ['certain app.py:3 acme.client.connect', 'likely app.py:10 acme.connect'],
  },
  'a function is renamed': {
    change: {
      'src/acme/__init__.py':
        'from .client import Client, open\nfrom .colors import *\n\n__all__ = ["Client", "open", "Color"]\n',
      ...replaced('src/acme/client.py', 'def connect(', 'def open('),
    },
    breaks: [
      'renamed acme.connect → acme.open: `connect` is now called `open` (before src/acme/client.py:8, after src/acme/client.py:8)',
    ],
    uses: ['certain app.py:3 acme.client.connect', 'likely app.py:10 acme.connect'],
  },
  'a constant goes': {
    change: {
      ...replaced('src/acme/client.py', 'TIMEOUT = 10\n', ''),
      'src/acme/client.py': (library['src/acme/client.py'] ?? '')
        .replace('TIMEOUT = 10\n', '')
        .replace('= TIMEOUT', '= 10'),
    },
    breaks: [
      'removed acme.client.TIMEOUT: `TIMEOUT` is no longer exported by `acme.client` (before src/acme/client.py:5)',
    ],
    uses: ['certain app.py:3 acme.client.TIMEOUT'],
  },
  'a package no longer passes a name on': {
    change: {
      'src/acme/__init__.py':
        'from .client import connect\nfrom .colors import *\n\n__all__ = ["connect", "Color"]\n',
    },
    breaks: ['removed acme.Client: `Client` is no longer exported by `acme` (before src/acme/__init__.py:1)'],
    uses: ['certain app.py:2 acme.Client'],
  },
  'a parameter becomes required': {
    change: replaced('src/acme/client.py', 'key=None', 'key'),
    breaks: [
      'required acme.Client: the parameter `key` is now required (before src/acme/client.py:12, after src/acme/client.py:12)',
    ],
    uses: [],
  },
  'a parameter is renamed': {
    change: replaced('src/acme/client.py', 'timeout: int = TIMEOUT', 'seconds: int = TIMEOUT'),
    breaks: [
      'changed acme.connect: the parameter `timeout` is now called `seconds` (before src/acme/client.py:8, after src/acme/client.py:8)',
    ],
    uses: ['likely app.py:6 acme.client.connect'],
  },
  'a parameter is removed': {
    change: replaced('src/acme/client.py', ', key=None', ''),
    breaks: [
      'narrowed acme.Client: the parameter `key` was removed (before src/acme/client.py:12, after src/acme/client.py:12)',
    ],
    uses: ['likely app.py:5 acme.Client'],
  },
  'a parameter can only be passed by name': {
    change: replaced('src/acme/client.py', 'timeout: int = TIMEOUT, *,', '*, timeout: int = TIMEOUT,'),
    breaks: [
      'narrowed acme.connect: the parameter `timeout` can only be passed by name now (before src/acme/client.py:8, after src/acme/client.py:8)',
    ],
    uses: ['likely app.py:10 acme.connect'],
  },
  'a method goes': {
    change: replaced('src/acme/client.py', '    def close(self):\n        send("", 0)\n\n', ''),
    breaks: ['removed acme.Client.close: `Client.close` was removed (before src/acme/client.py:19)'],
    uses: ['likely app.py:8 acme.Client.close'],
  },
  'a member of an enum goes': {
    change: replaced('src/acme/colors.py', '    GREEN = 2\n', ''),
    breaks: ['removed acme.Color.GREEN: `Color.GREEN` was removed (before src/acme/colors.py:6)'],
    uses: ['likely app.py:9 acme.Color.GREEN'],
  },
  'a module is renamed': {
    change: {
      'src/acme/client.py': null,
      'src/acme/session.py': library['src/acme/client.py'] ?? '',
      ...replaced('src/acme/__init__.py', '.client', '.session'),
    },
    breaks: [
      'renamed acme.client → acme.session: `acme.client` is now `acme.session` (before src/acme/client.py:1, after src/acme/session.py:1)',
    ],
    uses: ['certain app.py:3 acme.client.connect', 'certain app.py:3 acme.client.TIMEOUT'],
  },
  'a function has to be awaited': {
    change: replaced('src/acme/client.py', 'def connect(', 'async def connect('),
    breaks: [
      'changed acme.connect: `connect` has to be awaited now (before src/acme/client.py:8, after src/acme/client.py:8)',
    ],
    uses: ['likely app.py:6 acme.client.connect', 'likely app.py:10 acme.connect'],
  },
}

for (const [name, { change, breaks, uses }] of Object.entries(breaking))
  test(`PyPI: ${name}`, async () => {
    const found = await breaksBetween(packages, library, changed(library, change))
    expect(found.map(words)).toEqual(breaks)
    expect(await brokenUses(packages, found, user)).toEqual(uses)
  })

const compatible: Record<string, Record<string, string | null>> = {
  'a module moves and still passes its names on': {
    'src/acme/client.py': 'from acme._client import *\nfrom acme._client import TIMEOUT\n',
    'src/acme/_client.py': library['src/acme/client.py'] ?? '',
  },
  'a module becomes a package': {
    'src/acme/client.py': null,
    'src/acme/client/__init__.py': library['src/acme/client.py'] ?? '',
  },
  'an optional parameter is added': replaced('src/acme/client.py', 'key=None', 'key=None, region="eu"'),
  'keyword arguments are taken': replaced('src/acme/client.py', 'limit=10', 'limit=10, **more'),
  'a private function needs more': replaced('src/acme/client.py', '_private():', '_private(one):'),
  'a private method is renamed': replaced('src/acme/client.py', '_reset', '_restart'),
  'a private module changes': { 'src/acme/_net.py': 'def send(one, two):\n    return one\n' },
  'a name leaves __all__ and is still there': replaced('src/acme/__init__.py', '"connect", ', ''),
  'a member moves into a base class': replaced(
    'src/acme/client.py',
    'class Client:\n',
    'class Closing:\n    def close(self):\n        send("", 0)\n\n\nclass Client(Closing):\n',
  ),
  'a member may come from another package': {
    'src/acme/client.py': (library['src/acme/client.py'] ?? '')
      .replace('class Client:', 'class Client(Base):')
      .replace('import os\n', 'from base import Base\n')
      .replace('    def close(self):\n        send("", 0)\n\n', ''),
  },
  'names come at run time': {
    'src/acme/client.py': 'def __getattr__(name):\n    return name\n',
    'src/acme/__init__.py': 'def __getattr__(name):\n    return name\n',
  },
  'names are imported when they are first asked for': {
    'src/acme/__init__.py':
      'install_lazy_importer({"Client": "acme.client", "connect": "acme.client", "Color": "acme.colors"})\n',
  },
  'a function is decorated': replaced('src/acme/client.py', 'def connect(', '@traced\ndef connect('),
  'comments and order': {
    'src/acme/colors.py': `from enum import Enum


class Color(Enum):
    """What there is."""

    GREEN = 2
    RED = 1  # first
`,
  },
  'a body changes': replaced('src/acme/client.py', 'return send(sql, limit)', 'return send(limit, sql)'),
  'an unused import goes': replaced('src/acme/client.py', 'import os\n', ''),
  'tests change': { 'tests/test_client.py': null },
}

for (const [name, change] of Object.entries(compatible))
  test(`PyPI, compatible: ${name}`, async () => {
    const after = changed(library, change)
    expect(after).not.toEqual(library)
    expect((await breaksBetween(packages, library, after)).map(words)).toEqual([])
  })

const gone = changed(library, breaking['a function is renamed']?.change ?? {})

test('PyPI: an import that is expected to fail in some versions does not count', async () => {
  const found = await breaksBetween(packages, library, gone)
  const guarded = `try:
    from acme import open
except ImportError:
    from acme import connect
`
  expect(await brokenUses(packages, found, { 'app.py': guarded })).toEqual([])
  expect(await brokenUses(packages, found, { 'app.py': 'from acme import connect\n' })).toHaveLength(1)
})

test('PyPI: what catches a missing module does not catch a missing name, and a version decides which name is there', async () => {
  const found = await breaksBetween(packages, library, gone)
  const inTry = (caught: string, before = '') =>
    `${before}try:\n    from acme import connect\nexcept ${caught}:\n    connect = None\n`
  const uses = (text: string) => brokenUses(packages, found, { 'app.py': text })
  expect(await uses(inTry('(ValueError, ImportError)'))).toEqual([])
  expect(await uses(inTry('ModuleNotFoundError'))).toHaveLength(1)
  // Another `try` of the file is no guard.
  const other = 'try:\n    import simplejson\nexcept ImportError:\n    simplejson = None\n'
  expect(await uses(inTry('ModuleNotFoundError', other))).toHaveLength(1)
  const byVersion =
    'import acme\n\nif acme.__version__ < "2":\n    from acme import connect\nelse:\n    from acme import open as connect\n'
  expect(await uses(byVersion)).toEqual([])
})

test('PyPI: what is private by its name breaks those who import it all the same, when it goes', async () => {
  const change = {
    'src/acme/_net.py': null,
    ...replaced('src/acme/client.py', '\n\ndef _private():\n    pass\n', ''),
  }
  const found = await breaksBetween(packages, library, changed(library, change))
  const app = { 'app.py': 'from acme import _net\nfrom acme.client import _private\n' }
  expect(await brokenUses(packages, found, app)).toEqual([
    'certain app.py:1 acme._net',
    'certain app.py:2 acme.client._private',
  ])
  expect(await brokenUses(packages, found, user)).toEqual([])
})

test('PyPI: examples and tools import what no list names', async () => {
  const found = await breaksBetween(packages, library, gone)
  const files = { 'requirements.txt': 'flask\n', 'examples/app.py': 'from acme import connect\n' }
  expect(await brokenUses(packages, found, files)).toHaveLength(1)
  expect(await brokenUses(packages, found, { ...files, 'acme/__init__.py': '' })).toEqual([])
})

test('PyPI: who has a package of that name, or depends on others only, does not use it', async () => {
  const found = await breaksBetween(packages, library, gone)
  const app = 'from acme import connect\n'
  expect(await brokenUses(packages, found, { 'app.py': app, 'acme/__init__.py': '' })).toEqual([])
  expect(await brokenUses(packages, found, { 'app.py': app, 'requirements.txt': 'flask\n' })).toEqual([])
})

const locks: Record<string, [string, string, string]> = {
  poetry: ['poetry.lock', '[[package]]\nname = "acme-client"\nversion = "1.4.3"\n', '1.4.3 poetry.lock:3'],
  uv: ['uv.lock', '[[package]]\nname = "acme-client"\nversion = "1.4.4"\n', '1.4.4 uv.lock:3'],
  pipenv: [
    'Pipfile.lock',
    '{"default": {\n"acme-client": {\n"hashes": [],\n"version": "==1.4.5"\n}}}\n',
    '1.4.5 Pipfile.lock:4',
  ],
  requirements: ['README.md', '', '1.4.2 requirements.txt:2'],
}

for (const [name, [path, text, pinned]] of Object.entries(locks))
  test(`PyPI: the version is in the file of ${name}`, async () => {
    const [broken] = await breaksBetween(packages, library, gone)
    const tree = treeOf({ ...user, [path]: text })
    const [file] = await tree.read(['app.py'])
    const use = file
      ? (await packages.uses(file)).find(({ name }) => name === 'acme.client.connect')
      : undefined
    if (!broken || !use) throw new Error('nothing broke')
    const pin = await packages.pin?.(broken, use, tree)
    expect(`${pin?.version} ${pin?.path}:${pin?.line}`).toBe(pinned)
  })

const namesake: Files = {
  'pyproject.toml': '[project]\nname = "acme-tools"\n',
  'acme/__init__.py': 'from .load import load\n\n__all__ = ["load"]\n',
  'acme/load.py': 'def load(path):\n    return open(path)\n\n\ndef unload():\n    return 1\n',
}

const loader: Files = { 'job.py': 'from acme import load\n\nload("a")\n' }

test('a function hides the module of the same name, which may move', async () => {
  const after = changed(namesake, {
    'acme/__init__.py': 'from .core import load\n\n__all__ = ["load"]\n',
    'acme/core.py': namesake['acme/load.py'] ?? '',
    'acme/load.py': null,
  })
  const breaks = await breaksBetween(packages, namesake, after)
  expect(breaks.map(({ name }) => name)).toEqual(['acme.load'])
  expect(await brokenUses(packages, breaks, loader)).toEqual([])
  const deep = { 'job.py': 'from acme.load import unload\n' }
  expect(await brokenUses(packages, breaks, deep)).toEqual(['certain job.py:1 acme.load.unload'])
})

test('the module of the same name does not replace a function that goes', async () => {
  const after = changed(namesake, {
    'acme/__init__.py': '__all__ = []\n',
    'acme/load.py': 'def unload():\n    return 1\n',
  })
  const breaks = await breaksBetween(packages, namesake, after)
  expect(await brokenUses(packages, breaks, loader)).toEqual(['certain job.py:1 acme.load'])
})

test('a package passes names on that it imports from itself by its whole name', async () => {
  const whole = { ...namesake, 'acme/__init__.py': 'from acme.load import load, unload\n' }
  const after = changed(whole, { 'acme/__init__.py': 'from acme.load import unload\n' })
  const breaks = await breaksBetween(packages, whole, after)
  expect(await brokenUses(packages, breaks, loader)).toEqual(['certain job.py:1 acme.load'])
})
