/** Models of one maker, who is the example itself: they answer by rules, alike every time. */
export const CHAT_MODELS = [
  { id: 'lighthouse-small', name: 'Lighthouse Small', context: 4_000 },
  { id: 'lighthouse-large', name: 'Lighthouse Large', context: 32_000 },
] as const;

export type ChatModelId = (typeof CHAT_MODELS)[number]['id'];

export function isChatModelId(id: string): id is ChatModelId {
  return CHAT_MODELS.some((model) => model.id === id);
}

/** How many characters a model reads at once. */
export function getContextLength(id: string): number {
  return (CHAT_MODELS.find((model) => model.id === id) ?? CHAT_MODELS[0]).context;
}
