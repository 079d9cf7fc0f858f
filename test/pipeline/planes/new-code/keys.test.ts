/** Keys in new code that the repository's own registries do not have. */
import { expect, test } from 'vitest'
import { misuses } from './misuses.ts'

const application = {
  '.env.example': 'DATABASE_URL=postgres://localhost\n# SMTP_PASSWORD=\nREDIS_HOST_1=a\n',
  'src/server.ts':
    'export const url = process.env.DATABASE_URL\nexport const mail = process.env.SMTP_PASSWORD\nexport const one = process.env.REDIS_HOST_1\n',
  'src/locales/en.json':
    '{ "title": "Hello", "cart": { "add": "Add", "remove": "Remove", "items_one": "One", "items_other": "Many" } }\n',
  'src/locales/de.json': '{ "title": "Hallo" }\n',
  'shop/urls.py':
    'from django.urls import path\n\nurlpatterns = [path("cart", cart, name="cart-detail"), path("a", a, name="order_list")]\n',
}

test('environment variables with nearly the name of a declared one', async () => {
  expect(
    await misuses(application, {
      'src/more.ts':
        'const a = process.env.DATABSE_URL\nconst b = process.env["SMTP_PASWORD"]\nconst c = process.env.DATABASE_URL\nconst d = process.env.REDIS_HOST_2\nconst e = process.env.BRAND_NEW\n// process.env.DATABASEURL\n',
      'tool.py': 'import os\n\nurl = os.environ.get("DATABASE_URI_")\n',
    }),
  ).toEqual([
    'src/more.ts:1 unknown-environment-variable',
    'src/more.ts:2 unknown-environment-variable',
    'tool.py:3 unknown-environment-variable',
  ])
})

test('environment variables that something else sets, that tests read, or without an example file', async () => {
  const { '.env.example': _, ...bare } = application
  const use = { 'src/more.ts': 'export const a = process.env.DATABSE_URL\n' }
  expect(
    await misuses(application, { ...use, 'docker-compose.yml': 'environment:\n  DATABSE_URL: x\n' }),
  ).toEqual([])
  expect(await misuses(application, { 'test/more.test.ts': use['src/more.ts'] })).toEqual([])
  expect(await misuses(bare, use)).toEqual([])
})

test('a key in a context is declared with the word for it', async () => {
  const texts = (keys: string) =>
    `export default {\n  common: {\n    title: 'T',\n    add: 'Add',\n${keys}  },\n}\n`
  const view =
    "export const View = () => [t('common.title'), t('common.add'), t('common.dueDate', { context: 'title' })]\n"
  const registry = 'src/locales/en-US/core.js'
  expect(
    await misuses({ [registry]: texts("    dueDate_title: 'Due Date',\n") }, { 'src/view.jsx': view }),
  ).toEqual([])
  expect(await misuses({ [registry]: texts('') }, { 'src/view.jsx': view })).toEqual([
    'src/view.jsx:1 unknown-translation-key',
  ])
})

test('translation keys, among others of the file that exist', async () => {
  const view = (key: string, more = '') =>
    `export const View = () => [t("title"), t('cart.add'), t("cart.items"), i18n.t("add"), t("${key}"${more})]\n`
  expect(await misuses(application, { 'src/view.tsx': view('cart.removed') })).toEqual([
    'src/view.tsx:1 unknown-translation-key',
  ])
  for (const known of ['cart.remove', 'remove', 'cart.items', 'Hello world', 'cart'])
    expect(await misuses(application, { 'src/view.tsx': view(known) })).toEqual([])
  expect(await misuses(application, { 'src/view.tsx': view('cart.removed', ', "Removed"') })).toEqual([])
  const element = (more: string) => ({
    'src/view.tsx': `export const a = [t("title"), t("cart.add")]\nexport const b = (\n  <Trans\n    i18nKey="cart.removed"\n${more}  />\n)\n`,
  })
  expect(await misuses(application, element(''))).toEqual(['src/view.tsx:4 unknown-translation-key'])
  expect(await misuses(application, element('    defaults="Removed"\n'))).toEqual([])
  expect(
    await misuses(application, {
      'src/other.tsx': 'export const x = [t("a.b"), t("c.d"), t("title"), t("cart.add")]\n',
    }),
  ).toEqual([])
})

test('routes with nearly the name of a declared one', async () => {
  expect(
    await misuses(application, {
      'shop/views.py':
        'from django.urls import reverse\n\na = reverse("shop:cart-detial")\nb = reverse("shop:cart-detail")\nc = reverse("admin:index")\nd = reverse("order_lists")\n',
      'shop/router.py': 'names = ["order_lists"]\n',
    }),
  ).toEqual(['shop/views.py:3 unknown-route'])
})
