import { Agent } from 'node:http';
import { sendRaw } from '../support/run.ts';
import { giveTurns, waitUntil } from '../support/wait.ts';

type RequestInit = Parameters<typeof sendRaw>[2];

interface Received {
  readonly status: number;
  readonly text: string;
  readonly cacheStatus: string;
}

export async function send(url: string, init: RequestInit = {}): Promise<Received> {
  const { pathname, search } = new URL(url);
  const { body, headers, status } = await sendRaw(url, pathname + search, init);
  return { status, text: body, cacheStatus: String(headers['cache-status']) };
}

/** Clients that send requests one after the other, each on a connection that stays open. */
export class Load {
  readonly failures: string[] = [];
  count = 0;
  /** Connections that were opened. */
  opened = 0;
  #isOver = false;
  readonly #clients: Promise<void>[] = [];
  readonly #agents: Agent[] = [];

  constructor(url: string, paths: readonly string[]) {
    for (const path of paths) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const connect = agent.createConnection.bind(agent);
      agent.createConnection = (...args) => {
        this.opened += 1;
        return connect(...args);
      };
      this.#agents.push(agent);
      this.#clients.push(this.#run(async () => (await send(url + path, { agent })).status));
    }
  }

  async #run(sendOne: () => Promise<number>): Promise<void> {
    while (!this.#isOver) {
      const status = await sendOne().catch((error: unknown) => String(error));
      this.count += 1;
      if (status !== 200) this.failures.push(String(status));
      await giveTurns(2);
    }
  }

  async further(count = 20): Promise<void> {
    const from = this.count;
    await waitUntil(() => this.count > from + count);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    for (const agent of this.#agents) agent.destroy();
  }
}
