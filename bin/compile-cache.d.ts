export function compileCacheFolder(environment?: NodeJS.ProcessEnv): string | null
export function ownCacheFolder(name: string, environment?: NodeJS.ProcessEnv): string | null
export function isOurs(folder: string): boolean
