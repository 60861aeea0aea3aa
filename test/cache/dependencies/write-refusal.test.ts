import { expect, test } from 'vitest';
import { isRefusedWrite } from '../../../src/cache/dependencies/route-writes.ts';
import type { Json } from '../../../src/json.ts';

/** A write to WordPress itself, with an error. */
function isRefused(status: number, code: string, sent: readonly string[], data: Json = null): boolean {
  return isRefusedWrite({
    status,
    headers: [],
    method: 'POST',
    isCore: true,
    hasForeignArguments: false,
    isAnonymous: false,
    sentParameters: new Map(sent.map((name) => [name, 1])),
    responseBody: { code, message: 'No.', data },
  });
}

test('the common refusals of WordPress come before a write', () => {
  const codes = ['rest_cannot_create', 'rest_cannot_edit', 'rest_forbidden', 'rest_not_logged_in'];
  for (const code of codes) expect([code, isRefused(401, code, ['title'])]).toEqual([code, true]);
  expect(isRefused(400, 'rest_missing_callback_param', [])).toBe(true);
  expect(isRefused(404, 'rest_post_invalid_id', ['title'])).toBe(true);
  expect(isRefused(409, 'comment_duplicate', ['content'])).toBe(true);
});

test('meta fields are checked after the item was written', () => {
  for (const code of ['rest_invalid_type', 'rest_not_in_enum', 'rest_cannot_update', 'rest_invalid_param']) {
    expect([code, isRefused(400, code, ['title', 'meta'])]).toEqual([code, false]);
  }
  expect(isRefused(400, 'rest_invalid_param', ['meta'], { details: { meta: {} } })).toBe(true);
  expect(isRefused(401, 'rest_forbidden', ['meta'])).toBe(true);
});

test('a menu is written before its locations are checked', () => {
  expect(isRefused(400, 'rest_invalid_menu_location', ['name', 'locations'])).toBe(false);
});

test('a callback of a plugin for its own member may refuse after the item was written', () => {
  const response = {
    status: 403,
    method: 'POST',
    isCore: true,
    hasForeignArguments: true,
    sentParameters: new Map([['shop_price', 1]]),
    responseBody: { code: 'rest_forbidden', message: 'No.', data: { status: 403 } },
  };
  const refused = (headers: readonly string[], isAnonymous: boolean) =>
    isRefusedWrite({ ...response, headers, isAnonymous });
  expect(refused([], true)).toBe(false);
  expect(refused(['Allow', 'GET, POST'], true)).toBe(false);
  expect(refused(['Allow', 'GET'], true)).toBe(true);
  // A write can take away the right to write: the author of the post is another one now.
  expect(refused(['Allow', 'GET'], false)).toBe(false);
});

test('an error of an unknown body proves nothing', () => {
  for (const status of [400, 401, 403, 404, 409, 429]) {
    const response = { status, headers: [], method: 'POST', sentParameters: null, responseBody: undefined };
    const known = { isCore: true, hasForeignArguments: false, isAnonymous: true };
    const refused = isRefusedWrite({ ...response, ...known });
    expect([status, refused]).toEqual([status, false]);
  }
});
