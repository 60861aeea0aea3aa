import { createHmac } from 'node:crypto';

/** The fields by which a message of a site, or of the gateway, is signed. @param time in milliseconds */
export function signMessage(
  secret: string,
  body: string,
  time: number = Date.now(),
): Readonly<Record<'x-waygate-timestamp' | 'x-waygate-signature', string>> {
  const timestamp = String(Math.floor(time / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-waygate-timestamp': timestamp, 'x-waygate-signature': `sha256=${signature}` };
}
