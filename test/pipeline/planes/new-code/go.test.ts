/** New Go code against its repository; Rust and Java, which are left alone. */
import { expect, test } from 'vitest'
import { newCodePlane } from '../../../../src/pipeline/planes/new-code/plane.ts'
import { reviewChange } from '../review-commit.ts'
import { misuses } from './misuses.ts'

test('Go: names that a package does not have, and calls that do not fit', async () => {
  const found = await misuses(
    {
      'go.mod': 'module example.com/shop\n\ngo 1.22\n',
      'text/text.go':
        'package text\n\nfunc Parse(text string, limit int) string { return text }\n\nfunc Join(sep string, parts ...string) string { return sep }\n\nfunc Pair() (string, int) { return "", 1 }\n\ntype Store struct{ path string }\n\nfunc (s *Store) Load(key string) string { return key }\n',
      'text/text_linux.go': 'package text\n\nfunc Open(a int) {}\n',
      'text/text_other.go': '//go:build !linux\n\npackage text\n\nfunc Open(a, b int) {}\n',
    },
    {
      'main.go':
        'package main\n\nimport (\n\t"example.com/shop/text"\n\t"fmt"\n)\n\nfunc main() {\n\ttext.Prase("a", 1)\n\ttext.Parse("a")\n\ttext.Join()\n\tvar store text.Store\n\tstore.Load()\n\n\ttext.Parse(text.Pair())\n\ttext.Join(",", "a", "b")\n\ttext.Open(1)\n\ttext.Open(1, 2)\n\tload := (*text.Store).Load\n\tload(&store, "a")\n\tfmt.Nope()\n}\n',
    },
  )
  expect(found).toEqual([
    'main.go:9 unknown-export',
    'main.go:10 argument-count',
    'main.go:11 argument-count',
    'main.go:13 argument-count',
  ])
})

test('Rust and Java are not judged', async () => {
  const found = await misuses(
    {
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/lib.rs': 'pub mod text;\n',
      'src/text.rs':
        'pub fn parse(text: &str, limit: usize) -> usize { limit }\n\npub struct Store { pub a: usize }\n\nimpl Store {\n    pub fn new(a: usize) -> Self { Store { a } }\n    pub fn load(&self, key: &str) -> usize { self.a }\n}\n',
      'java/shop/Text.java':
        'package shop;\n\npublic class Text {\n  public Text(String a) {}\n  public static int parse(String a) { return 1; }\n  public static int parse(String a, int b) { return b; }\n  public static int join(String... parts) { return 1; }\n}\n',
      'java/shop/Open.java':
        'package shop;\n\npublic class Open extends lib.Base {\n  public static int parse(String a) { return 1; }\n}\n',
    },
    {
      'src/lib.rs': 'pub mod text;\npub mod use_it;\n',
      'src/use_it.rs':
        'use crate::text::{parse, Store};\n\npub fn run() {\n    parse("a");\n    let store = Store::new();\n    store.load("a", 1);\n    Store::load(&store, "a");\n    parse("a", 1);\n}\n',
      'java/shop/Use.java':
        'package shop;\n\nclass Use {\n  void run() {\n    Text.parse();\n    new Text();\n    Text.parse("a", 1);\n    Text.join();\n    Open.parse("a", 1);\n  }\n}\n',
    },
  )
  expect(found).toEqual([])
})

test('what would show a finding to be wrong fits what it says', async () => {
  const marks = '<<<<<<< HEAD\n\ta()\n=======\n\tb()\n>>>>>>> 1e9c5c3b\n'
  const base = { 'a.go': 'package a\n' }
  const review = await reviewChange(newCodePlane, base, { 'a.go': `package a\n\nfunc f() {\n${marks}}\n` })
  const [conflict] = review.verdicts.flatMap(({ finding }) => finding ?? [])
  expect(conflict?.wrongIf).toBe('a program reads this file and expects the marks')
})
