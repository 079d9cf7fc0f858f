/**
 * Runs a script on a machine: in its root, which is read-only, with a small disk for temporary files, own processes and a clean
 * environment. Needs root on Linux, for mounts of its own; nothing is left when the script ends, processes included.
 */
import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Machine } from './contract.ts'
import { makeNode, makeRoot } from './roots.ts'

const enter = join(import.meta.dirname, 'enter.sh')
const idOfAda = 1000

export type Entered = {
  machine: Machine
  root: string
  node: string
  /** Outside; the checkout is in it, under the name of the machine's folder. */
  projects: string
  /** Outside; scripts find it as `/out`, and may write to it. */
  out: string
}

export type Ended = { code: number | null; stdout: string; stderr: string; seconds: number }

/** Rejects where such a machine cannot be made. */
export async function prepareMachine(machine: Machine, folder: string): Promise<Entered> {
  const [projects, out] = [join(folder, 'projects'), join(folder, 'out')]
  const entered = { machine, root: makeRoot(machine), node: makeNode(machine.node), projects, out }
  for (const path of [projects, out]) {
    mkdirSync(path, { recursive: true })
    if (machine.user !== null) chownSync(path, idOfAda, idOfAda)
  }
  const { code, stderr } = await runInside(entered, 'exit 0')
  if (code !== 0) throw new Error(`no mounts of one's own here: ${stderr.trim()}`)
  return entered
}

/** The checkout is its folder. `isSetup`: before the checkout becomes read-only. */
export async function runInside(
  { machine, root, node, projects, out }: Entered,
  script: string,
  { isSetup = false, seconds = 1_200 } = {},
): Promise<Ended> {
  const startedAt = performance.now()
  writeFileSync(
    join(out, 'script.sh'),
    `umask ${machine.umask}\ncd '/srv/${machine.folder}' 2> /dev/null || cd /\n${script}\n`,
  )
  const child = spawn(
    'setpriv',
    [
      // A run that is killed takes the machine with it.
      '--pdeathsig=KILL',
      'unshare',
      ...['--mount', '--pid', '--fork', '--kill-child', 'sh', enter, ...inside(machine)],
    ],
    {
      env: {
        ...{ PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ROOT: root, NODE: node, PROJECTS: projects, OUT: out },
        FIXED: machine.checkout === 'read-only' && !isSetup ? 'yes' : '',
        HOME_DISK: machine.home === 'read-only' ? '' : homeOf(machine),
        NAMESPACES: machine.hasNamespaces ? 'yes' : '',
        ID: String(machine.user === null ? 0 : idOfAda),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const watchdog = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve)),
  ])
  clearTimeout(watchdog)
  return { code, stdout, stderr, seconds: (performance.now() - startedAt) / 1000 }
}

/** How this machine reaches registries goes along, and nothing else of the environment. */
const passed = /^(?:NODE_EXTRA_CA_CERTS|npm_config_(?:registry|cafile)|https?_proxy|no_proxy)$/i

function inside(machine: Machine): string[] {
  const outside = Object.entries(process.env).filter(([name]) => passed.test(name))
  const all = {
    // A root has the certificates of the machine that it is on, which npm's own configuration may name there.
    NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    ...Object.fromEntries(outside),
    PATH: '/opt/node/bin:/usr/local/bin:/usr/bin:/bin',
    TMPDIR: '/tmp',
    ...(machine.home === 'unset' ? {} : { HOME: homeOf(machine) }),
    ...machine.environment,
  }
  return Object.entries(all).map(([name, value]) => `${name}=${value}`)
}

function homeOf({ user }: Machine): string {
  return user === null ? '/root' : '/home/ada'
}
