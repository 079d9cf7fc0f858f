/** Puts a text on the clipboard and says so. Where the browser has no clipboard, the text beside it can be selected. */
import { useState } from 'react'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => {})
    setCopied(text)
  }
  // Browsers have one on secure pages only: with HTTPS, and on this machine.
  if (!('clipboard' in navigator)) return null
  return (
    <button type="button" className="button-quiet" aria-label={label} onClick={() => void copy()}>
      <span role="status">{copied === text ? 'Copied' : 'Copy'}</span>
    </button>
  )
}
