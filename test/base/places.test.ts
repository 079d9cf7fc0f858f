/** Paths by the rules of Windows and of other systems, whichever this is. */
import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { absoluteFolders, isInside, pathFrom } from '../../src/base/places.ts'

test('only absolute folders of a PATH are searched, whose colon may follow a drive', () => {
  const windows = 'C:\\Program Files\\Git\\cmd;.;node_modules\\.bin;D:/tools;;\\\\server\\share\\bin'
  expect(absoluteFolders(windows, win32)).toEqual([
    'C:\\Program Files\\Git\\cmd',
    'D:/tools',
    '\\\\server\\share\\bin',
  ])
  expect(absoluteFolders('/usr/bin:.:bin::/opt/a b', posix)).toEqual(['/usr/bin', '/opt/a b'])
})

test('a path lies in a folder by its parts, not by its letters', () => {
  const windows: [string, string, boolean][] = [
    ['C:\\shop', 'C:\\shop', true],
    ['c:\\Shop\\src\\a.ts', 'C:\\shop', true],
    ['C:/shop/src/a.ts', 'C:\\shop', true],
    ['C:\\shopping\\a.ts', 'C:\\shop', false],
    ['C:\\..shop\\a.ts', 'C:\\', true],
    ['D:\\shop\\a.ts', 'C:\\shop', false],
    ['\\\\server\\share\\a.ts', 'C:\\shop', false],
    ['C:\\a.ts', 'C:\\shop', false],
  ]
  for (const [path, folder, inside] of windows)
    expect([path, isInside(path, folder, win32)]).toEqual([path, inside])
  expect(isInside('/shop/..a', '/shop', posix)).toBe(true)
  expect(isInside('/shopping', '/shop', posix)).toBe(false)
})

test('paths of the repository have slashes', () => {
  expect(pathFrom('C:\\shop', 'C:\\shop\\src\\a.ts', win32)).toBe('src/a.ts')
  expect(pathFrom('C:\\shop', 'D:\\shop\\src\\a.ts', win32)).toBeNull()
  expect(pathFrom('/shop', '/shop/a\\b.ts', posix)).toBe('a\\b.ts')
  expect(pathFrom('/shop', '/shop', posix)).toBe('')
})
