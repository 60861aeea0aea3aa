import type { Json, JsonObject } from '../../../json.ts';
import { isSiteError, restError } from '../../site/responses.ts';
import type { Entry } from '../model/entries.ts';
import type { ContentRequest, ContentState } from '../model/state.ts';
import { findEntry } from '../permissions.ts';
import { matchesSearch, parseSearch } from '../query/search.ts';
import { formatDateTime } from '../rules/dates.ts';
import { getPermalink } from '../serialize/permalink.ts';
import { renderContent, stripTags } from '../serialize/render-html.ts';
import { createEntry, updateEntry } from '../write/save.ts';
import type { Ability } from './ability.ts';

const POST_ID_SCHEMA = { type: 'integer', description: 'The post.', required: true };

function createInputSchema(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: 'object', properties, additionalProperties: false };
}

/** All abilities, the read-only ones first. */
export const ABILITIES: readonly Ability[] = [
  {
    name: 'site/describe',
    title: 'Describe the site',
    description: 'Counts what the site holds.',
    inputSchema: createInputSchema({}),
    changesSite: false,
    run: (_, { state }) => ({
      posts: countEntries(state, 'post'),
      pages: countEntries(state, 'page'),
      media: countEntries(state, 'attachment'),
    }),
  },
  {
    name: 'content/search-posts',
    title: 'Search posts',
    description: 'Finds published posts that hold all of the words.',
    inputSchema: createInputSchema({
      query: { type: 'string', description: 'The words.', minLength: 1, required: true },
      limit: { type: 'integer', description: 'How many posts at most.', minimum: 1, maximum: 20, default: 5 },
    }),
    changesSite: false,
    run(input, request) {
      const search = parseSearch(toText(input['query']));
      const found = listPublishedPosts(request.state).filter(
        (post) => search !== undefined && matchesSearch(post, search),
      );
      return {
        total: found.length,
        posts: found.slice(0, toNumber(input['limit'], 5)).map((post) => summarizeEntry(post, request)),
      };
    },
  },
  {
    name: 'content/count-words',
    title: 'Count words',
    description: 'Counts the words of a published post.',
    inputSchema: createInputSchema({ post: POST_ID_SCHEMA }),
    changesSite: false,
    run: withPublishedPost((post) => ({ post: post.id, words: listWords(post).length })),
  },
  {
    name: 'content/summarize-post',
    title: 'Summarize a post',
    description: 'Gives the first sentence of a published post.',
    inputSchema: createInputSchema({ post: POST_ID_SCHEMA }),
    changesSite: false,
    run: withPublishedPost((post) => ({ post: post.id, summary: getFirstSentence(post) })),
  },
  {
    name: 'content/create-draft',
    title: 'Create a draft',
    description: 'Writes a new draft in the name of the user.',
    inputSchema: createInputSchema({
      title: { type: 'string', description: 'Its title.', minLength: 1, required: true },
      content: { type: 'string', description: 'Its text.', default: '' },
    }),
    changesSite: true,
    run(input, request) {
      const draft = createEntry(
        'post',
        { title: toText(input['title']), content: toText(input['content']) },
        request,
      );
      return isSiteError(draft) ? draft : summarizeEntry(draft, request);
    },
  },
  {
    name: 'content/publish-post',
    title: 'Publish a post',
    description: 'Publishes a draft or a pending post.',
    inputSchema: createInputSchema({ post: POST_ID_SCHEMA }),
    changesSite: true,
    run(input, request) {
      const post = findEntry(request.state, 'post', toNumber(input['post'], 0));
      if (isSiteError(post)) return post;
      const after = updateEntry(post, { status: 'publish' }, request);
      return isSiteError(after) ? after : summarizeEntry(after, request);
    },
  },
];

export function findAbility(name: string): Ability | undefined {
  return ABILITIES.find((ability) => ability.name === name);
}

/** Runs on a published post without a password. Other posts give 404. */
function withPublishedPost(run: (post: Entry, request: ContentRequest) => JsonObject): Ability['run'] {
  return (input, request) => {
    const id = toNumber(input['post'], 0);
    const post = listPublishedPosts(request.state).find((one) => one.id === id);
    return post === undefined
      ? restError(404, 'rest_post_invalid_id', 'Invalid post ID.')
      : run(post, request);
  };
}

function listPublishedPosts({ entries }: ContentState): readonly Entry[] {
  return [...entries.values()]
    .filter(({ kind, status, password }) => kind === 'post' && status === 'publish' && password === '')
    .sort((a, b) => b.date - a.date);
}

function countEntries({ entries }: ContentState, kind: Entry['kind']): number {
  return [...entries.values()].filter((entry) => entry.kind === kind && entry.status !== 'trash').length;
}

function summarizeEntry(post: Entry, request: ContentRequest): JsonObject {
  const { id, title, status, date } = post;
  return { id, title, status, date: formatDateTime(date), link: getPermalink(post, request) };
}

function listWords({ content }: Entry): readonly string[] {
  return toPlainText(content)
    .split(/\s+/)
    .filter((word) => word !== '');
}

function getFirstSentence({ content }: Entry): string {
  const all = toPlainText(content);
  const end = all.indexOf('. ');
  return end === -1 ? all : all.slice(0, end + 1);
}

function toPlainText(content: string): string {
  return stripTags(renderContent(content)).trim();
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function toNumber(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
