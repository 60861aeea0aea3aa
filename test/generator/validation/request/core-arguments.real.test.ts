import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  type DeclaredArgument,
  findArgumentCallback,
  isValidatedFirst,
} from '../../../../src/generator/validation/request/core-arguments.ts';
import { generateFor } from '../../../support/site.ts';
import { useWordPress } from '../../../support/wordpress.ts';

/** A site with a plugin route that lists details of arguments that the index omits. */
const site = useWordPress({ muPlugins: fileURLToPath(new URL('mu-plugins', import.meta.url)) });

interface RegisteredArgument {
  readonly route: string;
  readonly method: string;
  readonly name: string;
  readonly schema: JsonObject;
  /** Validation by WordPress: by the schema in the first or second pass, or by a custom callback. */
  readonly by: 'validator' | 'sanitiser' | 'callback';
}

type ListedArgument = RegisteredArgument & DeclaredArgument;

function toListedArgument(argument: RegisteredArgument): ListedArgument {
  const { document } = generateFor({ [argument.route]: 'GET' });
  const [path = argument.route] = Object.keys(document.paths);
  return { ...argument, path, isGroup: argument.route.includes(`(?P<${argument.name}>`) };
}

let all: readonly ListedArgument[] = [];
beforeAll(async () => {
  const response = await fetch(`${site().url}index.php?rest_route=/arguments/v1/all`);
  const registered: readonly RegisteredArgument[] = await response.json();
  all = registered.map(toListedArgument);
});

const show = ({ method, route, name }: ListedArgument): string => `${method} ${route} ${name}`;

/** Arguments whose callback starts with the schema validation. */
const SCHEMA_FIRST = /\/menus(?:\/\S*)? locations$/;

test('every argument with a custom callback is known', () => {
  const unknown = all.filter(
    (argument) => argument.by === 'callback' && findArgumentCallback(argument) === undefined,
  );
  expect(unknown.map(show).filter((line) => !SCHEMA_FIRST.test(line))).toEqual([]);
});

/** Arguments validated by a schema that looks like that of posts, so that values valid for posts are not refused. */
const LIKE_POSTS = /^\w+ \/wp\/v2\/(?:menu-items|templates|template-parts)(?:\/\S*)? status$/;

test('no argument without a custom callback is recognised as having one', () => {
  const wrong = all.filter(
    (argument) => argument.by !== 'callback' && findArgumentCallback(argument) !== undefined,
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
    // If all arguments belong to the same pass, the choice of the pass has no effect.
    const withValidator = others.filter(({ by }) => by === 'validator');
    const mixed = withValidator.length > 0 && withValidator.length < others.length;
    const known = new Set(others.map(isValidatedFirst));
    return mixed ? isValidatedFirst(argument) !== (argument.by === 'validator') : known.size > 1;
  });
  expect(wrong.map(show)).toEqual([]);
});
