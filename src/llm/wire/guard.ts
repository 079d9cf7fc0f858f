/** Keeps the SDK from two habits: sending a model's name to a gateway of its maker, and printing warnings. */

let isSet = false

export function guardSdk(): void {
  if (isSet) return
  isSet = true
  const refuse = () => {
    throw new Error('A model was given to the SDK by its name; it must be an object of ours.')
  }
  Object.assign(globalThis, {
    AI_SDK_LOG_WARNINGS: false,
    AI_SDK_DEFAULT_PROVIDER: {
      specificationVersion: 'v4',
      languageModel: refuse,
      embeddingModel: refuse,
      imageModel: refuse,
    },
  })
}
