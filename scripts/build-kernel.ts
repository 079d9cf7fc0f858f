/** Assembles the vector kernel: `dots.wat` into the constant beside it. Run after each change of the text. */
import { writeFileSync } from 'node:fs'
import { assembleKernel, kernelConstant, kernelConstantPath } from './kernel-bytes.ts'

writeFileSync(kernelConstantPath, kernelConstant(await assembleKernel()))
