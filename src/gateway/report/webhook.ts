import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Clock, Log } from '../../base/ports.ts';
import { PROBLEMS, type Problem, WEBHOOK_FAULTS } from '../exchange/problem.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import {
  createWebhookVerifier,
  type SignedWebhook,
  type WebhookSignatureFault,
} from '../wordpress/site-fields.ts';

/** Takes a message of waygate.php about changes. @returns why it is refused */
export type Webhook = (message: SignedWebhook, client: string) => Promise<Problem | null>;

const LOG_INTERVAL = 60_000;

export function createWebhook(
  site: MountedSite,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Webhook {
  const { name, inputs } = site.settings;
  const secret = inputs.caching?.webhook;
  if (secret === undefined) return async () => PROBLEMS.webhookClosed;
  const verify = createWebhookVerifier(secret, clock.now);
  /** Anybody can send messages, so a site's faults are logged at intervals. */
  const logged = new Map<WebhookSignatureFault, number>();
  const noteFault = (fault: WebhookSignatureFault): void => {
    site.recorder.traffic.addCount('webhooks', fault);
    site.recorder.refusedMessages += 1;
    if (clock.now() - (logged.get(fault) ?? 0) < LOG_INTERVAL) return;
    logged.set(fault, clock.now());
    log.warn({ site: name, fault }, `a message of waygate.php was refused: ${WEBHOOK_FAULTS[fault].message}`);
  };
  return async (signed, client) => {
    const fault = verify(signed);
    if (fault !== null) noteFault(fault);
    const refusal = site.messageAttempts.check(client, fault !== 'wrong', WEBHOOK_FAULTS.wrong);
    if (refusal !== null) return refusal;
    if (fault !== null) return WEBHOOK_FAULTS[fault];
    const message = parseJson(signed.body);
    if (!isJsonObject(message)) return PROBLEMS.invalidMessage;
    const { snapshot } = site.runtime;
    const isValid =
      snapshot === null || (await site.caching?.siteTags?.receiveMessage(snapshot, message)) !== false;
    if (!isValid) return PROBLEMS.invalidMessage;
    site.recorder.refusedMessages = 0;
    return null;
  };
}
