import type { Config, RedisOptions, SiteConfig } from '../../base/option-types.ts';
import { findRedisProblems } from '../../gateway/cache/stores/redis/servers.ts';
import { SERVE } from './schema.ts';
import { type ResolvedReferences, readSettings } from './settings.ts';

type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly errors: readonly string[] };

/** @param missing errors of references, by location @returns a sentence for each error, or the settings */
export function readConfig(input: unknown, missing: ResolvedReferences['errors'] = new Map()): ConfigResult {
  const read = readSettings({ value: input, errors: missing }, SERVE, 'the configuration');
  if (!read.ok) return read;
  const config = read.value;
  const conflicts = [
    ...findRepeatedNames(config),
    ...config.sites.flatMap(findUnusedPages),
    ...findRedisConflicts(config),
  ];
  return conflicts.length > 0 ? { ok: false, errors: conflicts } : { ok: true, config };
}

function findRedisConflicts({ cache, redis }: Config): readonly string[] {
  if (redis === undefined) return [];
  const isDeclaredTwice = cache.store !== 'memory' && cache.store !== 'off';
  return [
    ...(isDeclaredTwice ? ['cache.store: must be memory or off, because redis names the server'] : []),
    ...findRedisProblems(typeof redis === 'string' ? { url: redis } : redis),
  ];
}

export function locateStore({ cache: { store }, redis }: Config): string | RedisOptions {
  return store === 'memory' && redis !== undefined ? redis : store;
}

/** Pages reach the site with `passthrough` only. A plain origin is cached by its own fields. */
function findUnusedPages({ cache, discovery, passthrough }: SiteConfig, position: number): readonly string[] {
  if (cache.pages === undefined) return [];
  const path = `sites[${position}].cache.pages`;
  if (discovery === 'off') return [`${path}: needs discovery; use a rule instead`];
  return passthrough ? [] : [`${path}: needs "passthrough: true"; otherwise no page is served`];
}

function findRepeatedNames({ sites }: Config): readonly string[] {
  const names = new Set<string>();
  return sites.flatMap(({ hosts, name = '' }, position) => {
    // A site with hosts is named after its first host.
    if (name === '' && hosts !== undefined) return [];
    const isRepeated = names.has(name);
    names.add(name);
    if (!isRepeated) return [];
    const message =
      name === '' ? 'only one site may have neither a name nor hosts' : `the name "${name}" is used twice`;
    return [`sites[${position}].name: ${message}`];
  });
}
