import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readUserFile } from '../../builtin-modules.ts';
import type { PluginFlags } from '../../config/option-types.ts';
import { trimLineBreak } from '../../config/references.ts';
import { ConfigurationError } from '../../errors.ts';
import { toSiteName } from '../../site/options/mount-path.ts';
import { requireHttpUrl } from '../flags.ts';
import { type CommandIo, type ExitCode, escapeControlCharacters } from '../io.ts';

/** Minimum characters of the secret (`cache.webhook`). */
const MIN_SECRET_LENGTH = 16;

/** Prints the plugin for the site, with the secret and the addresses of the gateways in it. */
export async function runPlugin(
  io: CommandIo,
  gateways: readonly string[],
  flags: PluginFlags,
): Promise<ExitCode> {
  const origins = gateways.map((url) => requireHttpUrl(url).replace(/\/+$/, ''));
  const { name, secret } = await readSite(io, flags);
  // It would be printed as another one.
  if (escapeControlCharacters(secret) !== secret)
    throw new ConfigurationError(
      'the secret has control characters: use another one, such as letters and digits',
    );
  const urls = origins.map((origin) => `${origin}/-/webhook/${encodeURIComponent(name)}`);
  const source = await readFile(new URL('waygate.php', import.meta.url), 'utf8');
  const plugin = [
    ['WAYGATE_SECRET', "''", quotePhp(secret)],
    ['WAYGATE_URLS', '[]', `[${urls.map(quotePhp).join(', ')}]`],
  ].reduce(
    (text, [name, empty, value]) =>
      text.replace(`define('${name}', ${empty})`, () => `define('${name}', ${value})`),
    source,
  );
  io.writeOut(plugin);
  return 0;
}

async function readSite(
  io: CommandIo,
  { config, secretFile, site: given }: PluginFlags,
): Promise<{ readonly name: string; readonly secret: string }> {
  if (secretFile !== undefined) {
    const secret = trimLineBreak(readUserFile(resolve(io.cwd ?? '.', secretFile), '--secret-file'));
    if (secret.length >= MIN_SECRET_LENGTH) return { name: given ?? 'default', secret };
    throw new ConfigurationError(
      `--secret-file: the secret must have at least ${MIN_SECRET_LENGTH} characters`,
    );
  }
  if (config === undefined)
    throw new ConfigurationError('Give --config or --secret-file: the plugin needs the secret of the site.');
  const { resolveConfig } = await import('../serve/resolve-config.ts');
  const { sites } = await resolveConfig({ config: resolve(io.cwd ?? '.', config), site: [] }, io.env);
  const names = sites.map((options) => toSiteName(options) || 'default');
  const site = given ?? (names.length === 1 ? names[0] : undefined) ?? 'default';
  const found = sites[names.indexOf(site)];
  const secret = found?.cache?.webhook;
  if (secret !== undefined) {
    if (found?.cache?.tags !== 'site')
      io.writeErr(
        `Set cache.tags of the site "${site}" to "site": until then, the gateway ignores waygate.php.\n`,
      );
    return { name: site, secret };
  }
  throw new ConfigurationError(
    found === undefined
      ? `--site: no site is called "${site}". Sites: ${names.join(', ')}`
      : `cache.webhook of the site "${site}" is not set`,
  );
}

/** Writes a text as a literal of PHP in single quotes, in which nothing but these two characters is special. */
function quotePhp(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
