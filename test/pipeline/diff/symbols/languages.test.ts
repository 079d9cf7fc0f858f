/** From source text to the fate of each symbol, through the real parser, in every language with a table. */
import { afterAll, expect, test } from 'vitest'
import { sharedFacts } from '../../../helpers/shared-facts.ts'
import { diffTrees, inWords } from './diff-trees.ts'

const store = sharedFacts()
afterAll(() => store.close())

async function changes(before: Record<string, string>, after: Record<string, string>) {
  return inWords(await diffTrees(store, before, after))
}

test('Python', async () => {
  const before = `LIMIT = 3


class Store:
    size: int = 0

    def load(self, path, *, strict=False):
        text = open(path).read()
        if strict:
            check(text)
        return text

    def _drop(self):
        pass


@cache
def first(a, b=1):
    return a


def total(items):
    result = 0
    for item in items:
        result += item.price
    return result
`
  const after = `LIMIT = 3


class Store:
    size: int = 0

    def load(self, path, encoding, *, strict=True, lazy=False):
        text = open(path).read()
        if strict:
            check(text)
        return text


def first(a, b=1):
    return a


def sum_prices(items):
    result = 0
    for item in items:
        result += item.price
    return result
`
  expect(await changes({ 'a.py': before }, { 'a.py': after })).toEqual([
    'signature-changed a.py Store.load: +encoding, +lazy',
    'removed a.py Store._drop',
    'signature-changed a.py first',
    'renamed a.py total → a.py sum_prices',
  ])
})

test('Go', async () => {
  const before = `package store

const limit = 3

type Store struct {
	Name string
	size int
}

func (s *Store) Load(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return string(data), nil
}

func open(_ int, _ string) error { return nil }
`
  const after = `package store

const limit = 3

type Store struct {
	Name  string
	Owner string
	size  int
}

func (s *Store) Load(ctx context.Context, path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return data, nil
}

func open(_ int) error { return nil }
`
  expect(await changes({ 'a.go': before }, { 'a.go': after })).toEqual([
    'added a.go Store.Owner',
    'signature-changed a.go Store.Load: +ctx, (string, error) → ([]byte, error), body',
    'signature-changed a.go open: -_',
  ])
  const moved = await changes(
    { 'a.go': before, 'b.go': 'package store\n' },
    {
      'a.go': before.replace(/func \(s[\s\S]*?\n}\n/, ''),
      'b.go': `package store\n\n${/func \(s[\s\S]*?\n}\n/.exec(before)?.[0]}`,
    },
  )
  expect(moved).toEqual(['moved a.go Store.Load → b.go Store.Load'])
})

test('Rust', async () => {
  const before = `pub struct Store { pub name: String }

impl Store {
    pub fn new(name: String) -> Self {
        Store { name }
    }
    fn load(&self, path: &Path) -> io::Result<String> {
        let text = fs::read_to_string(path)?;
        Ok(text.trim().to_string())
    }
}

impl Display for Store {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

impl Debug for Store {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "Store({})", self.name)
    }
}
`
  const after = before
    .replace('    fn load(&self, path: &Path)', '    pub fn load(&self, path: &Path, limit: usize)')
    .replace(/impl Display[\s\S]*?\n}\n\n/, '')
  expect(await changes({ 'a.rs': before }, { 'a.rs': after })).toEqual([
    'signature-changed a.rs Store.load: +limit, private → exported',
    'removed a.rs Store',
    'removed a.rs Store.fmt',
  ])
})

test('Java', async () => {
  const before = `package a;
public class Store {
  private int size = 0;
  public Store(int size) { this.size = size; }
  void put(int key) { save(key); }
  void put(String key) { save(key.trim()); log(key); }
  public String load(String path) {
    String text = read(path);
    if (text == null) return "";
    return text.trim();
  }
}
`
  const after = `package a;
public class Store {
  private int size = 0;
  public Store(int size, String name) { this.size = size; }
  void put(String key) { save(key.trim()); log(key); }
  String fetch(String path) {
    String text = read(path);
    if (text == null) return "";
    return text.trim();
  }
}
`
  expect(await changes({ 'Store.java': before }, { 'Store.java': after })).toEqual([
    'signature-changed Store.java Store.Store: +name',
    'removed Store.java Store.put',
    'renamed Store.java Store.load → Store.java Store.fetch: exported → internal',
  ])
})
