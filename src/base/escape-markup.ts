/** Foreign text in HTML and XML, between tags and in quoted attributes: no character of it is markup, and none is invisible. */
import { visibleText } from './visible-text.ts'

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeMarkup(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => names[character] ?? '')
}
