/** Messages, questions and places in the window of an editor. */
import { type Connection, MessageType, ShowMessageNotification } from 'vscode-languageserver'
import { visibleText } from '../base/visible-text.ts'
import type { EditorWindow } from './contract.ts'

const no = 'Cancel'

export type WindowOptions = {
  /** The editor opens places that it is told. */
  opensPlaces: boolean
  uriOf(path: string): string
}

export function editorWindow(connection: Connection, { opensPlaces, uriOf }: WindowOptions): EditorWindow {
  const { window } = connection
  return {
    // As a message: a request would wait until somebody closes it.
    say(words) {
      void connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Info,
        message: visibleText(words),
      })
    },
    async agrees(question, yes) {
      const asked = window.showInformationMessage(visibleText(question), { title: yes }, { title: no })
      return (await asked.catch(() => undefined))?.title === yes
    },
    async open(path, line) {
      if (!opensPlaces) return false
      const at = { line: line - 1, character: 0 }
      const shown = window.showDocument({
        uri: uriOf(path),
        takeFocus: true,
        selection: { start: at, end: at },
      })
      return (await shown.catch(() => null))?.success === true
    },
  }
}
