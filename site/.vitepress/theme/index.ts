/** The generator's own theme, with room for long options and wide tables. */
import defaultTheme from 'vitepress/theme'
import './style.css'

export default defaultTheme
