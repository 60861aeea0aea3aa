import type { JsonObject } from '../../../json.ts';

export interface Wish {
  readonly tool: string;
  readonly input: JsonObject;
}

/** What the little model understands, first match first. */
const WISHES: readonly (readonly [RegExp, (found: string) => Wish])[] = [
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
export function understand(message: string): Wish | undefined {
  for (const [pattern, wish] of WISHES) {
    const found = pattern.exec(message)?.[1];
    if (found !== undefined) return wish(found);
  }
  return undefined;
}

/** What the model says where no tool is of use. */
export function reply(message: string): string {
  const words = message.split(/\s+/).filter((word) => word !== '').length;
  return `I read ${words} ${words === 1 ? 'word' : 'words'}. Ask me to search for something, to summarize a post, or to draft one with a title in quotes.`;
}
