/** The names of everything that the gateways with one prefix share in Redis. */
export interface RedisKeys {
  /** `KEYS[1]` and `KEYS[2]` of most scripts: the recorded purges, and the messages of the last ones. */
  readonly purgeState: readonly [state: string, messages: string];
  /** Publish/subscribe channel of purge messages. */
  readonly channel: string;
  /** A hash with the stored responses of a cache key. */
  responses(key: string): string;
  lease(key: string): string;
}

export function createRedisKeys(prefix: string): RedisKeys {
  return {
    purgeState: [`${prefix}purge-state`, `${prefix}purge-messages`],
    channel: `${prefix}purges`,
    responses: (key) => `${prefix}responses:${key}`,
    lease: (key) => `${prefix}lease:${key}`,
  };
}
