import type { JsonObject } from '../../../json.ts';

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

export interface ToolIntent {
  readonly tool: string;
  readonly input: JsonObject;
}

/** What the little model understands, first match first. */
const INTENT_PATTERNS: readonly (readonly [RegExp, (captured: string) => ToolIntent])[] = [
  [
    /\b(?:search|find|look) (?:for )?"?([^"?.!]{1,100})/i,
    (query) => ({ tool: 'content/search-posts', input: { query: query.trim() } }),
  ],
  [
    /\b(?:write|draft|create)\b[^"]{0,200}"([^"]{1,200})"/i,
    (title) => ({ tool: 'content/create-draft', input: { title } }),
  ],
  [
    /\bpublish (?:post )?#?(\d{1,9})\b/i,
    (id) => ({ tool: 'content/publish-post', input: { post: Number(id) } }),
  ],
  [
    /\bsummari[sz]e (?:post )?#?(\d{1,9})\b/i,
    (id) => ({ tool: 'content/summarize-post', input: { post: Number(id) } }),
  ],
  [/\b(how many|count)\b/i, () => ({ tool: 'site/describe', input: {} })],
];

/** The tool that a message asks for, if it asks for any. It understands the same of the same words every time. */
export function detectToolIntent(message: string): ToolIntent | undefined {
  for (const [pattern, createIntent] of INTENT_PATTERNS) {
    const captured = pattern.exec(message)?.[1];
    if (captured !== undefined) return createIntent(captured);
  }
  return undefined;
}

/** What the model says where no tool is of use. */
export function composeReply(message: string): string {
  const words = message.split(/\s+/).filter((word) => word !== '').length;
  return `I read ${words} ${words === 1 ? 'word' : 'words'}. Ask me to search for something, to summarize a post, or to draft one with a title in quotes.`;
}
