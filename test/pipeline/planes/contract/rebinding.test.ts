/** A name that is bound anew is no longer of the type that was written for it. */
import { expect, test } from 'vitest'
import { leftBehind } from './left-behind.ts'

test('Rust: a let that shadows a parameter is another thing', async () => {
  const task = (notified: string) =>
    `pub struct Notified;\npub struct Local;\n\nimpl Notified {\n${notified}    pub fn bind(self) -> Local {\n        Local\n    }\n}\n\nimpl Local {\n    pub fn meta(&self, late: bool) -> usize {\n        usize::from(late)\n    }\n}\n`
  const found = await leftBehind(
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
