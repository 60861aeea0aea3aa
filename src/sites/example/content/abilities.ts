import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { createSchemaValidator } from '../../../generator/validation/wordpress/validate.ts';
import { refuse } from '../../rest-server/responses.ts';
import type { ContentRequest, ContentState, Entry } from './model.ts';
import { matchesSearch, parseSearch } from './query.ts';
import { formatDateTime } from './rules.ts';
import seed from './seed.json' with { type: 'json' };
import { getPermalink } from './serialize.ts';
import { createEntry } from './write.ts';

/** A named operation, which clients run directly and the assistant as a tool. */
export interface Ability {
  /** E.g. `content/count-words`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The assistant needs approval for such an ability. */
  readonly changesSite: boolean;
}

export function serializeAsTool({ name, title, description, inputSchema, changesSite }: Ability): JsonObject {
  return { name, title, description, input_schema: inputSchema, needs_approval: changesSite };
}

export function refuseMissing(name: string): never {
  return refuse(400, 'ext_a_missing_parameter', `Missing parameter(s): ${name}`, { params: [name] });
}

/** Validates and sanitizes the input as WordPress does with parameters. */
export function runAbility(ability: Ability, input: JsonObject, request: ContentRequest): JsonObject {
  const validator = createSchemaValidator(ability.inputSchema);
  const violation = validator.validate(input, 'input');
  if (violation !== null) refuse(400, 'rest_invalid_param', violation.message);
  const sanitized = validator.sanitize(input, 'input');
  const value = sanitized.ok && isJsonObject(sanitized.value) ? sanitized.value : input;
  const run = RUNNERS[ability.name];
  if (run === undefined) throw new TypeError(`Nothing runs the ability ${ability.name}.`);
  return run(value, request);
}

export const ABILITIES: readonly Ability[] = seed.abilities;

type AbilityRunner = (input: JsonObject, request: ContentRequest) => JsonObject;

const RUNNERS: Readonly<Record<string, AbilityRunner>> = {
  'site/describe': (_, { state }) => ({
    posts: countEntries(state, 'post'),
    pages: countEntries(state, 'page'),
    media: countEntries(state, 'attachment'),
  }),
  'content/search-posts'(input, request) {
    const search = parseSearch(toText(input['query']));
    const found = listPublishedPosts(request.state).filter(
      (post) => search !== undefined && matchesSearch(post, search),
    );
    return {
      total: found.length,
      posts: found.slice(0, Number(input['limit'] ?? 5)).map((post) => summarizeEntry(post, request)),
    };
  },
  'content/create-draft'(input, request) {
    const text = { title: toText(input['title']), content: toText(input['content']) };
    return summarizeEntry(createEntry('post', text, request), request);
  },
};

export function findAbility(name: string): Ability | undefined {
  return ABILITIES.find((ability) => ability.name === name);
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

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
