import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { Gateway } from '../../src/gateway/index.ts';
import { consoleOptions, FORM, recordActions, type Send, signIn, TOKEN } from './support/console-client.ts';

const { lines, log } = recordActions();
const gateway = new Gateway(consoleOptions({ cache: 'memory', log }));
afterAll(() => gateway.stop());
const send: Send = async (path, init) => gateway.app.request(`http://gateway.example.com${path}`, init);
const { act, cookie } = await signIn(send, TOKEN);
const name = expect.stringMatching(/^session [0-9a-f]{12}$/);
beforeEach(() => {
  lines.length = 0;
});

describe('each action of the console writes one line', () => {
  const purge = { site: 'content' };
  test.each<[action: string, fields: Record<string, string>, result: string, target: string]>([
    ['rediscover', { site: 'content' }, 'begun', 'site content'],
    ['rediscover', { site: 'none' }, 'refused', ''],
    ['drain', {}, 'done', ''],
    ['undrain', {}, 'done', ''],
    ['purge', { ...purge, kind: 'site' }, 'done', 'site content, purge of everything: 0'],
    ['purge', { ...purge, value: '/core/v2/posts' }, 'done', 'site content, purge of /core/v2/posts: 0'],
    ['purge', purge, 'refused', 'site content'],
  ])('%s %j', async (action, fields, result, target) => {
    await act(action, fields);
    expect(lines).toEqual([{ who: name, client: '', action, target, result }]);
  });

  test('the line has what was typed, on one line and without control characters', async () => {
    await act('purge', { ...purge, value: '/a<b>\n\u001b[31m\u202e&amp;"' });
    expect(lines).toMatchObject([{ target: 'site content, purge of /a<b>  [31m &amp;": 0' }]);
    lines.length = 0;
    await act('purge', { ...purge, value: `/${'x'.repeat(100_000)}` });
    expect(JSON.stringify(lines).length).toBeLessThan(500);
  });
});

describe('a form that is refused', () => {
  const submit = async (fields: Record<string, string>, headers: Record<string, string>): Promise<Response> =>
    send('/-/console/drain', {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: new URLSearchParams(fields).toString(),
    });

  test.each<[cause: string, headers: Record<string, string>]>([
    ['form of another site', { origin: 'http://evil.example.com' }],
    ['form of another session', {}],
  ])('writes a line if it was sent with a session: %s', async (target, headers) => {
    await submit({ _token: 'x' }, { cookie, ...headers });
    expect(lines).toEqual([{ who: name, client: '', action: 'drain', target, result: 'refused' }]);
    expect((await send('/-/ready')).status).toBe(200);
  });

  test('writes none without a session, so that nobody else can fill the log', async () => {
    await submit({}, { origin: 'http://evil.example.com' });
    await submit({}, {});
    expect(lines).toEqual([]);
  });
});
