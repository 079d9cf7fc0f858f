/** The bytes that `dots.wat` stands for, and the file that holds them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import wabt from 'wabt'

const folder = join(import.meta.dirname, '../src/code-index/vectors/kernel')

export const kernelConstantPath = join(folder, 'dots-bytes.ts')

export async function assembleKernel(): Promise<Uint8Array> {
  const { parseWat } = await wabt()
  const parsed = parseWat('dots.wat', readFileSync(join(folder, 'dots.wat'), 'utf8'), { simd: true })
  try {
    parsed.validate()
    return parsed.toBinary({ write_debug_names: false }).buffer
  } finally {
    parsed.destroy()
  }
}

export function kernelConstant(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('base64')
  const lines = text.match(/.{1,100}/g) ?? []
  return [
    '/** `dots.wat`, assembled by `node scripts/build-kernel.ts`. Do not edit by hand. */',
    'export const dotsBase64 =',
    ...lines.map((line, at) => `  '${line}'${at < lines.length - 1 ? ' +' : ''}`),
    '',
  ].join('\n')
}
