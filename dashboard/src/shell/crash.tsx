/** A fault in one screen is shown as such; the page can be loaded again. */
import { Component } from 'react'

export class Crash extends Component<{ children: React.ReactNode }, { message: string | null }> {
  override state = { message: null }

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  override render() {
    if (this.state.message === null) return this.props.children
    return (
      <main className="alone">
        <h1>This page failed</h1>
        <p className="state state-failed" role="alert">
          {this.state.message}
        </p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Load again
        </button>
      </main>
    )
  }
}
