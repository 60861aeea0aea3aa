import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { createGateway } from '../../src/gateway/index.ts';
import { readRecordedIndex, startStubSite } from '../support/stub-site.ts';

const OVERLAY = {
  overlay: '1.1.0',
  info: { title: 'Changes', version: '1.0.0' },
  actions: [
    { target: '$.components.schemas.Post.properties.author.type', remove: true },
    { target: '$.components.schemas.Post.properties.author', update: { type: ['integer', 'null'] } },
    { target: '$.components.schemas.Gone', update: {} },
    {
      target: "$.paths['/wp/v2/posts'].get.parameters",
      update: { name: 'lang', in: 'query', schema: { type: 'string', enum: ['de', 'en'] } },
    },
  ],
};

describe('a site with an overlay', () => {
  test('is served by the overlaid document after every discovery', async () => {
    const helpIndex = readRecordedIndex('help');
    const site = await startStubSite({ index: readRecordedIndex(), helpIndex });
    const gateway = createGateway({
      sites: [
        {
          url: site.url,
          overlay: OVERLAY,
          discover: { include: ['/wp/v2/posts'] },
          validation: { mode: 'strict' },
        },
      ],
      admin: { token: 'token' },
    });
    try {
      // Otherwise the first request would start the gateway, and `rediscover` would share its discovery.
      gateway.start();
      await gateway.rediscover();
      for (const name of ['Before', 'After']) {
        helpIndex['name'] = name;
        await gateway.rediscover();
        const document = await (await gateway.request('/openapi.json')).json();
        expect(document.info.title).toBe(name);
        expect(document.components.schemas.Post.properties.author.type).toEqual(['integer', 'null']);
      }
      // The arguments that the overlay adds are validated as all others. The stub has no posts.
      const statusOf = async (query: string) => (await gateway.request(`/wp/v2/posts?${query}`)).status;
      const statuses = await Promise.all(['lang=de', 'lang=fr'].map(statusOf));
      expect(statuses).toEqual([404, 400]);
      const sites = await gateway.request('/-/sites', { headers: { authorization: 'Bearer token' } });
      expect(await sites.text()).toContain('overlay-target-gone');
    } finally {
      gateway.stop();
      await site.close();
    }
  });

  test('rejects an invalid overlay', () => {
    expect(() => createGateway({ sites: [{ url: 'https://example.com/', overlay: {} }] })).toThrow(
      ConfigurationError,
    );
  });
});

describe('a site with extend', () => {
  const LANG = { type: 'string', enum: ['de', 'en'] };

  test('has its arguments and members in the document, and strict refuses other values of them', async () => {
    const site = await startStubSite({ index: readRecordedIndex(), helpIndex: readRecordedIndex('help') });
    const extend = {
      '/wp/v2/posts': {
        parameters: { lang: LANG },
        body: { lang: LANG },
        response: { minutes: { type: 'integer' } },
      },
      'DELETE /wp/v2/postz/{id}': { parameters: { lang: LANG } },
    };
    const gateway = createGateway({
      sites: [
        { url: site.url, extend, discover: { include: ['/wp/v2/posts'] }, validation: { mode: 'strict' } },
      ],
      admin: { token: 'token' },
    });
    try {
      gateway.start();
      await gateway.rediscover();
      const { components } = await (await gateway.request('/openapi.json')).json();
      for (const name of ['Post', 'PostEdit', 'PostEmbed'])
        expect(components.schemas[name].properties.minutes).toEqual({ type: 'integer' });
      const send = async (lang: string, inBody: boolean) => {
        const init = {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ title: 'a', lang }),
        };
        const path = `/wp/v2/posts${inBody ? '' : `?lang=${lang}`}`;
        return (await gateway.request(path, inBody ? init : {})).status;
      };
      // The stub has no posts.
      const statuses = [send('de', false), send('fr', false), send('de', true), send('fr', true)];
      expect(await Promise.all(statuses)).toEqual([404, 400, 404, 400]);
      const sites = await gateway.request('/-/sites', { headers: { authorization: 'Bearer token' } });
      expect(await sites.text()).toContain('extend-matches-nothing');
    } finally {
      gateway.stop();
      await site.close();
    }
  });
});
