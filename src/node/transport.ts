import type { TransportSource } from '../gateway/index.ts';
import { dispatchTransport } from '../upstream/dispatch.ts';
import { webTransport } from '../upstream/web-transport.ts';

/** undici's `dispatch` for the portable app: `createGateway({ transport: nodeTransport, … })`. */
export const nodeTransport: TransportSource = (origin, timeouts) =>
  webTransport(dispatchTransport({ origin, timeouts }));
