/** Which shells there are scripts for. */
import { bashScript } from './bash.ts'
import type { WriteScript } from './contract.ts'
import { fishScript } from './fish.ts'
import { powershellScript } from './powershell.ts'
import { zshScript } from './zsh.ts'

export const shells = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
} as const satisfies Record<string, WriteScript>
