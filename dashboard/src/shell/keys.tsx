/** The keyboard: `g` and a letter goes to an area, the others act on what the screen has marked for them. */
import { useEffect, useRef } from 'react'
import { navigate } from '../router.tsx'

type Area = { to: string; title: string; key: string }

const actions = [
  { key: '/', title: 'Search or filter' },
  { key: 'j', title: 'Next row or finding' },
  { key: 'k', title: 'Previous row or finding' },
  { key: '[', title: 'Previous tab' },
  { key: ']', title: 'Next tab' },
  { key: '?', title: 'This list' },
  { key: 'Esc', title: 'Close a panel' },
]

/** A second key counts for so long. */
const patienceMs = 1200

export function useKeys(areas: readonly Area[]): void {
  const pending = useRef<{ key: string; at: number }>({ key: '', at: 0 })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      const { key, at } = pending.current
      pending.current = { key: event.key, at: event.timeStamp }
      if (key === 'g' && event.timeStamp - at < patienceMs) {
        const area = areas.find((each) => each.key === `g ${event.key}`)
        if (area) navigate(area.to)
        return
      }
      if (act(event.key)) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [areas])
}

/** `g r` as screen readers are told it. */
export const keyOf = (key: string) => key.replace(' ', '+')

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

/** What `data-keys` marks on the screen; true when the key did something. */
function act(key: string): boolean {
  if (key === '/') return focusOn(document.querySelector<HTMLElement>('[data-keys="search"]'))
  if (key === '?') return focusOn(document.querySelector<HTMLElement>('[data-keys="help"]'), true)
  if (key === 'j' || key === 'k') return step('[data-keys="row"]', key === 'j' ? 1 : -1, false)
  if (key === ']' || key === '[') return step('[data-keys="tab"]', key === ']' ? 1 : -1, true)
  return false
}

function step(selector: string, by: number, follow: boolean): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => each.checkVisibility())
  const focused = all.findIndex((each) => each.contains(document.activeElement))
  const current = focused >= 0 ? focused : all.findIndex((each) => each.ariaCurrent !== null)
  const next = all[current < 0 ? (by > 0 ? 0 : all.length - 1) : current + by]
  return focusOn(next ?? null, follow)
}

function focusOn(element: HTMLElement | null, click = false): boolean {
  element?.focus()
  element?.scrollIntoView({ block: 'nearest' })
  if (click) element?.click()
  return element !== null
}

export function KeysDialog({ areas }: { areas: readonly Area[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        className="button-quiet"
        data-keys="help"
        aria-keyshortcuts="?"
        onClick={() => dialog.current?.showModal()}
      >
        Keys
      </button>
      <dialog ref={dialog} className="keys" aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl>
          {[...areas.map(({ key, title }) => ({ key, title: `Go to ${title}` })), ...actions].map(
            ({ key, title }) => (
              <div key={key}>
                <dt>
                  {key.split(' ').map((part) => (
                    <kbd key={part}>{part}</kbd>
                  ))}
                </dt>
                <dd>{title}</dd>
              </div>
            ),
          )}
        </dl>
        <form method="dialog">
          <button type="submit" className="button">
            Close
          </button>
        </form>
      </dialog>
    </>
  )
}
