import type { Replay } from './run.mjs';

/** Request header with the position of the recorded response. */
export const POSITION_HEADER: string;

/**
 * Starts a server between the gateway and the site. It replays the recorded response to a request with
 * {@link POSITION_HEADER} and proxies every other request.
 *
 * @param site origin of the site
 */
export function startReplay(site: string): Promise<Replay>;
