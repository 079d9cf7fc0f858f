/** `L42#k7f`, also where a model copied the brackets around it. */
export function bareTag(tag: string): string {
  return tag.trim().replace(/^\[(.*)\]$/, '$1')
}
