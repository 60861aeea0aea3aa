import { type Log, silentLog } from './base/ports.ts';
import type { GatewayConfig } from './define-config.ts';
import type { Gateway } from './gateway/index.ts';

/**
 * Creates a gateway from what `gateway.config.ts` and the YAML file of `waygate serve` take: the same names, units and defaults. Paths are
 * relative to the current folder.
 *
 * @param environment receives what the gateway logs. @default nothing is logged
 * @throws {ConfigurationError} when a setting is invalid, or a file cannot be read
 *
 * @example
 * import { createGateway } from 'waygate';
 *
 * const gateway = await createGateway({ sites: [{ url: 'https://example.com' }] });
 * await gateway.rediscover();
 * const response = await gateway.fetch(new Request('http://localhost/openapi.json'));
 * console.log(response.status);
 * await gateway.stop();
 */
export async function createGateway(
  { app, ...settings }: GatewayConfig,
  { log = silentLog }: { readonly log?: Log | undefined } = {},
): Promise<Gateway> {
  // What generates types loads none of it.
  const [{ openGateway }, opening, { resolveReferences, SETTINGS }] = await Promise.all([
    import('./open-gateway.ts'),
    import('./cli/config/gateway-settings.ts'),
    import('./cli/config/settings.ts'),
  ]);
  const source = { folder: process.cwd(), env: process.env };
  const { errors, value } = resolveReferences(settings, SETTINGS.serve, source);
  const config = await opening.requireConfig(value, errors);
  const sites = await opening.readSites(config);
  const cache = await opening.openStore(config, log);
  const close = async (): Promise<void> => {
    if (cache !== 'off') await cache.close();
  };
  try {
    const options = opening.createGatewayOptions(config, sites, cache, log);
    return openGateway({ ...options, onStopped: close }, null, app && (await opening.createOuterApp(app)));
  } catch (error) {
    await close();
    throw error;
  }
}
