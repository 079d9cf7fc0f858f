/**
 * The words that options choose from, spelled out here: their schemas bring a library along, and the first line must be
 * on the screen before that is loaded. A test holds them against the schemas.
 */
import type { Depth, FormatName, Severity } from '../../index.ts'

export const severityNames = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Severity[]
export const formatNames = [
  'terminal',
  'markdown',
  'json',
  'sarif',
  'rdjson',
  'agent',
] as const satisfies readonly FormatName[]
export const depthNames = ['offline', 'quick', 'standard', 'deep'] as const satisfies readonly Depth[]
