import type { Hono } from 'hono';
import type { GatewaySettings, WaygateConfig } from './base/option-types.ts';

/**
 * Returns a configuration of `waygate generate` unchanged. It gives editors its type.
 *
 * @example
 * import { defineConfig } from 'waygate';
 *
 * export default defineConfig({
 *   sites: [{ url: 'https://example.com', out: 'src/api', name: 'site', client: true }],
 * });
 */
export function defineConfig(config: WaygateConfig): WaygateConfig {
  return config;
}

/** The configuration of `waygate serve` in a program: the settings of a YAML file, and middleware. */
export interface GatewayConfig extends GatewaySettings {
  /**
   * Adds middleware and routes before the gateway's, again with each reload. If it throws, the configuration
   * is refused.
   * @default none
   */
  readonly app?: ((app: Hono) => void | Promise<void>) | undefined;
}

/**
 * Returns a configuration of `waygate serve` unchanged. It gives editors its type. In `waygate.config.ts`, it
 * is exported as `gateway`.
 *
 * @example
 * import { secureHeaders } from 'hono/secure-headers';
 * import { defineGateway } from 'waygate';
 *
 * export default defineGateway({
 *   sites: [{ url: 'https://example.com', passthrough: true }],
 *   cache: { store: 'memory' },
 *   app(app) {
 *     app.use('/account/*', secureHeaders());
 *   },
 * });
 */
export function defineGateway(config: GatewayConfig): GatewayConfig {
  return config;
}
