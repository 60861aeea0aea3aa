import { toRoot } from '../docs/pages/render-context.ts';

/** Path of the overview. All addresses of the console begin with it. */
export const CONSOLE_PATH = '/-/console/';

/** An address of the console. */
export interface ConsoleAddress {
  /** What follows {@link CONSOLE_PATH}: `sites/content/cache`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path from the address to {@link CONSOLE_PATH}, relative. */
  readonly root: string;
}

/** Reads the address of a request. */
export function readAddress({ url }: Request): ConsoleAddress {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.slice(CONSOLE_PATH.length);
  return { path, query: searchParams, root: toRoot(path) };
}

/** Formats an address below {@link CONSOLE_PATH}, with its query. */
export function formatAddress({ path, query }: Pick<ConsoleAddress, 'path' | 'query'>): string {
  return query.size === 0 ? path : `${path}?${query}`;
}
