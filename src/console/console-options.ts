import type { Clock, Log } from '../ports.ts';
import type { ConsoleAction, ConsolePage, ConsoleSite } from './console-page.ts';
import type { ConsoleAssets } from './shell/console-layout.tsx';

/** Options of `createConsole`. */
export interface ConsoleOptions {
  /** The admin token; without it the console says how to configure one, and nothing else. */
  readonly token: string | undefined;
  /** Lists the sites for the navigation. */
  readonly listSites: () => readonly ConsoleSite[];
  readonly pages: readonly ConsolePage[];
  readonly actions: readonly ConsoleAction[];
  readonly loadAssets: () => ConsoleAssets | Promise<ConsoleAssets>;
  /** Reads the body of a request; `null` if it is too long. */
  readonly readBody: (request: Request) => Promise<Uint8Array | null>;
  readonly clock: Clock;
  readonly log: Log;
}
