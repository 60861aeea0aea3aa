import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigurationError } from '../../base/errors.ts';
import type { Config, PluginFlags } from '../../base/option-types.ts';
import { toMountPath, toSiteName } from '../../gateway/site/hosts.ts';
import { type CommandIo, type ExitCode, escapeControlCharacters, requireHttpUrl } from '../io.ts';

interface PluginSite {
  readonly name: string;
  readonly secret: string;
  /** Addresses (`home_url()`) of the site. A copy of the site has another address, and its plugin is silent. */
  readonly homes: readonly string[];
}

export async function runPlugin(
  io: CommandIo,
  gateways: readonly string[],
  flags: PluginFlags,
): Promise<ExitCode> {
  const origins = gateways.map((url) => requireHttpUrl(url).replace(/\/+$/, ''));
  const sites = await readSites(io, flags);
  // Control characters would be printed escaped, which is another secret.
  if (sites.some(({ secret }) => escapeControlCharacters(secret) !== secret))
    throw new ConfigurationError(
      'the secret has control characters: use another one, such as letters and digits',
    );
  const source = await readFile(new URL('waygate.php', import.meta.url), 'utf8');
  const entries = sites.map(({ homes, name, secret }) => {
    const urls = origins.map((origin) => `${origin}/-/webhook/${encodeURIComponent(name)}`);
    return `\tarray( 'homes' => ${formatList(homes)}, 'secret' => ${quotePhp(secret)}, 'urls' => ${formatList(urls)} ),\n`;
  });
  io.writeOut(source.replace(NO_SITES, () => `define( 'WAYGATE_SITES', array(\n${entries.join('')}) );`));
  return 0;
}

const NO_SITES = "define( 'WAYGATE_SITES', array() );";

async function readSites(
  io: CommandIo,
  { config, home, site: given }: PluginFlags,
): Promise<readonly PluginSite[]> {
  const homes = home === undefined ? [] : [requireHttpUrl(home)];
  const { resolveConfig } = await import('../serve/resolve-config.ts');
  const resolved = await resolveConfig({ config: resolve(io.cwd ?? '.', config), site: [] }, io.env);
  const found: PluginSite[] = [];
  for (const options of resolved.sites) {
    const name = toSiteName(options);
    const { webhook } = options.cache ?? {};
    if (webhook === undefined || (given !== undefined && given !== name)) continue;
    found.push({ name, secret: webhook, homes: homes.length > 0 ? homes : listHomes(options, resolved) });
  }
  if (found.length > 0) return found;
  const names = resolved.sites.map((options) => toSiteName(options));
  throw new ConfigurationError(
    given !== undefined && !names.includes(given)
      ? `--site: no site is called "${given}". Sites: ${names.join(', ')}`
      : `cache.webhook of the site "${given ?? names.join('", "')}" is not set`,
  );
}

/** Lists a site's addresses: as configured, as WordPress knows it, and as visitors know it. */
function listHomes(
  site: Config['sites'][number],
  { publicUrl }: Pick<Config, 'publicUrl'>,
): readonly string[] {
  const url = new URL(site.url);
  const { hosts = [] } = site;
  const path = url.pathname.replace(/\/$/, '');
  const shown = site.publicUrl ?? publicUrl;
  return [
    site.url,
    ...(site.upstream?.host === undefined ? [] : [`${url.protocol}//${site.upstream.host}${path}`]),
    ...(shown === undefined ? [] : [shown.replace(/\/$/, '') + toMountPath(site)]),
    ...hosts.filter((host) => !host.includes('*')).map((host) => `https://${host}`),
  ];
}

const formatList = (texts: readonly string[]): string =>
  `array( ${[...new Set(texts)].map(quotePhp).join(', ')} )`;

/** In single quotes of PHP, only a backslash and a single quote are special. */
function quotePhp(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
