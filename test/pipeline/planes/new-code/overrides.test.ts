/** New methods against their bases, and changed bases against the methods that override them. */
import { expect, test } from 'vitest'
import { brokenUses } from '../contract/broken-uses.ts'
import { misuses } from './misuses.ts'

const base = {
  'app/__init__.py': '',
  'app/base.py':
    'from abc import ABC, abstractmethod\n\n\nclass Task(ABC):\n    @abstractmethod\n    def run(self, job, retries):\n        """Runs it."""\n\n    def describe_it(self, job):\n        raise NotImplementedError\n\n    def anything(self, *args, **kwargs):\n        return args\n\n    def get_item(self, key):\n        return key\n',
  'src/base.ts':
    'export interface Task {\n  run(job: string, retries: number): void\n  describeIt(job: string): string\n  maybe?(): void\n}\nexport abstract class Base { abstract load(key: string): void; start(a: string) {} }\n',
}

test('Python: a new override with other parameters, or a misspelled name', async () => {
  const found = await misuses(base, {
    'app/mine.py':
      'from app.base import Task\n\n\nclass Short(Task):\n    def run(self, job):\n        return job\n\n    def descrbe_it(self, job):\n        return job\n\n    def anything(self, one):\n        return one\n\n    def get_items(self, key):\n        return key\n\n\nclass Good(Task):\n    def run(self, job, retries, more=None):\n        return job\n\n    def describe_it(self, *args):\n        return args\n\n    def describe_its(self, job):\n        return job\n',
  })
  expect(found).toEqual(['app/mine.py:5 override-parameters', 'app/mine.py:8 override-name'])
})

test('TypeScript: a method may take fewer arguments, never more', async () => {
  const found = await misuses(base, {
    'src/mine.ts':
      'import { Base, type Task } from "./base"\n\nexport class Mine extends Base implements Task {\n  run() {}\n  describeItt(job: string) { return job }\n  load(key: string, more: number) {}\n  start(a: string, b?: number) {}\n}\n',
  })
  expect(found).toEqual(['src/mine.ts:5 override-name', 'src/mine.ts:6 override-parameters'])
})

test('a base that changed without the methods that override it', async () => {
  const python = (list: string, name = 'load_all') =>
    `class Store:\n    def ${name}(self, ${list}):\n        """Loads what the keys name and nothing else."""\n        return [key for key in list(key)]\n\n    def close(self):\n        return 1\n`
  const heirs = {
    'store/__init__.py': '',
    'store/disk.py':
      'from store.base import Store\n\n\nclass Disk(Store):\n    def load_all(self, key):\n        return [key]\n\n\nclass Wide(Store):\n    def load_all(self, key, *more):\n        return [key]\n\n\nclass Other:\n    def load_all(self, key):\n        return key\n',
  }
  const before = { ...heirs, 'store/base.py': python('key') }
  expect(await brokenUses(before, { 'store/base.py': python('key, fresh') })).toEqual([
    'store/disk.py:5 override-parameters it takes 1 argument, the base 2 arguments',
  ])
  expect(await brokenUses(before, { 'store/base.py': python('key, fresh=None') })).toEqual([])
  expect(await brokenUses(before, { 'store/base.py': python('key', 'load_many') })).toEqual([
    'store/disk.py:10 override-not-updated it overrides nothing now',
    'store/disk.py:5 override-not-updated it overrides nothing now',
  ])
})
