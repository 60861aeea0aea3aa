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
      { name: 'blog', url: 'https://example.com', cache: { tags: 'site', webhook: SECRET } },
      { url: 'https://other.example.com', cache: { webhook: 'another-secret-of-another' } },
    ];
    writeFileSync(join(folder(), 'waygate.yaml'), JSON.stringify({ sites }));
    const args = [URL, 'https://two.example.com', '--site', 'blog', '--config', 'waygate.yaml'];
    const { code, err, out } = await runCommand(['plugin', ...args], { cwd: folder() });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^<\?php\n/);
    expect(out).toContain(`define('WAYGATE_SECRET', 'it\\'s a \\\\\\'secret\\\\')`);
    const urls = "['https://gateway.example.com/-/webhook/blog', 'https://two.example.com/-/webhook/blog']";
    expect(out).toContain(`define('WAYGATE_URLS', ${urls})`);
    const other = await runCommand(['plugin', URL, '--config', 'waygate.yaml'], { cwd: folder() });
    expect(other.err).toContain('Set cache.tags of the site "default" to "site"');
  });

  test('is for the only site of the configuration, whatever its name', async () => {
    const site = {
      url: 'https://example.com',
      hosts: ['shop.example.com'],
      cache: { tags: 'site', webhook: SECRET },
    };
    writeFileSync(join(folder(), 'waygate.yaml'), JSON.stringify({ sites: [site] }));
    const { out } = await runCommand(['plugin', URL, '--config', 'waygate.yaml'], { cwd: folder() });
    expect(out).toContain("['https://gateway.example.com/-/webhook/shop.example.com']");
  });

  test('takes the secret from a file, without the line break at its end', async () => {
    writeFileSync(join(folder(), 'secret'), 'a-secret-of-a-file\n');
    const { out } = await runCommand(['plugin', URL, '--secret-file', 'secret'], { cwd: folder() });
    expect(out).toContain("define('WAYGATE_SECRET', 'a-secret-of-a-file')");
    expect(out).toContain("['https://gateway.example.com/-/webhook/default']");
  });

  test.each([
    [['plugin', URL], 'Give --config or --secret-file'],
    [['plugin', 'ftp://example.com', '--secret-file', 'secret'], 'http'],
    [['plugin', URL, '--secret-file', 'missing'], 'there is no such file'],
    [['plugin', URL, '--secret-file', 'short'], 'at least 16 characters'],
    [['plugin', URL, '--secret-file', 'random'], 'the secret has control characters'],
    [
      ['plugin', URL, '--config', 'site.json', '--site', 'other'],
      'no site is called "other". Sites: default',
    ],
    [['plugin', URL, '--config', 'site.json'], 'cache.webhook of the site "default" is not set'],
  ])('%j is an error', async (args, message) => {
    writeFileSync(join(folder(), 'short'), 'short');
    writeFileSync(join(folder(), 'random'), 'a secret of random bytes \u001b');
    writeFileSync(join(folder(), 'site.json'), JSON.stringify({ sites: [{ url: 'https://example.com' }] }));
    const { code, err, out } = await runCommand(args, { cwd: folder() });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
