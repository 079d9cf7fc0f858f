import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // Its polyfill would be an inline script, which the content security policy forbids; small images too are files.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // React's licence, and whatever else is merged in, travels with what is merged.
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
  },
})
