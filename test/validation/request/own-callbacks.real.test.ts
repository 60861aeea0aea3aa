import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { expandRoute } from '../../../src/model/route.ts';
import { type DeclaredArgument, ownCallbackOf } from '../../../src/validation/request/own-callbacks.ts';
import { isValidatedFirst } from '../../../src/validation/request/phase.ts';
import { useWordPress } from '../../support/wordpress.ts';

/** A route of a plugin that tells what the index does not. */
const site = useWordPress({ muPlugins: fileURLToPath(new URL('mu-plugins', import.meta.url)) });

interface Told {
  readonly route: string;
  readonly method: string;
  readonly name: string;
  readonly schema: JsonObject;
  /** By what it is judged: by its schema in the first pass or the second, or by something of its own. */
  readonly by: 'validator' | 'sanitiser' | 'callback';
}

type Argument = Told & DeclaredArgument;

function declared(told: Told): Argument {
  const expansion = expandRoute(told.route);
  const path = expansion.variants[0]?.template ?? told.route;
  return { ...told, path, isGroup: told.route.includes(`(?P<${told.name}>`) };
}

let all: readonly Argument[] = [];
beforeAll(async () => {
  const response = await fetch(`${site().url}index.php?rest_route=/arguments/v1/all`);
  const told: readonly Told[] = await response.json();
  all = told.map(declared);
});

const show = ({ method, route, name }: Argument): string => `${method} ${route} ${name}`;

/** Its callback begins with the schema. */
const SCHEMA_FIRST = /\/menus(?:\/\S*)? locations$/;

test('every argument that its schema does not judge is known', () => {
  const unknown = all.filter(
    (argument) => argument.by === 'callback' && ownCallbackOf(argument) === undefined,
  );
  expect(unknown.map(show).filter((line) => !SCHEMA_FIRST.test(line))).toEqual([]);
});

/** Their schema judges them, but it is like that of posts: of what posts can be, nothing is refused. */
const LIKE_POSTS = /^\w+ \/wp\/v2\/(?:menu-items|templates|template-parts)(?:\/\S*)? status$/;

test('and no other is taken for one', () => {
  const wrong = all.filter((argument) => argument.by !== 'callback' && ownCallbackOf(argument) !== undefined);
  expect(wrong.map(show).filter((line) => !LIKE_POSTS.test(line))).toEqual([]);
  expect(all.length).toBeGreaterThan(1000);
});

test('where an endpoint has arguments of both passes, each is known by its own', () => {
  const endpoints = new Map<string, Argument[]>();
  for (const argument of all.filter(({ by }) => by !== 'callback')) {
    const endpoint = `${argument.method} ${argument.route}`;
    endpoints.set(endpoint, [...(endpoints.get(endpoint) ?? []), argument]);
  }
  const mixed = [...endpoints.values()].filter((args) => new Set(args.map(({ by }) => by)).size > 1);
  const wrong = mixed
    .flat()
    .filter((argument) => isValidatedFirst(argument) !== (argument.by === 'validator'));
  expect(wrong.map(show)).toEqual([]);
  expect(mixed.length).toBeGreaterThan(30);
});
