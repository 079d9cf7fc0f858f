/** Compilers as judges: what is wrong in the cut that was not wrong before it. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { materialise } from './git.ts'

export type Diagnostic = { path: string; line: number; code: string; message: string }

export type Judge = { files: RegExp; check(folder: string): Diagnostic[] }

/** Diagnostics of `head` whose file, line and code `base` does not have. Lines agree: the files did not change. */
export function newDiagnostics(
  judge: Judge,
  scratch: string,
  base: string,
  head: string,
  folder: string,
): Diagnostic[] {
  const check = (commit: string): Diagnostic[] => {
    rmSync(folder, { recursive: true, force: true })
    materialise(scratch, commit, folder, judge.files)
    return judge.check(folder)
  }
  const before = new Set(
    check(base).map(({ path, line, code, message }) => `${path}:${line} ${code} ${stable(code, message)}`),
  )
  return check(head).filter(
    ({ path, line, code, message }) => !before.has(`${path}:${line} ${code} ${stable(code, message)}`),
  )
}

/** Names in a message tell two faults of a line apart; types may change without a new fault. */
function stable(code: string, message: string): string {
  return /^TS(2305|2724|2614|2339|2551|2304|2552)$/.test(code)
    ? (/'([^']*)'/.exec(message.replace(/^Module '[^']*'/, ''))?.[1] ?? '')
    : ''
}

export function typescriptJudge(compiler: string): Judge {
  return {
    files: /\.[mc]?tsx?$|(?:^|\/)package\.json$/,
    check(folder) {
      writeFileSync(join(folder, 'tsconfig.bench.json'), JSON.stringify(benchConfig(folder)))
      const { stdout } = spawnSync(
        process.execPath,
        [compiler, '-p', 'tsconfig.bench.json', '--pretty', 'false'],
        {
          cwd: folder,
          encoding: 'utf8',
          maxBuffer: 1 << 30,
        },
      )
      return stdout.split('\n').flatMap((line): Diagnostic[] => {
        const match = /^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$/.exec(line)
        if (!match) return []
        const [, path = '', number, code = '', message = ''] = match
        return [{ path, line: Number(number), code, message }]
      })
    },
  }
}

/** One program over everything, packages of the repository mapped to their sources; nothing is installed. */
function benchConfig(folder: string): unknown {
  const paths: Record<string, string[]> = {}
  for (const file of walk(folder).filter((path) => basename(path) === 'package.json')) {
    try {
      const { name } = JSON.parse(readFileSync(file, 'utf8'))
      const at = `./${relative(folder, dirname(file)) || '.'}`
      if (typeof name === 'string') {
        paths[name] = [`${at}/src/index.ts`, `${at}/index.ts`, `${at}/src/index.tsx`]
        paths[`${name}/*`] = [
          `${at}/src/*/index.ts`,
          `${at}/src/*.ts`,
          `${at}/src/*`,
          `${at}/*/index.ts`,
          `${at}/*`,
        ]
      }
    } catch {
      // A template with a broken package.json is no package.
    }
  }
  return {
    compilerOptions: {
      noEmit: true,
      strict: true,
      noImplicitAny: false,
      skipLibCheck: true,
      target: 'esnext',
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      jsx: 'preserve',
      lib: ['esnext', 'dom', 'dom.iterable'],
      types: [],
      paths,
    },
    include: ['**/*.ts', '**/*.tsx', '**/*.mts'],
    exclude: ['**/node_modules/**', '**/*.d.ts.snap'],
  }
}

export const javaJudge: Judge = {
  files: /\.java$/,
  check(folder) {
    const files = walk(folder).filter(
      (path) => path.endsWith('.java') && !/(?:module|package)-info\.java$/.test(path),
    )
    writeFileSync(join(folder, 'files.txt'), files.map((path) => `"${path}"`).join('\n'))
    const options = [
      '-proc:none',
      '-Xmaxerrs',
      '100000',
      '-XDshould-stop.ifError=FLOW',
      '-implicit:none',
      '-d',
      join(folder, 'out'),
    ]
    const { stderr } = spawnSync('javac', [...options, `@${join(folder, 'files.txt')}`], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    })
    const lines = stderr.split('\n')
    return lines.flatMap((line, at): Diagnostic[] => {
      const match = /^(.+\.java):(\d+): error: (.*)$/.exec(line)
      if (!match) return []
      const [, path = '', number, message = ''] = match
      const symbol = lines.slice(at + 1, at + 6).find((next) => /^ {2}symbol:/.test(next)) ?? ''
      return [
        {
          path: relative(folder, path),
          line: Number(number),
          code: 'javac',
          message: `${message} ${symbol.trim()}`,
        },
      ]
    })
  },
}

function walk(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
