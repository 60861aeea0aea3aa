import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { expandRoute } from '../../../src/model/expand-route.ts';
import {
  type DeclaredArgument,
  findInvalidityTest,
  isValidatedFirst,
} from '../../../src/validation/request/core-arguments.ts';
import { useWordPress } from '../../support/wordpress.ts';

/** A route of a plugin that tells what the index does not. */
const site = useWordPress({ muPlugins: fileURLToPath(new URL('mu-plugins', import.meta.url)) });

interface RegisteredArgument {
  readonly route: string;
  readonly method: string;
  readonly name: string;
  readonly schema: JsonObject;
  /** How WordPress validates it: by its schema in the first or second pass, or by a custom callback. */
  readonly by: 'validator' | 'sanitiser' | 'callback';
}

type ListedArgument = RegisteredArgument & DeclaredArgument;

function toListedArgument(told: RegisteredArgument): ListedArgument {
  const expansion = expandRoute(told.route);
  const path = expansion.variants[0]?.template ?? told.route;
  return { ...told, path, isGroup: told.route.includes(`(?P<${told.name}>`) };
}

let all: readonly ListedArgument[] = [];
beforeAll(async () => {
  const response = await fetch(`${site().url}index.php?rest_route=/arguments/v1/all`);
  const told: readonly RegisteredArgument[] = await response.json();
  all = told.map(toListedArgument);
});

const show = ({ method, route, name }: ListedArgument): string => `${method} ${route} ${name}`;

/** Its callback begins with the schema. */
const SCHEMA_FIRST = /\/menus(?:\/\S*)? locations$/;

test('every argument with a custom callback is known', () => {
  const unknown = all.filter(
    (argument) => argument.by === 'callback' && findInvalidityTest(argument) === undefined,
  );
  expect(unknown.map(show).filter((line) => !SCHEMA_FIRST.test(line))).toEqual([]);
});

/** Arguments validated by a schema that looks like that of posts, so that values valid for posts are not refused. */
const LIKE_POSTS = /^\w+ \/wp\/v2\/(?:menu-items|templates|template-parts)(?:\/\S*)? status$/;

test('no other argument is recognised as one', () => {
  const wrong = all.filter(
    (argument) => argument.by !== 'callback' && findInvalidityTest(argument) !== undefined,
  );
  expect(wrong.map(show).filter((line) => !LIKE_POSTS.test(line))).toEqual([]);
  expect(all.length).toBeGreaterThan(1000);
});

test('the pass in which an argument of an endpoint is validated is known', () => {
  const bySchema = all.filter(({ by, isGroup }) => by !== 'callback' && !isGroup);
  const wrong = bySchema.filter((argument) => {
    const others = bySchema.filter(
      ({ route, method }) => route === argument.route && method === argument.method,
    );
    // Where all are of one pass, it is as well to take them for the other.
    const sorted = others.filter(({ by }) => by === 'validator');
    const mixed = sorted.length > 0 && sorted.length < others.length;
    const known = new Set(others.map(isValidatedFirst));
    return mixed ? isValidatedFirst(argument) !== (argument.by === 'validator') : known.size > 1;
  });
  expect(wrong.map(show)).toEqual([]);
});
