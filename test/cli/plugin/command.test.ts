import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useFolder } from '../../support/folder.ts';
import { runCommand } from '../run-command.ts';

const URL = 'https://gateway.example.com/';
const SECRET = "it's a \\'secret\\";

const folder = useFolder();

describe('waygate plugin', () => {
  test('prints the plugin with the secret of the configuration, and the addresses of all gateways', async () => {
    const sites = [
      { name: 'blog', url: 'https://example.com', cache: { webhook: SECRET } },
      { url: 'https://other.example.com', cache: { webhook: 'another-secret-of-another' } },
    ];
    writeFileSync(join(folder(), 'waygate.yaml'), JSON.stringify({ sites }));
    const args = [URL, 'https://two.example.com', '--site', 'blog', '--config', 'waygate.yaml'];
    const { code, err, out } = await runCommand(['plugin', ...args], { cwd: folder() });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^<\?php\n/);
    const urls =
      "array( 'https://gateway.example.com/-/webhook/blog', 'https://two.example.com/-/webhook/blog' )";
    expect(out).toContain(
      `array( 'homes' => array( 'https://example.com' ), 'secret' => 'it\\'s a \\\\\\'secret\\\\', 'urls' => ${urls} ),`,
    );
    const other = await runCommand(['plugin', URL, '--config', 'waygate.yaml'], { cwd: folder() });
    // One file is for all sites of the configuration.
    expect(other.out).toContain("'urls' => array( 'https://gateway.example.com/-/webhook/blog' )");
    expect(other.out).toContain("'urls' => array( 'https://gateway.example.com/-/webhook/default' )");
  });

  test('knows each address that the site can have, so that a copy at another one is silent', async () => {
    const site = {
      url: 'http://127.0.0.1:8081/blog/',
      upstream: { host: 'blog.example.com' },
      hosts: ['shop.example.com', '*.example.com'],
      cache: { webhook: SECRET },
    };
    writeFileSync(
      join(folder(), 'waygate.yaml'),
      JSON.stringify({ publicUrl: 'https://www.example.com', sites: [site] }),
    );
    const { out } = await runCommand(['plugin', URL, '--config', 'waygate.yaml'], { cwd: folder() });
    expect(out).toContain("array( 'https://gateway.example.com/-/webhook/shop.example.com' )");
    for (const home of [
      'http://127.0.0.1:8081/blog/',
      'http://blog.example.com/blog',
      'https://www.example.com',
      'https://shop.example.com',
    ])
      expect(out).toContain(`'${home}'`);
    expect(out).not.toContain("*.example.com'");
    const args = ['--config', 'waygate.yaml', '--home', 'https://example.com'];
    const given = await runCommand(['plugin', URL, ...args], { cwd: folder() });
    expect(given.out).toContain("'homes' => array( 'https://example.com' )");
  });

  test.each([
    [['plugin', URL], "required option '--config <file>' not specified"],
    [['plugin', 'ftp://example.com', '--config', 'site.json'], 'http'],
    [['plugin', URL, '--config', 'random.json'], 'the secret has control characters'],
    [
      ['plugin', URL, '--config', 'site.json', '--site', 'other'],
      'no site is called "other". Sites: default',
    ],
    [['plugin', URL, '--config', 'site.json'], 'cache.webhook of the site "default" is not set'],
  ])('%j is an error', async (args, message) => {
    const site = { url: 'https://example.com' };
    const random = { ...site, cache: { webhook: 'a secret of random bytes \u001b' } };
    writeFileSync(join(folder(), 'site.json'), JSON.stringify({ sites: [site] }));
    writeFileSync(join(folder(), 'random.json'), JSON.stringify({ sites: [random] }));
    const { code, err, out } = await runCommand(args, { cwd: folder() });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
