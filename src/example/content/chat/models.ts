/** Models of one maker, who is the example itself: they answer by rules, alike every time. */
export const MODELS = [
  { id: 'lighthouse-small', name: 'Lighthouse Small', context: 4_000 },
  { id: 'lighthouse-large', name: 'Lighthouse Large', context: 32_000 },
] as const;

export type ModelId = (typeof MODELS)[number]['id'];

export function isModel(id: string): id is ModelId {
  return MODELS.some((model) => model.id === id);
}

/** How many characters a model reads at once. */
export function contextOf(id: string): number {
  return (MODELS.find((model) => model.id === id) ?? MODELS[0]).context;
}
