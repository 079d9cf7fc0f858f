/** A button for what cannot be taken back: it asks once more, on the spot, and says what went wrong. */
import { useState } from 'react'
import { ApiFailure } from '../api/client.ts'

type Props = {
  /** What it does and to what, for those who do not see the row: `Revoke reader`. */
  label: string
  title: string
  again: string
  /** Rejects with `ApiFailure`. */
  onSure: () => Promise<void>
}

export function RevokeButton({ label, title, again, onSure }: Props) {
  const [isAsked, setIsAsked] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const act = async () => {
    try {
      await onSure()
    } catch (error) {
      setFailed(error instanceof ApiFailure ? error.message : String(error))
    }
  }
  return (
    <>
      {isAsked ? (
        <span className="exports">
          <button type="button" className="button button-bad" onClick={() => void act()}>
            {again}
          </button>
          <button type="button" className="button-quiet" onClick={() => setIsAsked(false)}>
            Keep
          </button>
        </span>
      ) : (
        <button type="button" className="button" aria-label={label} onClick={() => setIsAsked(true)}>
          {title}
        </button>
      )}
      {failed && (
        <span className="row-detail warn-text" role="alert">
          {failed}
        </span>
      )}
    </>
  )
}
