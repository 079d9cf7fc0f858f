/** C and C++: what a name means through includes, and that a declaration and its definition are one thing. */
import { expect, test } from 'vitest'
import { findTargets } from '../../../src/code-index/query/definitions.ts'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { doubts, edges, target, treeOf } from '../query/open-repo.ts'

const files = {
  'include/shop/order.h': `#ifndef ORDER_H
#define ORDER_H
#define MOST 10
typedef struct order { int count; struct order *next; } order;
int total(const order *o);
enum mode { FAST, SLOW };
#endif
`,
  'src/order.c': `#include "shop/order.h"
static int twice(int a) { return a * 2; }
int total(const order *o) { return twice(o->count) + o->next->count + MOST; }
`,
  'src/use.c': `#include <shop/order.h>
#include <string.h>
static int twice(int a) { return a; }
int use(order *o) {
  int (*f)(const order *) = total;
  return total(o) + twice(FAST) + strlen("a");
}
`,
  'other/order.c': 'int total(int a) { return a; }\nint main(void) { return total(1); }\n',
  'test/string.h': 'int strlen(const char *);\n',
}

async function linesOf(asked: string): Promise<string[]> {
  const tree = await treeOf(files)
  return edges(await findReferences(tree, await target(tree, asked)))
}

test('uses of a definition are found through the header that declares it, and the other way round', async () => {
  const uses = ['src/use.c:5 read import 1 in use', 'src/use.c:6 call import 1 in use']
  expect(await linesOf('src/order.c:3')).toEqual(uses)
  expect(await linesOf('include/shop/order.h:5')).toEqual(uses)
})

test('another program of the tree has a function of the same name', async () => {
  expect(await linesOf('other/order.c:1')).toEqual(['other/order.c:2 call same file 1 in main'])
})

test('what is static belongs to its own file', async () => {
  expect(await linesOf('src/order.c:2')).toEqual(['src/order.c:3 call same file 1 in total'])
  expect(await linesOf('src/use.c:3')).toEqual(['src/use.c:6 call same file 1 in use'])
})

test('macros, enumerators, and members by the type of what stands before the arrow', async () => {
  expect(await linesOf('MOST')).toEqual(['src/order.c:3 read import 1 in total'])
  expect(await linesOf('FAST')).toEqual(['src/use.c:6 read import 1 in use'])
  expect(await linesOf('count')).toEqual([
    'src/order.c:3 property receiver type 0.9 in total',
    'src/order.c:3 property receiver type 0.9 in total',
  ])
})

test('a header of the system is not taken for one of the same name, and nothing is called missing', async () => {
  const tree = await treeOf(files)
  const answer = await findReferences(tree, await target(tree, 'test/string.h:1'))
  expect(answer.references).toEqual([])
  expect(doubts(answer)).toEqual(['src/use.c:6 call not declared in what is included'])
})

test('methods of a class, inside and outside of it, by bare name and by receiver', async () => {
  const tree = await treeOf({
    'shape.h': `namespace ns {
class Base { public: int area(); };
class Shape : public Base { public: int size(); static int most(); int width_; };
}
`,
    'shape.cpp': `#include "shape.h"
int ns::Shape::size() { return width_ + this->width_ + area(); }
int use(ns::Shape& s) { auto* p = new ns::Shape(); return s.size() + p->size() + ns::Shape::most(); }
`,
  })
  const lines = async (asked: string) => edges(await findReferences(tree, await target(tree, asked)))
  expect(await lines('Shape.most')).toEqual(['shape.cpp:3 call receiver type 0.9 in use'])
  expect(await lines('shape.cpp:2')).toEqual([
    'shape.cpp:3 call receiver type 0.9 in use',
    'shape.cpp:3 call receiver type 0.9 in use',
  ])
  expect(await lines('Shape.width_')).toEqual([
    'shape.cpp:2 read import 1 in size',
    'shape.cpp:2 property receiver type 0.9 in size',
  ])
  expect(await lines('Base.area')).toEqual(['shape.cpp:2 call inherited 0.85 in size'])
})

test('specialisations of one template are things of their own: what may mean each of them is ambiguous', async () => {
  const tree = await treeOf({
    'format.h': `template <typename T> struct formatter { int format(T value); };
template <> struct formatter<int> { int format(int value); };
`,
    'use.cpp': '#include "format.h"\nint use(formatter<int>& f) { return f.format(1); }\n',
  })
  const methods = await findTargets(tree, 'formatter.format')
  expect(methods).toHaveLength(2)
  for (const method of methods)
    expect(edges(await findReferences(tree, method))).toEqual(['use.cpp:2 call ambiguous 0.4 in use'])
})
