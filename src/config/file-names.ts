/** What the configuration file may be called. Apart from its reading, so that naming it costs no parser. */

/** A repository has one of them, at its root. */
export const configFileNames = ['.sightline.yaml', '.sightline.yml'] as const
