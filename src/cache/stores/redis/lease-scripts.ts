import type { LuaScript } from './lua-script.ts';

/** KEYS[1]: a lease. ARGV: the token of its holder. */
export const RELEASE_LEASE: LuaScript = {
  name: 'release-lease',
  source: `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`,
};

/** KEYS[1]: a lease. ARGV: the token of its holder, milliseconds until it expires. */
export const EXTEND_LEASE: LuaScript = {
  name: 'extend-lease',
  source: `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
`,
};
