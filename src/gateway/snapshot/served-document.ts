import { isJsonObject, type JsonObject } from '../../json.ts';

export interface GatewayServerOptions {
  /** The path of the mount as callers see it, without its last slash: `/content`, or empty. */
  readonly publicPath: string;
  /** The site's prefix of pretty addresses: `wp-json`. */
  readonly prefix: string;
  /** Whether the mount itself is the site's front page. */
  readonly passthrough: boolean;
}

/** A site's document with the gateway as its server, relative to the origin that it is read from. */
export function withGatewayServers(
  document: JsonObject,
  { publicPath, prefix, passthrough }: GatewayServerOptions,
): JsonObject {
  const description = 'This gateway';
  const served = { ...document, servers: [{ url: publicPath === '' ? '/' : publicPath, description }] };
  const { paths } = document;
  if (!passthrough || !isJsonObject(paths) || !isJsonObject(paths['/'])) return served;
  // Where the mount is the front page, the root index is found at its pretty address.
  const root = { ...paths['/'], servers: [{ url: `${publicPath}/${prefix}`, description }] };
  return { ...served, paths: { ...paths, '/': root } };
}
