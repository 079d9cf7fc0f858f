/** Which view of the progress suits: events for programs, a bar for people, lines for logs, or nothing. */
import { asciiJson } from '../output/safe-text.ts'
import { reportFinished, reportStage } from '../supervision/supervised.ts'
import type { Terminal } from '../terminal.ts'
import { showBar } from './bar.ts'
import type { ProgressView } from './contract.ts'
import { showLines } from './lines.ts'

export type ProgressFlags = { readonly progress: boolean; readonly quiet: boolean; readonly verbose: boolean }

export function chooseProgress(flags: ProgressFlags, terminal: Terminal): ProgressView {
  const view = chooseView(flags, terminal)
  return {
    ...view,
    onEvent: (event) => {
      if (event.type === 'stage-start') reportStage(event.stage)
      if (event.type === 'plane-end') reportFinished(event.plane)
      view.onEvent(event)
    },
  }
}

function chooseView(flags: ProgressFlags, terminal: Terminal): ProgressView {
  const write = (text: string) => terminal.note(text)
  if (flags.progress) return showEvents(write)
  if (flags.quiet) return showNothing
  if (flags.verbose) return showLines(write)
  if (terminal.animated) return showBar(write, () => terminal.width)
  return showNothing
}

const showNothing: ProgressView = { onEvent: () => {}, pause: () => () => {}, end: () => {} }

/** For programs: every event as one line of JSON (NDJSON). */
export function showEvents(write: (text: string) => void): ProgressView {
  return { onEvent: (event) => write(`${asciiJson(event)}\n`), pause: () => () => {}, end: () => {} }
}
