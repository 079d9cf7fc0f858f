/** Code that strangers wrote to be in the way: nothing throws, and nothing is read without bound. */
import { expect, test } from 'vitest'
import type { ContractKind } from '../../../src/workspace/contract.ts'
import { eventContracts } from '../../../src/workspace/kinds/event/kind.ts'
import { httpContracts } from '../../../src/workspace/kinds/http/kind.ts'
import { schemaContracts } from '../../../src/workspace/kinds/schema/kind.ts'
import { treeOf } from '../helpers.ts'

const kinds: readonly ContractKind[] = [eventContracts, httpContracts, schemaContracts]

const texts: readonly [string, string][] = [
  [
    'a.ts',
    "import express from 'express'\nconst app = express()\napp.get('/a', (req, res) => res.json({ a: ",
  ],
  ['a.ts', `fetch(\`\${${'`${'.repeat(500)}`],
  ['a.ts', `import axios from 'axios'\naxios.get(${'('.repeat(3_000)}`],
  ['a.ts', `fetch('/a').then(${'r => r.json()).then('.repeat(1_000)}`],
  [
    'a.ts',
    "import { Post } from '@nestjs/common'\n@Controller('a')\nclass A {\n  @Post() add(@Body() { a, [b]: c }: D) {}\n}\n",
  ],
  ['a.ts', "const { a: { b: { c: { d: { e: { f: { g } } } } } } } = await (await fetch('/a/b')).json()\n"],
  [
    'a.py',
    'from fastapi import FastAPI\napp = FastAPI()\n@app.get("/a/{x}")\ndef a(*args: int, **kw: str):\n    return """\n',
  ],
  ['a.py', `requests.get("/a" ${'+ "b" '.repeat(3_000)})\n`],
  ['a.py', 'x = requests.get(f\'{a}/{b["c"]}/{\')\n'],
  [
    'a.kt',
    '@RestController\nclass A {\n  @GetMapping("/a")\n  fun `a (b`(): `C [d` = x\n}\ndata class `C [d`(val `e (f`: String)\n',
  ],
  [
    'A.java',
    '@RestController class A { @GetMapping({"/a", B + "/c"}) @RequestMapping(path = ) X f(@RequestParam(',
  ],
  [
    'a.go',
    'package a\nimport "github.com/gin-gonic/gin"\nfunc f(r *gin.Engine) {\n\tr.Group("/a").Group("/b").GET("/c", func(',
  ],
  [
    'config/routes.rb',
    'Rails.application.routes.draw do\n  resources :a, only: [\n  namespace do\n  get => 1\n',
  ],
]

test.each(texts)('%s: %s', async (path, text) => {
  const tree = treeOf({ [path]: text })
  const [file] = await tree.read([path])
  for (const kind of kinds) {
    const provided = await kind.provided([path], tree)
    const uses = file ? await kind.uses(file) : []
    const lines = text.split('\n').length
    for (const { line, endLine } of [...provided, ...uses]) {
      expect(line).toBeGreaterThan(0)
      expect(endLine).toBeGreaterThanOrEqual(line)
      expect(endLine).toBeLessThanOrEqual(lines)
    }
    expect(kind.breaks(provided, provided)).toEqual([])
  }
})

test('mounts that go in circles, and as many as there can be', async () => {
  const circle =
    "import { Router } from 'express'\nexport const a = Router()\nexport const b = Router()\na.use('/a', b)\nb.use('/b', a)\nb.get('/x', f)\n"
  const many = `const app = require('express')()\nconst r = require('express').Router()\nr.get('/x', f)\n${"app.use('/p', r)\n".repeat(50)}`
  const names = async (text: string) =>
    (await httpContracts.provided(['a.ts'], treeOf({ 'a.ts': text }))).map(({ name }) => name)
  expect((await names(circle)).length).toBeLessThan(20)
  expect(await names(many)).toEqual(['GET /p/x'])
})
