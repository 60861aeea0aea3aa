import { createHash } from 'node:crypto';

/**
 * The Lua scripts that Redis runs atomically (docs/internals/redis-protocol.md).
 *
 * `KEYS[1]` is one sorted set, so that it is evicted whole: `#seq` and, by the first letter of the mode, `h…`, `r…` and `u…` have the
 * number of the last purge, of a name or of everything; `#generation` is below zero. The other keys are hashes of variants (`v…`)
 * and their `revision`.
 *
 * Each script but `OPEN` gets the generation and the number of the last purge that the gateway knows. It replies with 0 if there is
 * another generation, else with the number of the last purge, the names purged since, and their numbers.
 */

export interface RedisScript {
  readonly text: string;
  readonly hash: string;
}

function defineScript(text: string): RedisScript {
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}

/** More count as a purge of everything. */
export const MAX_NEW_NAMES = 1_000;
const MAX_NAMES = 100_000;
const MAX_VARIANTS = 64;
/** Bytes of all variants of one key, so that a lookup can read them within the deadline. */
const MAX_KEY_BYTES = 8 * 1024 * 1024;

/** Changes nothing. But a server that takes no writes refuses it: its data can be outdated. */
const WRITE_NOTHING = "redis.call('ZREM', KEYS[1], '')";

const HEAD = `
${WRITE_NOTHING}
local function score(member) return tonumber(redis.call('ZSCORE', KEYS[1], member) or 0) end
if redis.call('ZSCORE', KEYS[1], '#generation') ~= ARGV[1] then return 0 end
local seq = score('#seq')
local function reply(...)
  local range = { '(' .. ARGV[2], '+inf', 'WITHSCORES', 'LIMIT', 0, ${MAX_NEW_NAMES + 1} }
  return { seq, redis.call('ZRANGEBYSCORE', KEYS[1], unpack(range)), ... }
end
local function find_purge(names, number)
  for mode in string.gmatch('hru', '.') do
    if score(mode) > number then return mode end
    for _, name in ipairs(names) do
      if score(mode .. name) > number then return mode end
    end
  end
end
local function revision_of(key)
  local found = redis.pcall('HGET', key, 'revision')
  -- Another program wrote a value of another type.
  if type(found) == 'table' then redis.call('DEL', key) end
  return type(found) == 'string' and found or ''
end
`;

/**
 * ARGV: a random number below zero. Begins another generation if the record of purges is missing, or from
 * another run or server. Replies with generation and number of the last purge.
 */
export const OPEN: RedisScript = defineScript(`
local probe = redis.pcall('ZREM', KEYS[1], '')
if type(probe) == 'table' then
  if not string.find(probe['err'], 'WRONGTYPE') then return probe end
  redis.call('DEL', KEYS[1])
end
local info, server = redis.pcall('INFO'), '#server'
for _, name in ipairs({ 'run_id', 'master_replid' }) do
  -- Some users cannot send INFO.
  server = server .. ' ' .. (type(info) == 'string' and string.match(info, name .. ':(%w+)') or '')
end
if not redis.call('ZSCORE', KEYS[1], '#generation') or not redis.call('ZSCORE', KEYS[1], server) then
  redis.call('DEL', KEYS[1])
  redis.call('ZADD', KEYS[1], ARGV[1], '#generation', 0, '#seq', 0, server)
end
return { redis.call('ZSCORE', KEYS[1], '#generation'), tonumber(redis.call('ZSCORE', KEYS[1], '#seq')) }
`);

/**
 * ARGV[3…]: for each key, the revision that the gateway has. Replies with 1 if all are current and nothing was purged. A third
 * value lists the numbers of keys that differ; for a single key it has three values for each usable response: `u` if a purge of
 * that mode applies to it, metadata and body.
 */
export const LOOK_UP: RedisScript = defineScript(`${HEAD}
local found = {}
for at = 2, #KEYS do
  if revision_of(KEYS[at]) ~= ARGV[at + 1] then table.insert(found, at - 2) end
end
if #found == 0 then return seq == tonumber(ARGV[2]) and 1 or reply() end
if #KEYS > 2 then return reply(found) end
found = {}
local values = redis.call('HGETALL', KEYS[2])
for at = 1, #values, 2 do
  local ok, stored = pcall(cmsgpack.unpack, values[at + 1])
  if ok and type(stored) == 'table' then
    local mode = stored[1] ~= ARGV[1] and 'h' or find_purge(stored[3], stored[2]) or '-'
    if mode == 'h' or mode == 'r' then
      redis.call('HDEL', KEYS[2], values[at])
    else
      for _, value in ipairs({ mode, stored[4], stored[5] }) do table.insert(found, value) end
    end
  end
end
return reply(found)
`);

/**
 * ARGV[3]: number of the last purge before the response was requested; new revision, variant, milliseconds
 * until it expires, metadata, body, names by which it is purged. If there are too many variants, all others
 * make room. The reply ends with `outdated` if it was purged, `stored` with the revision before, `unstored` if it
 * is too large, or `refused` with an error if Redis is full.
 */
export const STORE: RedisScript = defineScript(`
-- Changes nothing. A full server refuses it as the first write of a script, and no later one.
local probe = redis.pcall('LPUSHX', KEYS[2], '')
${HEAD}
local refusal = type(probe) == 'table' and probe['err'] or ''
if string.find(refusal, 'OOM') then return reply('refused', refusal) end
local names, requested = {}, tonumber(ARGV[3])
for at = 9, #ARGV do names[#names + 1] = ARGV[at] end
if seq ~= requested and find_purge(names, requested) then return reply('outdated') end
if #ARGV[8] > ${MAX_KEY_BYTES} then return reply('unstored') end
local before = revision_of(KEYS[2])
local variant, fields, bytes = 'v' .. ARGV[5], redis.call('HKEYS', KEYS[2]), #ARGV[8]
for _, field in ipairs(fields) do
  if field ~= variant then bytes = bytes + redis.call('HSTRLEN', KEYS[2], field) end
end
if #fields > ${MAX_VARIANTS} or bytes > ${MAX_KEY_BYTES} then redis.call('DEL', KEYS[2]) end
local value = cmsgpack.pack({ ARGV[1], requested, names, ARGV[7], ARGV[8] })
redis.call('HSET', KEYS[2], variant, value, 'revision', ARGV[4])
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[6]) then redis.call('PEXPIRE', KEYS[2], ARGV[6]) end
return reply('stored', before)
`);

/** ARGV[3…]: members of the record of purges. Replies with 1 if it had no room and was removed, which invalidates everything. */
export const PURGE: RedisScript = defineScript(`${HEAD}
local is_full = redis.call('ZCARD', KEYS[1]) + #ARGV > ${MAX_NAMES}
seq = seq + 1
for at = 3, #ARGV do
  is_full = is_full or type(redis.pcall('ZADD', KEYS[1], seq, '#seq', seq, ARGV[at])) == 'table'
end
return is_full and redis.call('DEL', KEYS[1]) or reply()
`);
