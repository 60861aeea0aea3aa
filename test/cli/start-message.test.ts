import { describe, expect, test } from 'vitest';
import { describeStart } from '../../src/cli/serve/run-gateway.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Config } from '../../src/config/option-types.ts';

const URL = 'http://127.0.0.1:8080';

function configOf(input: object): Config {
  const result = readConfig(input);
  if (!result.ok) throw new Error(result.errors.join('\n'));
  return result.config;
}

describe('describeStart', () => {
  test('says what is turned down, and where the console is', () => {
    const config = configOf({
      admin: { token: 'a-secret-of-the-test', port: 9000 },
      cache: { store: 'redis://user:secret@127.0.0.1:6379' },
      sites: [
        { name: 'blog', url: 'https://example.com/blog', validation: { mode: 'observe' } },
        { hosts: ['*.shop.example.com', 'shop.example.com'], url: 'https://example.com/shop' },
        { name: 'files', url: 'https://example.com', discovery: 'off', cache: { enabled: false } },
      ],
    });
    const text = describeStart(config, URL, 'http://127.0.0.1:9000');
    expect(text).toBe(`waygate listens at ${URL}

  ${URL}/blog/ → https://example.com/blog
  reference    ${URL}/blog/docs
  document     ${URL}/blog/openapi.json
  validation   observe (nothing is refused)
  cache        redis

  http://shop.example.com:8080/ → https://example.com/shop
  reference    http://shop.example.com:8080/docs
  document     http://shop.example.com:8080/openapi.json
  validation   enforce (invalid requests are refused by known rules)
  cache        redis

  ${URL}/files/ → https://example.com/
  cache        off

  console      http://127.0.0.1:9000/-/console/
`);
    expect(text).not.toContain('secret');
  });
});
