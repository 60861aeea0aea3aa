import type { Config, SiteConfig } from '../../../generated/option-types.d.ts';
import { locateStore } from '../../config/config.ts';
import { withoutCredentials } from '../../discovery/redact.ts';

/** What a mode does, in a few words. */
const MODE_TEXTS = {
  off: 'off',
  observe: 'observe (nothing is refused)',
  enforce: 'enforce (invalid requests are refused by known rules)',
  strict: 'strict (whatever the document forbids is refused)',
} as const;

/**
 * Describes a gateway that has started, for a person: what is on, where the documentation, the document and the console are,
 * and what a restart keeps.
 *
 * @param url of the gateway, without slash at the end
 * @param adminUrl the same of the listener for `/-/`; `undefined` if the gateway has one listener
 */
export function describeStart(config: Config, url: string, adminUrl: string | undefined): string {
  const { admin, sites } = config;
  const consoleUrl = `${adminUrl ?? url}/-/console/`;
  const lines = [
    `waygate listens at ${url}`,
    ...sites.flatMap((site) => describeSite(site, describeStore(config), url)),
    '',
    `  console      ${admin.token === undefined ? 'closed: set WAYGATE_ADMIN_TOKEN to open it' : consoleUrl}`,
    `  restart      ${describeRestart(config)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function describeSite(site: SiteConfig, store: string, url: string): string[] {
  const { cache, discovery, document, hosts, name, validation } = site;
  const byPath = name === undefined ? url : `${url}/${name}`;
  const mount = hosts === undefined ? byPath : (site.publicUrl ?? toUrlAtHost(hosts, url));
  // A plain proxy has no document.
  const hasDocument = discovery !== 'off' || document !== undefined;
  return [
    '',
    `  ${mount}/ → ${withoutCredentials(new URL(site.url).href)}`,
    ...(hasDocument ? [`  reference    ${mount}/docs`, `  document     ${mount}/openapi.json`] : []),
    ...(hasDocument ? [`  validation   ${MODE_TEXTS[validation.mode ?? 'off']}`] : []),
    `  cache        ${cache.enabled ? store : 'off'}`,
  ];
}

/** Returns the URL of a site by host: of its first host without wildcard, at the port of the gateway. */
function toUrlAtHost(hosts: readonly string[], url: string): string {
  const host = hosts.find((entry) => !entry.startsWith('*')) ?? hosts[0] ?? '';
  const { port, protocol } = new URL(url);
  return `${protocol}//${host}${port === '' || /:\d+$/.test(host) ? '' : `:${port}`}`;
}

function describeStore(config: Config): string {
  const store = locateStore(config);
  return store === 'off' || store === 'memory' ? store : 'redis';
}

function describeRestart(config: Config): string {
  const { state } = config;
  const kept = [
    ...(state === undefined ? [] : [`documents and what is learned of sites, in ${state}`]),
    ...(describeStore(config) === 'redis' ? ['stored responses, in Redis'] : []),
  ];
  if (kept.length > 0) return `keeps ${kept.join('; ')}`;
  return 'keeps nothing: --state <folder> keeps documents and what is learned of sites';
}
