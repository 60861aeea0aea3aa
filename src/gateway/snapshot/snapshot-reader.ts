import type { FailureReason } from '../../discovery/failure-reasons.ts';
import { discover } from '../../discovery/index.ts';
import type { DiscoveredSite } from '../../discovery/site.ts';
import { DiscoveryError } from '../../errors.ts';
import { checkOverlay, overlayGeneration, toOpenApi } from '../../openapi/index.ts';
import { mountPath, publicPath } from '../app/mounts.ts';
import type { GatewayOptions, SiteOptions } from '../options/gateway-options.ts';
import { createOriginSnapshot, createSnapshot, type Snapshot, type SnapshotOptions } from './snapshot.ts';

/**
 * What a site is served from before it has been read: its stored document, or, without discovery, nothing but its
 * address.
 *
 * @throws ConfigurationError where the stored document is not one that a gateway can be started from
 */
export function createInitialSnapshot(options: SiteOptions, gateway: GatewayOptions): Snapshot | null {
  const form = formOf(options, gateway);
  if (options.document !== undefined) return createSnapshot(options.document, form);
  return options.discovery === 'off' ? createOriginSnapshot(options.url, form) : null;
}

function formOf(options: SiteOptions, { publicUrl }: GatewayOptions): SnapshotOptions {
  const mount = mountPath(options);
  return { mount, passthrough: options.passthrough ?? false, publicPath: publicPath(publicUrl, mount) };
}

/** How a site's next snapshot is made: `null` where the site is as it was. Throws where it cannot be read. */
export type SnapshotReader = (signal: AbortSignal) => Promise<Snapshot | null>;

/** @throws ConfigurationError where the overlay is none */
export function createSnapshotReader(options: SiteOptions, gateway: GatewayOptions): SnapshotReader {
  const form = formOf(options, gateway);
  const { overlay } = options;
  if (overlay !== undefined) checkOverlay(overlay);
  const { fetch } = gateway;
  let seen = '';

  if (options.discovery === 'off') return () => Promise.resolve(null);
  const read = (signal: AbortSignal): Promise<DiscoveredSite> =>
    discover(options.url, { ...options.discover, signal, ...(fetch === undefined ? {} : { fetch }) });
  let isPlain = false;

  return async (signal) => {
    const site = await read(signal).catch((error: unknown) => {
      if (seen === '' && options.document === undefined && isPlainOrigin(options, error)) return null;
      throw error;
    });
    if (site === null) {
      if (isPlain) return null;
      isPlain = true;
      gateway.log?.warn({ site: form.mount }, 'the site has no root index: it is passed through as it is');
      return createOriginSnapshot(options.url, form);
    }
    // A model costs a hundred times what a comparison does, and most readings find nothing new.
    const found = JSON.stringify([site.address, site.index]);
    if (found === seen) return null;
    const stated = toOpenApi(site);
    const { document, report } = overlay === undefined ? stated : overlayGeneration(stated, overlay);
    const snapshot = createSnapshot(document, { ...form, diagnostics: report.rules });
    seen = found;
    return snapshot;
  };
}

/** That there is no index is what was found out: the site answered, and with something else. */
const WITHOUT_INDEX: ReadonlySet<string> = new Set<FailureReason>([
  ...(['not-an-index', 'empty', 'not-json', 'client-error', 'html', 'not-found', 'not-wordpress'] as const),
]);

/** A reverse proxy for a whole site has something to do in front of any. */
function isPlainOrigin({ passthrough }: SiteOptions, error: unknown): boolean {
  return passthrough === true && error instanceof DiscoveryError && WITHOUT_INDEX.has(error.reason);
}
