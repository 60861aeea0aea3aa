import type { Replay } from './run.mjs';

/** Names the request among those that the site has answered already. */
export const POSITION: string;

/**
 * Stands between the gateway and the site, and answers what the site has been asked directly with what it said then;
 * everything else passes.
 *
 * @param site the origin
 */
export function startReplay(site: string): Promise<Replay>;
