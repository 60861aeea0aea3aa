import type { WaygateConfig } from '../generated/option-types.d.ts';

/**
 * Returns a configuration of `waygate generate` unchanged. It gives editors its type. The configuration of `waygate serve` is
 * another file, in YAML or JSON.
 *
 * @param config the sites to read, and what to write for each
 * @returns the same object
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
