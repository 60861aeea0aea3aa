/** The names of everything that the gateways with one prefix share in Redis. */
export interface RedisKeys {
  /** `KEYS[1]` and `KEYS[2]` of most scripts: the recorded purges, and the messages of the last ones. */
  readonly purgeStateKeys: readonly [state: string, messages: string];
  /** Publish/subscribe channel of purge messages. */
  readonly purgeChannel: string;
  /** A sorted set of the gateway instances. */
  readonly instancesKey: string;
  /** A hash with the stored responses of a cache key. */
  responsesKey(key: string): string;
  leaseKey(key: string): string;
}

export function createRedisKeys(prefix: string): RedisKeys {
  return {
    purgeStateKeys: [`${prefix}purge-state`, `${prefix}purge-messages`],
    purgeChannel: `${prefix}purges`,
    instancesKey: `${prefix}instances`,
    responsesKey: (key) => `${prefix}responses:${key}`,
    leaseKey: (key) => `${prefix}lease:${key}`,
  };
}
