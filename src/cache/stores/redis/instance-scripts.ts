import type { LuaScript } from './lua-script.ts';
import { STATE_FUNCTIONS } from './scripts.ts';

/**
 * KEYS[3]: a sorted set of gateway instances, with the time at which the lease of each expires. ARGV: run id, instance,
 * milliseconds of its lease, milliseconds after which a lost instance is forgotten.
 *
 * Renews the lease of the instance. If another was forgotten, a new epoch begins: its last purges are unknown.
 * Replies with the number of instances whose lease has expired.
 */
export const RENEW_INSTANCE: LuaScript = {
  name: 'renew-instance',
  source: `${STATE_FUNCTIONS}
local time = tonumber(now())
redis.call('ZADD', KEYS[3], text(time + tonumber(ARGV[3])), ARGV[2])
redis.call('PEXPIRE', KEYS[3], 86400000)
if redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. text(time - tonumber(ARGV[4]))) > 0 then start_epoch(ARGV[1]) end
local epoch, seq = current_position(ARGV[1])
return { epoch, text(seq), text(time), text(redis.call('ZCOUNT', KEYS[3], '-inf', '(' .. text(time))) }
`,
};

/** KEYS[1]: the sorted set of gateway instances. ARGV: an instance that stops and has published all its purges. */
export const REMOVE_INSTANCE: LuaScript = {
  name: 'remove-instance',
  source: `return redis.call('ZREM', KEYS[1], ARGV[1])`,
};

/** The scripts of {@link InstanceRegistry}, which a session loads when it connects. */
export const INSTANCE_SCRIPTS: readonly LuaScript[] = [RENEW_INSTANCE, REMOVE_INSTANCE];
