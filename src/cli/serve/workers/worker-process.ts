import type { ChildProcess } from 'node:child_process';
import type { Worker as ClusterWorker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { PurgedWorker } from '../../../cache/stores/worker-store.ts';
import type { Log } from '../../../gateway/index.ts';
import type { ProcessStatus } from '../../../gateway/process-role.ts';
import {
  Channel,
  type Handlers,
  type Message,
  type PrimaryExchanges,
  type StartFailure,
  type WorkerExchanges,
} from './messages.ts';

export class WorkerProcess {
  readonly number: number;
  readonly process: ClusterWorker;
  readonly channel: Channel<PrimaryExchanges, WorkerExchanges>;
  /** Identifies it to the gateways that share a store in Redis. */
  readonly gatewayId: string = randomUUID();
  readonly startedAt: number = performance.now();
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** `null` until it can receive messages. */
  purged: PurgedWorker | null = null;
  /** As it was reported last. */
  status: ProcessStatus | null = null;
  isListening = false;
  /** Checks since its last report. */
  silentChecks = 0;
  failure: StartFailure | null = null;

  /** @param hasOthers says whether other workers take connections */
  constructor(
    number: number,
    process: ClusterWorker,
    log: Log,
    hasOthers: () => boolean,
    handlers: Handlers<WorkerExchanges>,
  ) {
    this.number = number;
    this.process = process;
    const send = (messages: readonly unknown[]): void => {
      // Its end is handled when the process has ended.
      if (process.isConnected()) process.send([...messages], () => {});
    };
    this.channel = new Channel<PrimaryExchanges, WorkerExchanges>(send, handlers, (error) =>
      log.error({ err: error }, 'the primary process failed to reply to a worker'),
    );
    process.on('message', (messages: readonly Message<WorkerExchanges>[]) => this.channel.receive(messages));
    this.ended = new Promise((resolve) => {
      process.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
    });
    const returnConnections = trackConnections(process.process, hasOthers);
    void this.ended.then(returnConnections);
  }

  signal(signal: NodeJS.Signals): void {
    this.process.process.kill(signal);
  }
}

/** What `node:cluster` sends to a worker, and gets back with `ack`, when it hands a connection over. */
const CLUSTER_COMMAND = 'NODE_CLUSTER';

/**
 * Notes the connections that `node:cluster` has handed to a worker and that the worker has not taken yet. A worker that ends
 * before it has would leave the client without a response: the module waits for a reply that never comes, and keeps the worker
 * in its list, because the channel is not closed before that reply (Node 20 to 24, `lib/internal/child_process.js`).
 *
 * @returns called when the worker has ended: hands the connections to other workers, as if the worker had refused them; closes them, as if
 *   it had accepted them, when there is none, because the module never looks at the queue of a socket again that it has closed
 */
function trackConnections(child: ChildProcess, hasOthers: () => boolean): () => void {
  const handedOver = new Set<unknown>();
  let isDisconnected = false;
  child.send = new Proxy(child.send, {
    apply(send, self, args: unknown[]) {
      const message = args[0];
      if (isObject(message) && message['cmd'] === CLUSTER_COMMAND && message['act'] === 'newconn') {
        handedOver.add(message['seq']);
      }
      return Reflect.apply(send, self, args);
    },
  });
  child.prependListener('internalMessage', (message: unknown) => {
    if (isObject(message)) handedOver.delete(message['ack']);
  });
  child.once('disconnect', () => {
    isDisconnected = true;
  });
  const returnAll = (): void => {
    if (!isDisconnected) child.emit('disconnect');
    for (const ack of handedOver)
      child.emit('internalMessage', { cmd: CLUSTER_COMMAND, ack, accepted: !hasOthers() });
  };
  return () => {
    if (child.connected) child.disconnect();
    setImmediate(returnAll);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
