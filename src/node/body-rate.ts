import type { IncomingMessage } from 'node:http';
import type { Problem } from '../gateway/exchange/problem.ts';

/** The rate at which a request body must arrive. Without one, clients that send a byte now and then hold memory. */
export interface BodyRate {
  /** Bytes that a body must bring in each second, on average over a period; 0 allows any rate. @default 500 */
  readonly bytesPerSecond?: number;
  /** Milliseconds. A slow body is refused after one to two periods. @default 30_000 */
  readonly period?: number;
}

/** The response to a request whose body arrives too slowly. @internal */
export const BODY_TOO_SLOW: Problem = {
  status: 408,
  code: 'gateway_request_timeout',
  message: 'The request body did not arrive in time.',
};

/**
 * Watches the arrival of a request body. Time in which the client cannot send, because the site does not read, does not
 * count.
 *
 * @param onTooSlow called at most once
 * @internal
 */
export function watchBodyRate(
  incoming: IncomingMessage,
  { bytesPerSecond = 500, period = 30_000 }: BodyRate,
  onTooSlow: () => void,
): void {
  if (bytesPerSecond === 0) return;
  const requiredBytes = (bytesPerSecond * period) / 1000;
  // Most bodies arrive with the head, and are complete when all callbacks of the parser have run.
  setImmediate(() => {
    if (!incoming.complete && !incoming.destroyed)
      watchEachPeriod(incoming, requiredBytes, period, onTooSlow);
  });
}

function watchEachPeriod(
  incoming: IncomingMessage,
  requiredBytes: number,
  period: number,
  onTooSlow: () => void,
): void {
  const { socket } = incoming;
  let bytesBefore = socket.bytesRead;
  const timer = setInterval(() => {
    const received = socket.bytesRead - bytesBefore;
    bytesBefore = socket.bytesRead;
    const isSiteSlow = incoming.readableLength >= incoming.readableHighWaterMark;
    if (incoming.complete) clearInterval(timer);
    else if (received < requiredBytes && !isSiteSlow) {
      clearInterval(timer);
      onTooSlow();
    }
  }, period);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  incoming.once('end', stop).once('close', stop);
}
