/** What real commits once had named wrongly: each stays quiet now. */
import { expect, test } from 'vitest'
import { misuses } from '../new-code/misuses.ts'
import { brokenUses } from './broken-uses.ts'

test('Rust: a let that shadows a parameter is another thing', async () => {
  const task = (notified: string) =>
    `pub struct Notified;\npub struct Local;\n\nimpl Notified {\n${notified}    pub fn bind(self) -> Local {\n        Local\n    }\n}\n\nimpl Local {\n    pub fn meta(&self, late: bool) -> usize {\n        usize::from(late)\n    }\n}\n`
  const found = await brokenUses(
    {
      'Cargo.toml': '[package]\nname = "kit"\nversion = "0.1.0"\n',
      'src/lib.rs': 'mod task;\nmod worker;\n',
      'src/task.rs': task('    pub fn meta(&self) -> usize {\n        7\n    }\n'),
      'src/worker.rs':
        'use crate::task::Notified;\n\nfn run(task: Notified) -> usize {\n    let task = task.bind();\n    task.meta(true)\n}\n\nfn early(task: Notified) -> usize {\n    task.meta()\n}\n',
    },
    { 'src/task.rs': task('') },
  )
  expect(found.map((line) => line.split(' ')[0])).toEqual(['src/worker.rs:9'])
})

test('Rust: items that a macro wraps are not gone', async () => {
  const found = await brokenUses(
    {
      'Cargo.toml': '[package]\nname = "kit"\nversion = "0.1.0"\n',
      'src/lib.rs': 'mod task;\nmod worker;\n',
      'src/task.rs':
        'pub struct Task;\n\nimpl Task {\n    pub fn wake(&self) -> usize {\n        7\n    }\n}\n',
      'src/worker.rs': 'use crate::task::Task;\n\nfn run(task: Task) -> usize {\n    task.wake()\n}\n',
    },
    {
      'src/task.rs':
        'pub struct Task;\n\nimpl Task {\n    cfg_dump! {\n        pub fn wake(&self) -> usize {\n            7\n        }\n    }\n}\n',
    },
  )
  expect(found).toEqual([])
})

test('TypeScript: a written function type speaks for the function behind it', async () => {
  const host = (name: string, parameters: string) =>
    `export class Host {\n  fetch: (request: string, ${name}?: number) => string = (${parameters}) => {\n    return request\n  }\n}\n`
  const found = await brokenUses(
    {
      'src/host.ts': host('Env', 'request, ...rest'),
      'src/run.ts': "import { Host } from './host.ts'\n\nexport const run = () => new Host().fetch('a')\n",
    },
    { 'src/host.ts': host('env', 'request, env') },
  )
  expect(found).toEqual([])
})

test('TypeScript: a static member with a body is no duty of subclasses, whatever its types say', async () => {
  const kinds = (member: string) => `export class Fault extends Error {\n${member}  readonly code = 1\n}\n`
  const found = await brokenUses(
    {
      'src/fault.ts': kinds(''),
      'src/late.ts': "import { Fault } from './fault.ts'\n\nexport class Late extends Fault {}\n",
    },
    {
      'src/fault.ts': kinds(
        '  static is<T extends abstract new (...args: never[]) => unknown>(this: T, value: unknown): boolean {\n    return value instanceof this\n  }\n',
      ),
    },
  )
  expect(found).toEqual([])
})

test('a definition that shadowed a name of the language itself is gone', async () => {
  expect(
    await brokenUses(
      {
        'go.mod': 'module example.com/shop\n\ngo 1.18\n',
        'any.go': 'package shop\n\ntype any = interface{}\n\ntype own = int\n',
        'use.go': 'package shop\n\nvar a any = 1\nvar b own = 1\n',
        'shop.py': 'def print(x):\n    return x\n\n\ndef show(x):\n    print(x)\n',
      },
      {
        'any.go': 'package shop\n',
        'shop.py': 'def show(x):\n    print(x)\n',
      },
    ),
  ).toEqual(['use.go:4 removed-symbol no definition of this name is visible here'])
})

test('Rust: a trait that is split into several, of which one builds on another', async () => {
  const world = (widget: string, more: string) => ({
    'Cargo.toml': '[package]\nname = "kit"\nversion = "0.1.0"\n',
    'src/lib.rs': 'mod widget;\nmod interactive;\nmod button;\n',
    'src/widget.rs': `pub trait Widget {\n    fn draw(&self) -> usize;\n${widget}}\n`,
    'src/interactive.rs': more,
    'src/button.rs':
      more === ''
        ? 'use crate::widget::Widget;\n\npub struct Button;\n\nimpl Widget for Button {\n    fn draw(&self) -> usize {\n        1\n    }\n    fn on_press(&self, key: u8) -> bool {\n        key > 1\n    }\n}\n'
        : 'use crate::interactive::Interactive;\nuse crate::widget::Widget;\n\npub struct Button;\n\nimpl Widget for Button {\n    fn draw(&self) -> usize {\n        1\n    }\n}\n\nimpl Interactive for Button {\n    fn on_press(&self, key: u8) -> bool {\n        key > 1\n    }\n}\n',
  })
  const before = world('    fn on_press(&self, key: u8) -> bool;\n', '')
  const after = world(
    '',
    'use crate::widget::Widget;\n\npub trait Interactive: Widget {\n    fn on_press(&self, key: u8) -> bool;\n}\n',
  )
  expect(await brokenUses(before, after)).toEqual([])
})

