/** Colours for the terminal, or none. */
import { styleText } from 'node:util'
import type { Severity } from '../../../domain/severity.ts'

type Style = Parameters<typeof styleText>[0]

export type Paint = {
  bold(text: string): string
  dim(text: string): string
  code(text: string): string
  added(text: string): string
  removed(text: string): string
  severity(severity: Severity, text: string): string
}

const severityStyle: Record<Severity, Style> = {
  critical: ['bold', 'red'],
  high: ['bold', 'red'],
  medium: ['bold', 'yellow'],
  low: ['bold', 'green'],
}

export function createPaint(color: boolean): Paint {
  // The caller decided about colour (terminal, NO_COLOR, flags); Node must not decide again from its own stream.
  const with_ = (style: Style) => (text: string) =>
    color && text !== '' ? styleText(style, text, { validateStream: false }) : text
  return {
    bold: with_('bold'),
    dim: with_('dim'),
    code: with_('cyan'),
    added: with_('green'),
    removed: with_('red'),
    severity: (severity, text) => with_(severityStyle[severity])(text),
  }
}
