import type { Json, JsonObject } from '../../../json.ts';
import { refuse } from '../../site/answers.ts';
import type { SiteRequest } from '../../site/declare.ts';
import { findEntry, isRefusal } from '../access.ts';
import type { Entry } from '../entries.ts';
import { matches, readSearch } from '../query/search.ts';
import { showDate } from '../rules/dates.ts';
import { addressOf } from '../show/address.ts';
import { renderContent, withoutTags } from '../show/html.ts';
import type { ContentState } from '../state.ts';
import { create, update } from '../write/save.ts';
import type { Tool } from './tool.ts';

type Request = SiteRequest<ContentState>;

const POST_ID = { type: 'integer', description: 'The post.', required: true };

function objectOf(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: 'object', properties, additionalProperties: false };
}

/** All that can be done. What only reads comes first. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'site/describe',
    title: 'Describe the site',
    description: 'Counts what the site holds.',
    input: objectOf({}),
    changes: false,
    run: (_, { state }) => ({
      posts: count(state, 'post'),
      pages: count(state, 'page'),
      media: count(state, 'attachment'),
    }),
  },
  {
    name: 'content/search-posts',
    title: 'Search posts',
    description: 'Finds published posts that hold all of the words.',
    input: objectOf({
      query: { type: 'string', description: 'The words.', minLength: 1, required: true },
      limit: { type: 'integer', description: 'How many posts at most.', minimum: 1, maximum: 20, default: 5 },
    }),
    changes: false,
    run(input, request) {
      const search = readSearch(text(input['query']));
      const found = published(request.state).filter((post) => search !== undefined && matches(post, search));
      return {
        total: found.length,
        posts: found.slice(0, number(input['limit'], 5)).map((post) => brief(post, request)),
      };
    },
  },
  {
    name: 'content/count-words',
    title: 'Count words',
    description: 'Counts the words of a published post.',
    input: objectOf({ post: POST_ID }),
    changes: false,
    run: withPost((post) => ({ post: post.id, words: words(post).length })),
  },
  {
    name: 'content/summarize-post',
    title: 'Summarize a post',
    description: 'Gives the first sentence of a published post.',
    input: objectOf({ post: POST_ID }),
    changes: false,
    run: withPost((post) => ({ post: post.id, summary: firstSentence(post) })),
  },
  {
    name: 'content/create-draft',
    title: 'Create a draft',
    description: 'Writes a new draft in the name of the user.',
    input: objectOf({
      title: { type: 'string', description: 'Its title.', minLength: 1, required: true },
      content: { type: 'string', description: 'Its text.', default: '' },
    }),
    changes: true,
    run(input, request) {
      const draft = create('post', { title: text(input['title']), content: text(input['content']) }, request);
      return isRefusal(draft) ? draft : brief(draft, request);
    },
  },
  {
    name: 'content/publish-post',
    title: 'Publish a post',
    description: 'Publishes a draft or a pending post.',
    input: objectOf({ post: POST_ID }),
    changes: true,
    run(input, request) {
      const post = findEntry(request.state, 'post', number(input['post'], 0));
      if (isRefusal(post)) return post;
      const after = update(post, { status: 'publish' }, request);
      return isRefusal(after) ? after : brief(after, request);
    },
  },
];

export function findTool(name: string): Tool | undefined {
  return TOOLS.find((tool) => tool.name === name);
}

/** Runs on a published post that no password protects; others are not found. */
function withPost(run: (post: Entry, request: Request) => JsonObject): Tool['run'] {
  return (input, request) => {
    const id = number(input['post'], 0);
    const post = published(request.state).find((one) => one.id === id);
    return post === undefined ? refuse(404, 'rest_post_invalid_id', 'Invalid post ID.') : run(post, request);
  };
}

function published({ entries }: ContentState): readonly Entry[] {
  return [...entries.values()]
    .filter(({ kind, status, password }) => kind === 'post' && status === 'publish' && password === '')
    .sort((a, b) => b.date - a.date);
}

function count({ entries }: ContentState, kind: Entry['kind']): number {
  return [...entries.values()].filter((entry) => entry.kind === kind && entry.status !== 'trash').length;
}

function brief(post: Entry, request: Request): JsonObject {
  const { id, title, status, date } = post;
  return { id, title, status, date: showDate(date), link: addressOf(post, request) };
}

function words({ content }: Entry): readonly string[] {
  return plain(content)
    .split(/\s+/)
    .filter((word) => word !== '');
}

function firstSentence({ content }: Entry): string {
  const all = plain(content);
  const end = all.indexOf('. ');
  return end === -1 ? all : all.slice(0, end + 1);
}

function plain(content: string): string {
  return withoutTags(renderContent(content)).trim();
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function number(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
