import { ConfigurationError } from '../../base/errors.ts';
import { isSameData } from '../../base/json.ts';
import type { McpOptions } from '../../base/option-types.ts';
import type { HttpCache } from '../cache/http-cache.ts';
import { SiteCircuits } from '../upstream/site-circuits.ts';
import { SiteConcurrency } from '../upstream/site-connections.ts';
import { type AgentQuestions, AgentTokens, createAgentQuestions } from './agent-tokens.ts';
import { SiteCaching } from './caching/site-caching.ts';
import { createLimits, type SiteLimits } from './limiting/site-limits.ts';
import type { MountedSiteSettings } from './mounted-site-settings.ts';
import type { GatewayOptions, SiteOptions } from './options/gateway-options.ts';
import { pickDocumentSettings } from './snapshot/discover-snapshot.ts';
import { type DiscoveryState, NO_DISCOVERIES } from './snapshot/site-runtime.ts';
import { SiteRecorder } from './traffic/site-recorder.ts';
import { SiteValidation } from './validating/site-validation.ts';

export interface SiteAgents {
  readonly options: McpOptions;
  /** Tokens that agents can send; `null` if they send the site's own credentials. */
  readonly tokens: AgentTokens | null;
  readonly questions: AgentQuestions;
}

/**
 * Everything that a site has counted and learned, e.g. requests by client, an open circuit, users and the document.
 * A reload creates the site anew, and gives it each part of this whose settings have not changed. No part has a
 * connection or reads the site.
 */
export interface SiteState {
  readonly settings: MountedSiteSettings;
  readonly recorder: SiteRecorder;
  readonly validation: SiteValidation;
  readonly caching: SiteCaching | null;
  readonly limits: SiteLimits | null;
  readonly agents: SiteAgents | null;
  readonly concurrency: SiteConcurrency;
  readonly circuits: SiteCircuits | null;
  /** Its snapshot can be of other settings than its document. */
  readonly discovery: DiscoveryState;
}

/**
 * @param before state of the site with the same name in the gateway that is replaced
 * @throws {ConfigurationError} when a setting of one of the parts is invalid
 */
export function createSiteState(
  settings: MountedSiteSettings,
  { cache, options: gateway }: { readonly cache: HttpCache | null; readonly options: GatewayOptions },
  before: SiteState | undefined,
): SiteState {
  const { clock, log, options } = settings;
  const findSame = (...names: readonly (keyof SiteOptions)[]): SiteState | undefined => {
    const isSame = names.every((name) => isSameData(before?.settings.options[name], options[name]));
    return isSame ? before : undefined;
  };
  const { cache: cacheOptions = {} } = options;
  const hasCacheInFront = (gateway.notify ?? []).some(({ to }) => to !== 'revalidate');
  const caching =
    cache === null || cacheOptions === 'off'
      ? null
      : (findSame('cache', 'url', 'upstream')?.caching ??
        new SiteCaching(cache, cacheOptions, hasCacheInFront, settings));
  // Only a cache can respond in place of the site.
  const circuits = caching === null ? null : (findSame('url', 'upstream')?.circuits ?? new SiteCircuits(log));
  return {
    settings,
    recorder: before?.recorder ?? new SiteRecorder(clock.now),
    validation: findSame('validation')?.validation ?? new SiteValidation(options, log),
    caching,
    limits: findSame('limits', 'mcp')?.limits ?? createLimits(settings),
    agents: findSame('mcp', 'discovery', 'document')?.agents ?? createAgents(settings, gateway.fetch),
    concurrency:
      findSame('concurrency')?.concurrency ?? new SiteConcurrency(options.concurrency ?? {}, clock),
    circuits,
    discovery:
      before && isSameData(pickDocumentSettings(before.settings), pickDocumentSettings(settings))
        ? before.discovery
        : NO_DISCOVERIES,
  };
}

function createAgents(
  settings: MountedSiteSettings,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): SiteAgents | null {
  const { mcp = false } = settings.options;
  if (mcp === false) return null;
  const { discovery, document } = settings.options;
  if (discovery === 'off' && document === undefined)
    throw new ConfigurationError(`${settings.setting}.mcp: needs discovery, or a "document"`);
  const options = mcp === true ? {} : mcp;
  const { oauth } = options;
  return { options, tokens: oauth ? new AgentTokens(oauth, fetch) : null, questions: createAgentQuestions() };
}
