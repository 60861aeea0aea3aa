import { setTimeout as sleep } from 'node:timers/promises';
import { createMapStore } from '../../../examples/cache-store.ts';
import { describeStoreContract } from './store-contract.ts';

describeStoreContract('examples/cache-store.ts', async (run) => {
  const store = { ...createMapStore(), close: async () => {} };
  await run({ store, peer: store, now: Date.now, tick: () => sleep(2) });
});
