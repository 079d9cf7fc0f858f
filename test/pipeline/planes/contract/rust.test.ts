/** Broken uses in Rust, and uses that still work. */
import { expect, test } from 'vitest'
import { brokenUses } from './broken-uses.ts'

test('paths, use trees, re-exports, other crates and impl blocks', async () => {
  const text = (list: string, gone: string) =>
    `pub struct Store {\n    pub name: String,\n}\n\nimpl Store {\n    pub fn new() -> Self {\n        Store { name: String::new() }\n    }\n    pub fn load(&self, ${list}) -> usize {\n        self.name.len()\n    }\n}\n${gone}`
  const found = await brokenUses(
    {
      'Cargo.toml': '[workspace]\nmembers = ["kit", "app"]\n',
      'kit/Cargo.toml': '[package]\nname = "my-kit"\nversion = "0.1.0"\n',
      'kit/src/lib.rs': 'mod store;\nmod near;\npub mod deep;\npub use store::{reset, Store};\n',
      'kit/src/store.rs': text('key: u8', '\npub fn reset() -> usize {\n    [1, 2, 3].iter().sum()\n}\n'),
      'kit/src/near.rs':
        'use super::store::Store;\n\nfn near(store: &Store) {\n    store.load(1);\n    Store::load(store, 1);\n    crate::store::reset();\n}\n',
      'kit/src/deep/mod.rs': 'mod low;\n',
      'kit/src/deep/low.rs':
        'use crate::store::*;\n\nfn low() {\n    let store = Store::new();\n    store.load(1);\n}\n',
      'app/Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\n',
      'app/src/main.rs':
        'use my_kit::{reset, Store as S};\n\nstruct Other;\nimpl Other {\n    fn load(&self, key: u8) {}\n}\n\nfn main() {\n    reset();\n    let other = Other;\n    other.load(1);\n    S::new().load(2);\n}\n',
    },
    { 'kit/src/store.rs': text('key: u8, fresh: bool', '') },
  )
  expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'app/src/main.rs:12 signature-arity',
    'kit/src/deep/low.rs:5 signature-arity',
    'kit/src/lib.rs:4 removed-symbol',
    'kit/src/near.rs:4 signature-arity',
    'kit/src/near.rs:5 signature-arity',
    'kit/src/near.rs:6 removed-symbol',
  ])
})

test('names of the own file, of inline modules, and macros', async () => {
  const found = await brokenUses(
    {
      'Cargo.toml': '[package]\nname = "kit"\n',
      'src/lib.rs':
        '#[macro_use]\nmod macros;\nmod a;\n\nfn helper() -> usize {\n    [1, 2].len()\n}\n\npub fn run() -> usize {\n    helper() + ask()\n}\n\nfn ask() -> usize {\n    7\n}\n\nmod tests {\n    use super::*;\n    fn t() {\n        helper();\n    }\n}\n',
      'src/macros.rs': 'macro_rules! shout {\n    ($e:expr) => { $e };\n}\n',
      'src/a.rs': 'fn a() {\n    shout!(1);\n    let helper = || 1;\n    helper();\n}\n',
    },
    {
      'src/lib.rs':
        '#[macro_use]\nmod macros;\nmod a;\n\npub fn run() -> usize {\n    helper() + ask()\n}\n\nfn ask() -> usize {\n    7\n}\n\nmod tests {\n    use super::*;\n    fn t() {\n        helper();\n    }\n}\n',
      'src/macros.rs': 'macro_rules! whisper_all_of_it {\n    () => { 2 };\n}\n',
    },
  )
  expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'src/a.rs:2 removed-symbol',
    'src/lib.rs:16 removed-symbol',
    'src/lib.rs:6 removed-symbol',
  ])
})

test('impl blocks that lack a required method, or keep one the trait lost', async () => {
  const found = await brokenUses(
    {
      'Cargo.toml': '[package]\nname = "kit"\n',
      'src/lib.rs': 'pub mod plane;\nmod a;\nmod b;\n',
      'src/plane.rs': 'pub trait Plane {\n    fn look(&self);\n    fn old(&self) -> usize;\n}\n',
      'src/a.rs':
        'use crate::plane::Plane;\n\nstruct A;\n\nimpl Plane for A {\n    fn look(&self) {}\n    fn old(&self) -> usize { 1 }\n}\n',
      'src/b.rs':
        'use crate::plane::Plane;\n\nstruct B;\n\nimpl Plane for B {\n    fn look(&self) {}\n    fn rest(&self, n: u8) {}\n}\n',
    },
    {
      'src/plane.rs':
        'pub trait Plane {\n    fn look(&self);\n    fn rest(&self, n: u8);\n    fn maybe(&self) {}\n}\n',
    },
  )
  expect(found).toEqual([
    'src/a.rs:5 implementer-not-updated it has no `rest`',
    'src/a.rs:7 override-not-updated it overrides nothing now',
  ])
})