test('TypeScript: a default export written in a list of exports', async () => {
  const lib = 'const client = { get: () => 1 }\nexport class CancelError extends Error {}\n'
  const found = await brokenUses(
    {
      'src/client.js': `${lib}export default client\n`,
      'src/index.js': "import client from './client.js'\nexport default client\n",
      'src/use.js': "import client from './index.js'\n\nclient.get()\n",
    },
    {
      'src/client.js': `${lib}export { client as default, client }\n`,
      'src/index.js': "import client from './client.js'\nexport { client as default, client }\n",
    },
  )
  expect(found).toEqual([])
})

test('TypeScript: a fake of a test is not the class of the same methods that is not here', async () => {
  const fake = (methods: string) => `export class FakeQueue {\n${methods}  close(): void {}\n}\n`
  const found = await brokenUses(
    {
      'test/queue.test.ts': fake('  drainPendingJobs(): number { return 1 }\n'),
      'src/run.ts':
        "import { queues } from './queues.ts'\n\nexport const run = (): number => queues().jobs.drainPendingJobs()\n",
      'src/queues.ts': "import { jobs } from 'queue'\n\nexport function queues() {\n  return { jobs }\n}\n",
    },
    { 'test/queue.test.ts': fake('') },
  )
  expect(found).toEqual([])
})

test('Python: a member that a subtype has, through a name that is written as the base type', async () => {
  const widget = (name: string) =>
    `class Widget:\n    def ${name}(self) -> str:\n        return "a"\n\n    def query(self) -> "Widget":\n        return self\n`
  const found = await brokenUses(
    {
      'kit/__init__.py': '',
      'kit/widget.py': widget('selection'),
      'kit/select.py':
        'from typing import Generic\n\nfrom kit.widget import Widget\n\n\nclass Select(Generic, Widget):\n    def selection(self) -> str:\n        return "b"\n',
      'app.py':
        'from kit.widget import Widget\n\n\ndef run(widget: Widget) -> str:\n    return widget.query().selection()\n',
    },
    { 'kit/widget.py': widget('text_selection') },
  )
  expect(found).toEqual(['kit/select.py:7 override-not-updated it overrides nothing now'])
})

test('TypeScript: a package of the workspace whose sources are not where its built files are', async () => {
  const files = (text: string) => ({
    'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n',
    'packages/core/package.json':
      '{ "name": "@kit/core", "exports": { "./types": { "browser": "./dist/browser.js", "default": "./dist/types.js" } } }\n',
    'packages/core/src/types.ts': 'export type Brand = string\n',
    'packages/core/src/browser.ts': 'export const inBrowser = true\n',
    'packages/core/src/exports/types.ts': text,
  })
  expect(
    await misuses(files("export type { Brand } from '../types'\nexport type Contract = { a: 1 }\n"), {
      'packages/app/use.ts':
        "import { Contract } from '@kit/core/types'\n\nexport const contract: Contract = { a: 1 }\n",
    }),
  ).toEqual([])
})

test('Python, JavaScript: a member with a name of its own that a text still makes is not gone', async () => {
  const setting = (text: string, method: string) =>
    `class OnStarting(Setting):\n    name = ${text}\n\n    def ${method}(server):\n        return server\n`
  const python = async (text: string) =>
    await brokenUses(
      {
        'config.py': setting(text, 'on_starting'),
        'arbiter.py': 'def start(cfg, server):\n    cfg.on_starting(server)\n',
      },
      { 'config.py': setting(text, 'default') },
    )
  expect(await python('"on_starting"')).toEqual([])
  expect(await python('"starting"')).toHaveLength(1)
  const script = async (text: string) =>
    await brokenUses(
      {
        'config.js': `export const made = ${text}\nexport class Config {\n  workerTimeout() {\n    return 30\n  }\n}\n`,
        'run.js': 'export function run(config) {\n  wait(config.workerTimeout())\n}\n',
      },
      { 'config.js': `export const made = ${text}\nexport class Config {}\n` },
    )
  expect(await script("'workerTimeout'")).toEqual([])
  expect(await script("'other'")).toHaveLength(1)
})

test('TypeScript: a member that another language defines under its own case is not the only one', async () => {
  const root = (getter: string) => `export class Root {\n  files: string[] = []\n${getter}}\n`
  const files = {
    'src/root.ts': root('  get scannedFiles() {\n    return this.files\n  }\n'),
    'cli/build.ts':
      "import { Scanner } from '@here/native'\n\nexport const build = (make: () => any) => make().scannedFiles\n",
  }
  const native = {
    'native/lib.rs': 'impl Scanner {\n    pub fn scanned_files(&self) -> usize {\n        7\n    }\n}\n',
  }
  const gone = { 'src/root.ts': root('') }
  expect(await brokenUses({ ...files, ...native }, gone)).toEqual([])
  expect(await brokenUses(files, gone)).toHaveLength(1)
})

test('Rust: what a file implements for its own type is none of the type of that name above it', async () => {
  const own = (more: string) => `pub struct Config {\n    pub on: bool,\n}\n${more}`
  const found = await brokenUses(
    {
      'Cargo.toml': '[package]\nname = "kit"\nversion = "0.1.0"\n',
      'src/lib.rs': 'pub mod layers;\nmod setup;\n',
      'src/layers/mod.rs':
        'pub mod log;\n\n#[derive(Default)]\npub struct Config {\n    pub log: Option<log::Config>,\n}\n',
      'src/layers/log.rs': own(
        '\nimpl Default for Config {\n    fn default() -> Self {\n        Self { on: true }\n    }\n}\n',
      ),
      'src/setup.rs':
        'use crate::layers;\n\npub fn setup() -> layers::Config {\n    layers::Config::default()\n}\n',
    },
    { 'src/layers/log.rs': own('') },
  )
  expect(found).toEqual([])
})
