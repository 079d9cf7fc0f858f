/** Which language a file is in: by its ending, headers also by what is in them. */
import { describe, expect, test } from 'vitest'
import { languageOf } from '../../src/code-index/language-of.ts'
import { cpuMilliseconds } from '../helpers/cpu-time.ts'

test.each([
  ['a/b.ts', 'typescript'],
  ['a.KT', 'kotlin'],
  ['build.gradle.kts', 'kotlin'],
  ['a.cs', 'csharp'],
  ['x.hpp', 'cpp'],
  ['Rakefile.rake', 'ruby'],
  ['a.lua', null],
  ['Makefile', null],
])('%s is %s', (path, language) => {
  expect(languageOf(path)).toBe(language)
})

describe('a header', () => {
  test('is C by its name alone', () => {
    expect(languageOf('store.h')).toBe('c')
    expect(languageOf('store.h', '')).toBe('c')
  })

  test.each([
    ['a namespace', 'namespace app {\n}\n'],
    ['a namespace with its bracket below', 'namespace app::model\n{\n}\n'],
    ['a class', '#pragma once\nclass Store : public Base {\n};\n'],
    ['a class announced', 'class Store;\n'],
    ['a template', '  template <typename T>\n'],
    ['a section', 'struct Store {\n public:\n  int x;\n};\n'],
    ['a scope', 'int f(int x);\nstd::string g();\n'],
    ['an alias', 'using Rows = int;\n'],
  ])('is C++ with %s', (_name, text) => {
    expect(languageOf('store.h', text)).toBe('cpp')
    expect(languageOf('store.c', text)).toBe('c')
  })

  test.each([
    ['extern "C" for the sake of C++', '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n'],
    [
      'words of C++ in a comment',
      '/* A class of rows, see std::vector.\n * template <x>\n * as in rows::first\n * public: */\nint f(void);\n',
    ],
    ['words of C++ as names', 'int class;\nstruct template { int namespace; };\nint using = 1;\n'],
  ])('stays C with %s', (_name, text) => {
    expect(languageOf('store.h', text)).toBe('c')
  })

  test('is judged in linear time', () => {
    const started = cpuMilliseconds()
    languageOf('store.h', 'class a '.repeat(10_000))
    languageOf('store.h', 'a\n'.repeat(40_000))
    languageOf('store.h', ' '.repeat(80_000))
    languageOf('store.h', 'namespace a\n'.repeat(8_000))
    expect(cpuMilliseconds() - started).toBeLessThan(2_000)
  })
})

describe('a `.ts` file', () => {
  test.each(['<?xml version="1.0"?>\n<!DOCTYPE TS>\n', '\uFEFF<?xml version="1.0"?>', '<!DOCTYPE TS><TS/>'])(
    'is a translation of Qt when it begins with %j',
    (text) => {
      expect(languageOf('lang/app_de.ts', text)).toBeNull()
      expect(languageOf('page.phtml', text)).toBe('php')
    },
  )

  test('stays TypeScript with XML further on', () => {
    expect(languageOf('a.ts', 'const a = `\n<?xml version="1.0"?>`\n')).toBe('typescript')
  })
})

describe('a file without an ending', () => {
  test.each([
    ['#!/usr/bin/env node\n', 'javascript'],
    ['#!/usr/bin/env -S node --no-warnings\n', 'javascript'],
    ['#!/usr/bin/env -S NODE_ENV=test tsx\n', 'typescript'],
    ['#!/usr/bin/python3.12 -u\n', 'python'],
    ['#!/bin/sh -e\n', 'bash'],
    ['#!/usr/bin/perl\n', null],
    ['node\n', null],
  ])('is in the language of its interpreter: %j', (text, language) => {
    expect(languageOf('bin/deploy', text)).toBe(language)
  })

  test('and one with an ending is not', () => {
    expect(languageOf('bin/deploy.ts', '#!/usr/bin/env python3\n')).toBe('typescript')
    expect(languageOf('bin/deploy.txt', '#!/usr/bin/env node\n')).toBe(null)
  })
})
