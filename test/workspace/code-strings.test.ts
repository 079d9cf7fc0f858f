/** String literals of source files, with their places. */
import { expect, test } from 'vitest'
import { codeStrings } from '../../src/workspace/code-strings.ts'

test.each<[string, string, string[]]>([
  ['a.ts', `const a = "x" + 'y' // "no"`, ['x     y']],
  ['a.ts', 'f(/["\']/, "x", 4 / 2, "y") /* "no" */', ['x', 'y']],
  ['a.ts', 'q`a $' + '{b(`c $' + '{"d"}`)} e`; "f"', ['a                  e', 'f']],
  ['a.ts', "const open = 'abc\nconst next = 'd'", ['d']],
  ['a.ts', String.raw`"a\n\"b"`, ['a   "b']],
  ['a.py', `x = f"a {b} c" 'd' # "no"\ny = """e\n'f'"""`, ['a     c   d', "e\n'f'"]],
  ['a.go', 'x := `a\nb` + "c"; y := \'"\'; z := "d"', ['a\nb     c', 'd']],
  ['a.rs', `fn a<'b>() { "c\nd"; '"'; "e" }`, ['c\nd', 'e']],
  ['A.java', 'String a = """\n  b "c"\n  """; char d = \'\\\'\';', ['\n  b "c"\n  ']],
  ['a.cs', 'var a = @"b\nc"; var d = "e";', ['b\nc', 'e']],
  ['a.rb', 'A = <<~SQL\n  b "c"\nSQL\nd = "e #{f} g"\n', ['  b "c"\n', 'e      g']],
  ['a.php', '$a = <<<SQL\nb\nSQL;\n$c = \'d\' . "e"; # "no"', ['b\n', 'd     e']],
  ['a.vue', '<p>it\'s</p>\n<script>const a = "b"</script>', ['b']],
  ['a.md', '"no"', []],
])('%s: %s', (path, text, literals) => {
  const found = codeStrings(path, text)
  expect(found.map((one) => one.text)).toEqual(literals)
  for (const { start, text: literal } of found) expect(text.slice(start)[0]).toBe(literal[0])
})

test('the code before a literal says what it is for', () => {
  expect(codeStrings('a.ts', 'const query = gql`a`').map(({ before }) => before)).toEqual([
    'const query = gql',
  ])
})
