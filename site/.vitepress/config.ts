/** The documentation as a site: the pages of docs/ as they are. Its navigation is the tables of docs/index.md. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { defineConfig } from 'vitepress'
import { readChapters } from './chapters.ts'

const root = resolve(import.meta.dirname, '../..')

/** The pages beside docs/ that chapters link to. */
const besides = ['ARCHITECTURE', 'CHANGELOG', 'CONTRIBUTING', 'GLOSSARY', 'README', 'SECURITY']

const pages = join(root, 'site/pages')

/** The generator wants all pages below its own folder, since it finds its packages from there. */
rmSync(pages, { recursive: true, force: true })
cpSync(join(root, 'docs'), join(pages, 'docs'), { recursive: true })
for (const name of besides) copyFileSync(join(root, `${name}.md`), join(pages, `${name}.md`))
copyFileSync(join(root, 'site/home.md'), join(pages, 'index.md'))
mkdirSync(join(pages, 'public'))
copyFileSync(join(root, 'dashboard/public/icon.svg'), join(pages, 'public/icon.svg'))

/** Where the files that are no pages can be seen, such as https://example.org/sightline/blob/main. */
const sources = process.env.SIGHTLINE_SOURCES ?? null

export default defineConfig({
  title: 'Sightline',
  description: 'An evidence-first code reviewer',
  srcDir: pages,
  outDir: join(root, 'site/dist'),
  cacheDir: join(root, 'site/.vitepress/cache'),
  cleanUrls: true,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  // Pages are read on GitHub too: what they link to is checked by test/cli/documents.test.ts.
  ignoreDeadLinks: false,
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  markdown: {
    // What is written is text; a tag in it would be one of Vue's.
    html: false,
    lineNumbers: false,
    config: (markdown) => {
      markdown.core.ruler.before('normalize', 'comments', (state) => {
        state.src = state.src.replace(/^<!--.*?-->$/gms, '')
      })
      // Braces are text too: Vue would compute what is between two of them.
      const { text, code_inline: code } = markdown.renderer.rules
      markdown.renderer.rules.text = (...words) => (text?.(...words) ?? '').replaceAll('{{', '&#123;&#123;')
      markdown.renderer.rules.code_inline = (tokens, at, ...others) => {
        tokens[at]?.attrSet('v-pre', '')
        return code?.(tokens, at, ...others) ?? ''
      }
      markdown.core.ruler.push('sources', (state) => {
        const page = join(root, state.env.relativePath ?? '')
        for (const token of state.tokens.flatMap(({ children }) => children ?? []))
          if (token.type === 'link_open') aimLink(token, page)
      })
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/docs/quick-start' },
      { text: 'Comparison', link: '/docs/comparison' },
      { text: 'Quality', link: '/docs/quality/offline' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: readChapters(readFileSync(join(root, 'docs/index.md'), 'utf8')),
  },
})

type Link = { attrGet(name: string): string | null; attrSet(name: string, value: string): void }

/** A link to a file or folder that is no page leads to the sources, or nowhere. */
function aimLink(token: Link, page: string): void {
  const href = token.attrGet('href') ?? ''
  if (/^(?:[a-z]+:|#)/.test(href)) return
  const [path = '', anchor] = href.split('#')
  const target = resolve(dirname(page), decodeURI(path))
  const isPage = target.endsWith('.md') || existsSync(`${target}.md`)
  if (isPage || !existsSync(target)) return
  const index = join(target, 'index.md')
  if (statSync(target).isDirectory() && existsSync(index)) return
  token.attrSet(
    'href',
    sources === null ? '#' : `${sources}/${relative(root, target)}${anchor ? `#${anchor}` : ''}`,
  )
}
