import type { TransportSource } from '../gateway/index.ts';
import { dispatchTransport } from '../upstream/dispatch.ts';
import { webTransport } from '../upstream/web-transport.ts';

export type { ListenerOptions } from './listener.ts';
export { type RunningServer, type ServeOptions, serve } from './server.ts';

/** undici's `dispatch` for the portable app: `createGateway({ transport: nodeTransport, … })`. */
export const nodeTransport: TransportSource = (origin, timeouts) =>
  webTransport(dispatchTransport({ origin, timeouts }));
