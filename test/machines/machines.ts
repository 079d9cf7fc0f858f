/** The machines of the table: each is the bare one with something more, less or odd. */
import type { Machine } from './contract.ts'

/** The oldest that runs npm, the oldest that runs the product, the one that comes with the product, and the newest. */
const nodes = { forNpm: '20.20.2', oldest: '22.18.0', pinned: '24.21.0', newest: '26.10.0' }

const bare: Machine = {
  name: 'bare',
  words:
    'git, Node 20, npm, certificates; not root, home read-only, 200 MB for temporary files, no user namespaces',
  node: nodes.forNpm,
  packages: [],
  user: 'ada',
  hasNamespaces: false,
  home: 'read-only',
  checkout: 'writable',
  folder: 'sightline',
  environment: { LANG: 'C.UTF-8' },
  umask: '022',
  testsOnOwnNode: false,
}
/** As people have it. */
const usual: Machine = { ...bare, home: 'writable', hasNamespaces: true }

export const machines: readonly Machine[] = [
  bare,
  { ...usual, name: 'bubblewrap', words: 'with bubblewrap, home writable', packages: ['bubblewrap'] },
  {
    ...usual,
    name: 'no-namespaces',
    words: 'bubblewrap is there, but the system lets it make no user namespaces',
    packages: ['bubblewrap'],
    hasNamespaces: false,
  },
  { ...usual, name: 'root', words: 'everything as root', user: null },
  { ...usual, name: 'node-22', words: `Node ${nodes.oldest}`, node: nodes.oldest, testsOnOwnNode: true },
  { ...usual, name: 'node-24', words: `Node ${nodes.pinned}`, node: nodes.pinned, testsOnOwnNode: true },
  {
    ...usual,
    name: 'node-26',
    words: `Node ${nodes.newest}, with the library that it needs of the system`,
    node: nodes.newest,
    packages: ['libatomic1'],
    testsOnOwnNode: true,
  },
  {
    ...usual,
    name: 'read-only',
    words: 'the checkout is set up, and then on a read-only mount',
    checkout: 'read-only',
  },
  {
    ...usual,
    name: 'odd',
    words:
      'a path with spaces and letters beyond ASCII, HOME unset, no locale, umask 077, npm without scripts, variables of a proxy',
    home: 'unset',
    folder: 'mein Prüfer (2)',
    umask: '077',
    environment: {
      LC_ALL: 'POSIX',
      npm_config_ignore_scripts: 'true',
      // Whoever asked it would notice: nobody listens there.
      http_proxy: 'http://127.0.0.1:9',
      no_proxy: '*',
    },
  },
]
