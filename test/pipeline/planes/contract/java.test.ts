/** Broken uses in Java, and uses that still work. */
import { expect, test } from 'vitest'
import { brokenUses } from './broken-uses.ts'

const at = (name: string) => `src/main/java/com/acme/${name}.java`

test('imports, same package, statics, inherited members and overloads by number of arguments', async () => {
  const store = (list: string, more: string) =>
    `package com.acme.store;\n\npublic class Store {\n  public String load(${list}) {\n    return "";\n  }\n  public void put(String a) {}\n  public void put(String a, int b) {}\n${more}}\n`
  const found = await brokenUses(
    {
      [at('store/Store')]: store('String key', '  public static int reset() {\n    return 1 + 2 + 3;\n  }\n'),
      [at('store/Near')]:
        'package com.acme.store;\n\nclass Near {\n  Store store = new Store();\n  void f() {\n    store.load("a");\n    Store.reset();\n    store.put("a");\n  }\n}\n',
      [at('app/App')]:
        'package com.acme.app;\n\nimport static com.acme.store.Store.reset;\nimport com.acme.store.*;\n\nclass App extends Store {\n  void f(Store other) {\n    load("a");\n    this.load("b");\n    other.load("c");\n    reset();\n  }\n}\n',
      'src/test/java/com/acme/store/StoreTest.java':
        'package com.acme.store;\n\nclass StoreTest {\n  void t() {\n    new Store().load("a");\n  }\n}\n',
      [at('app/Other')]:
        'package com.acme.app;\n\nclass Other {\n  String load(String key) { return key; }\n  void f() {\n    load("a");\n  }\n}\n',
    },
    {
      [at('store/Store')]: store('String key, boolean fresh', '').replace(
        'public void put(String a) {}',
        'public void put(String a, long c, int d) {}',
      ),
    },
  )
  expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'src/main/java/com/acme/app/App.java:10 signature-arity',
    'src/main/java/com/acme/app/App.java:3 removed-symbol',
    'src/main/java/com/acme/app/App.java:8 signature-arity',
    'src/main/java/com/acme/app/App.java:9 signature-arity',
    'src/main/java/com/acme/store/Near.java:6 signature-arity',
    'src/main/java/com/acme/store/Near.java:7 removed-symbol',
    'src/main/java/com/acme/store/Near.java:8 signature-arity',
    'src/test/java/com/acme/store/StoreTest.java:5 signature-arity',
  ])
})

test('implementers, overrides, renamed classes and what is private now', async () => {
  const found = await brokenUses(
    {
      [at('Plane')]: 'package com.acme;\n\npublic interface Plane {\n  void look();\n}\n',
      [at('A')]: 'package com.acme;\n\nclass A implements Plane {\n  public void look() {}\n}\n',
      [at('Base')]:
        'package com.acme;\n\npublic class Base {\n  public void start(int n) {}\n  public int count() {\n    return 1;\n  }\n}\n',
      [at('C')]:
        'package com.acme;\n\nclass C extends Base {\n  @Override\n  public void start(int n) {}\n  int f() {\n    return count();\n  }\n}\n',
      [at('Name')]:
        'package com.acme;\n\npublic class Name {\n  int x = 1;\n  int twice() {\n    return x * 2;\n  }\n}\n',
      [at('sub/Use')]: 'package com.acme.sub;\n\nimport com.acme.Name;\n\nclass Use {\n  Name name;\n}\n',
    },
    {
      [at('Plane')]:
        'package com.acme;\n\npublic interface Plane {\n  void look();\n  void rest();\n  default void maybe() {}\n}\n',
      [at('Base')]:
        'package com.acme;\n\npublic class Base {\n  public void start(int n, int m) {}\n  private int count() {\n    return 1;\n  }\n}\n',
      [at('Name')]: null,
      [at('Label')]:
        'package com.acme;\n\npublic class Label {\n  int x = 1;\n  int twice() {\n    return x * 2;\n  }\n}\n',
    },
  )
  expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'src/main/java/com/acme/A.java:3 implementer-not-updated',
    'src/main/java/com/acme/C.java:5 override-not-updated',
    'src/main/java/com/acme/C.java:7 visibility-reduced',
    'src/main/java/com/acme/sub/Use.java:3 renamed-symbol',
  ])
})
