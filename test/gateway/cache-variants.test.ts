import { Agent } from 'node:http';
import { expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { startGateway } from '../support/gateway.ts';
import { PLAIN, sendRaw } from '../support/run.ts';

type Fields = Readonly<Record<string, string | string[] | undefined>>;
interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Starts a gateway in front of a site whose response depends on the request headers. */
async function start(respond: (sent: Fields) => Sent, cache: NonNullable<SiteOptions['cache']> = {}) {
  const { origin } = await startGateway({ ...PLAIN, cache }, (asked) => {
    const { body, headers } = respond(asked.headers);
    return { headers: { 'cache-control': 'max-age=60', ...headers }, body };
  });
  const agent = new Agent({ keepAlive: true });
  closeAfterTest(() => agent.destroy());
  return async (headers: Readonly<Record<string, string>> = {}, path = '/') => {
    const response = await sendRaw(origin, path, { agent, headers });
    return { ...response, hit: /^waygate; hit/.test(String(response.headers['cache-status'])) };
  };
}

test.each([
  ['a field that Vary names', { Vary: 'X-Lang' }, {}],
  ['a field that a rule names', {}, { rules: [{ match: '/*', keyHeaders: ['X-Lang'] }] }],
])(
  'the key depends on %s only if it reaches the site, and not if Connection names it',
  async (_, headers, cache) => {
    const read = await start((sent) => ({ headers, body: `hello ${sent['x-lang'] ?? 'nobody'}` }), cache);
    for (const [sent, body, hit] of [
      [{ 'X-Lang': 'de', Connection: 'X-Lang' }, 'hello nobody', false],
      [{ 'X-Lang': 'de' }, 'hello de', false],
      [{ 'X-Lang': 'de' }, 'hello de', true],
      [{}, 'hello nobody', true],
      [{ 'X-Lang': 'de', Connection: 'X-Lang' }, 'hello nobody', true],
    ] as const) {
      expect(await read(sent)).toMatchObject({ body, hit });
    }
  },
);

test('languages that a client invents and asks for three times evict none in use', async () => {
  const read = await start((sent) => ({
    headers: { Vary: 'Accept-Language', 'Content-Type': 'text/html' },
    body: `<p>${sent['accept-language']}</p>`,
  }));
  const ask = (language: string) => read({ 'Accept-Language': language }, '/about/');
  const used = ['de', 'en-US,en;q=0.9', 'fr'];
  for (const language of used) for (let count = 0; count < 10; count += 1) await ask(language);
  for (let index = 0; index < 80; index += 1)
    for (let count = 0; count < 3; count += 1) await ask(`aa-${index}, q=0.${index}`);
  for (const language of used)
    expect(await ask(language)).toMatchObject({ body: `<p>${language}</p>`, hit: true });
  // A language that comes later is kept as well, once it is used.
  for (let count = 0; count < 4; count += 1) await ask('it');
  for (let index = 0; index < 70; index += 1) await ask(`bb-${index}`);
  expect(await ask('it')).toMatchObject({ hit: true });
});
