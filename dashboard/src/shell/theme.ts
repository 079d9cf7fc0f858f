/** Light or dark: as the system says, unless this browser was told otherwise. */
import { useState } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'sightline-theme'

/** Called before anything is drawn. */
export function applyTheme(theme: Theme = storedTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme)
  return [
    theme,
    (next) => {
      try {
        localStorage.setItem(key, next)
      } catch {
        // A browser that keeps nothing forgets the choice with the page.
      }
      applyTheme(next)
      setTheme(next)
    },
  ]
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return themes.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}
