import { connect } from 'node:net';
import type { GatewayOptions } from '../../../src/gateway/index.ts';
import { startGateway, type TestGateway, type TestOptions } from '../../support/gateway.ts';
import { PLAIN } from '../../support/run.ts';

/** Returns a function that starts a plain reverse proxy in front of an origin. By default it has no store. */
export const useProxy =
  (getOrigin: () => string) =>
  (gateway: Partial<GatewayOptions> = {}, more: TestOptions = {}): Promise<TestGateway> =>
    startGateway({ ...PLAIN, url: getOrigin(), ...more, gateway: { cache: 'off', ...gateway } });

/** Sends bytes, and returns everything until the connection is closed. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(received));
  });
}
