import { expect, test } from 'vitest'
import { repositoryName } from '../../src/domain/repository-name.ts'

test.each([
  ['github.com/acme/shop', 'github.com/acme/shop'],
  ['/home/ada/shop', 'shop'],
  ['/srv/mirrors/acme+shop/repo.git', 'acme+shop/repo'],
  ['C:\\work\\shop', 'shop'],
  ['/', '/'],
])('%s is called %s', (label, name) => expect(repositoryName(label)).toBe(name))
