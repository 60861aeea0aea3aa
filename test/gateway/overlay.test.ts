import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { startGateway } from '../support/gateway.ts';
import { runStubSite } from '../support/run.ts';
import { readRecordedIndex } from '../support/stub-site.ts';

const LANG = { type: 'string', enum: ['de', 'en'] };
const OVERLAY = {
  overlay: '1.1.0',
  info: { title: 'Changes', version: '1.0.0' },
  actions: [
    { target: '$.components.schemas.Post.properties.author.type', remove: true },
    { target: '$.components.schemas.Post.properties.author', update: { type: ['integer', 'null'] } },
    { target: '$.components.schemas.Gone', update: {} },
    { target: "$.paths['/wp/v2/posts'].get.parameters", update: { name: 'lang', in: 'query', schema: LANG } },
  ],
};

async function start(options: Partial<SiteOptions>) {
  const helpIndex = readRecordedIndex('help');
  const { url } = await runStubSite({ index: readRecordedIndex(), helpIndex });
  const { administer, gateway, request } = await startGateway({
    ...{ document: undefined, passthrough: false, cache: {}, url },
    discover: { include: ['/wp/v2/posts'] },
    validation: { mode: 'strict' },
    ...options,
  });
  const read = async (path: string) => (await administer(path)).json();
  const statusOf = async (query: string, body?: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await request(`/wp/v2/posts?${query}`, init)).status;
  };
  return { gateway, helpIndex, read, statusOf };
}

// Whether the options are valid, and what they do to a document, is tested with `src/generator/openapi` and `src/cli/config`. The stub has no posts.
describe('arguments that the operator adds are documented, and strict refuses other values of them', () => {
  test('by an overlay, after every discovery', async () => {
    const { gateway, helpIndex, read, statusOf } = await start({ overlay: OVERLAY });
    for (const name of ['Before', 'After']) {
      helpIndex['name'] = name;
      await gateway.rediscover();
      const document = await read('/openapi.json');
      expect(document.info.title).toBe(name);
      expect(document.components.schemas.Post.properties.author.type).toEqual(['integer', 'null']);
    }
    expect([await statusOf('lang=de'), await statusOf('lang=fr')]).toEqual([404, 400]);
    expect(JSON.stringify(await read('/-/sites'))).toContain('overlay-target-gone');
  });

  test('by extend', async () => {
    const { read, statusOf } = await start({
      extend: {
        '/wp/v2/posts': {
          parameters: { lang: LANG },
          body: { lang: LANG },
          response: { minutes: { type: 'integer' } },
        },
        'DELETE /wp/v2/postz/{id}': { parameters: { lang: LANG } },
      },
    });
    const { components } = await read('/openapi.json');
    for (const name of ['Post', 'PostEdit', 'PostEmbed'])
      expect(components.schemas[name].properties.minutes).toEqual({ type: 'integer' });
    expect([await statusOf('lang=de'), await statusOf('lang=fr')]).toEqual([404, 400]);
    const bodies = ['de', 'fr'].map((lang) => statusOf('', { title: 'a', lang }));
    expect(await Promise.all(bodies)).toEqual([404, 400]);
    expect(JSON.stringify(await read('/-/sites'))).toContain('extend-matches-nothing');
  });
});
