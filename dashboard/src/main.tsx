import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { applyTheme } from './shell/theme.ts'
import './styles/index.css'

applyTheme()
const home = document.getElementById('app')
if (home)
  createRoot(home).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
