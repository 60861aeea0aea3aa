import type { JsonObject } from '../../../json.ts';

/** The simulated language models. They respond by fixed rules. */
export const CHAT_MODELS = [
  { id: 'lighthouse-small', name: 'Lighthouse Small', context: 4_000 },
  { id: 'lighthouse-large', name: 'Lighthouse Large', context: 32_000 },
] as const;

export type ChatModelId = (typeof CHAT_MODELS)[number]['id'];

export function isChatModelId(id: string): id is ChatModelId {
  return CHAT_MODELS.some((model) => model.id === id);
}

/** The context length of a model, in characters. */
export function getContextLength(id: string): number {
  return (CHAT_MODELS.find((model) => model.id === id) ?? CHAT_MODELS[0]).context;
}

interface ToolIntent {
  readonly tool: string;
  readonly input: JsonObject;
}

/** The patterns that trigger a tool. The first match is used. */
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

/** Detects the tool that a message requests, with its input. */
export function detectToolIntent(message: string): ToolIntent | undefined {
  for (const [pattern, createIntent] of INTENT_PATTERNS) {
    const captured = pattern.exec(message)?.[1];
    if (captured !== undefined) return createIntent(captured);
  }
  return undefined;
}

/** The reply to a message that requests no tool. */
export function composeReply(message: string): string {
  const words = message.split(/\s+/).filter((word) => word !== '').length;
  return `I read ${words} ${words === 1 ? 'word' : 'words'}. Ask me to search for something, to summarize a post, or to draft one with a title in quotes.`;
}
