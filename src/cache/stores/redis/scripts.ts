/**
 * The Lua scripts that Redis runs atomically. docs/redis-protocol.md describes the protocol.
 *
 * `KEYS[1]` is a sorted set with all purge state: `#epoch`, `#seq` (number of the last purge), `#floor`, `#soft` and `#unconfirmed` (what was
 * stored before that number is purged in this mode), `#run:…` (the server's run id), and `h…`, `s…` or `u…` with the last purge of each name
 * by mode. It is a single key, so that a server that evicts keys evicts all of it or nothing. `KEYS[2]` is the list of the last messages.
 * Each script that uses this state replies with the epoch, the number of the last purge and the server's time in milliseconds, followed
 * by the values that its comment names.
 */

/** Maximum purge keys that are recorded by name: about 10 MB. An older purge counts against all that was stored before. */
const MAX_PURGE_KEYS = 100_000;
/** Purge messages that are kept for gateways that missed them. A gateway that missed more clears its memory store. */
const MAX_PURGE_MESSAGES = 1000;

/** Lua functions of the scripts that read or change the purge state. */
const STATE_FUNCTIONS: string = `
local function text(number) return string.format('%.0f', number) end
local floors = { h = '#floor', s = '#soft', u = '#unconfirmed' }
local function score(member) return tonumber(redis.call('ZSCORE', KEYS[1], member) or 0) end
local function start_epoch(run)
  local time = redis.call('TIME')
  local epoch = text(time[1] * 1000000 + time[2])
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('ZADD', KEYS[1], epoch, '#epoch', 0, '#seq', 0, '#floor', 0, '#soft', 0, '#run:' .. run)
  return epoch, 0
end
local function current_position(run)
  local epoch = redis.call('ZSCORE', KEYS[1], '#epoch')
  if not epoch then return start_epoch(run) end
  return text(tonumber(epoch)), score('#seq')
end
local function last_purge(mode, purge_keys)
  local last = score(floors[mode])
  for _, purge_key in ipairs(purge_keys) do last = math.max(last, score(mode .. purge_key)) end
  return last
end
local function now()
  local time = redis.call('TIME')
  return text(time[1] * 1000 + math.floor(time[2] / 1000))
end
`;

/**
 * ARGV: run id, the epoch and number that the client knows.
 * Replies with the messages of the purges since then that are still kept.
 */
export const GET_MISSED_PURGES: string = `${STATE_FUNCTIONS}
local epoch, seq = current_position(ARGV[1])
local reply = { epoch, text(seq), now() }
if epoch ~= ARGV[2] then return reply end
local missed = seq - tonumber(ARGV[3])
if missed > 0 then
  for _, message in ipairs(redis.call('LRANGE', KEYS[2], -missed, -1)) do reply[#reply + 1] = message end
end
return reply
`;

/**
 * ARGV: run id. Starts a new epoch if the server was restarted since the last one began: the data that it has read from
 * disk may lack the last purges.
 */
export const OPEN_EPOCH: string = `${STATE_FUNCTIONS}
local epoch, seq = current_position(ARGV[1])
if not redis.call('ZSCORE', KEYS[1], '#run:' .. ARGV[1]) then epoch, seq = start_epoch(ARGV[1]) end
return { epoch, text(seq), now() }
`;

/** ARGV: run id. Starts a new epoch, in which no stored response is valid. */
export const START_EPOCH: string = `${STATE_FUNCTIONS}
local epoch, seq = start_epoch(ARGV[1])
return { epoch, text(seq), now() }
`;

/**
 * KEYS[3]: a hash with the responses of a key; for each variant `m…` holds its metadata (epoch, number of the last purge,
 * response time, purge keys) and `r…` the encoded response. ARGV: run id.
 * Replies with two values for each response: the mode of the purge that applies to it (s, u or -), and the encoded response.
 */
export const GET_RESPONSES: string = `${STATE_FUNCTIONS}
local epoch, seq = current_position(ARGV[1])
local reply = { epoch, text(seq), now() }
local found = redis.pcall('HGETALL', KEYS[3])
if found.err then redis.call('DEL', KEYS[3]) return reply end
local fields = {}
for at = 1, #found, 2 do fields[found[at]] = found[at + 1] end
local function purge_status(metadata)
  local ok, stored = pcall(cmsgpack.unpack, metadata)
  if not ok or type(stored) ~= 'table' or stored[1] ~= epoch or type(stored[4]) ~= 'table' then
    return 'h'
  end
  local since = stored[2]
  local status = '-'
  if since == seq then return status end
  for _, mode in ipairs({ 's', 'u', 'h' }) do
    if last_purge(mode, stored[4]) > since then status = mode end
  end
  return status
end
for field, metadata in pairs(fields) do
  if string.sub(field, 1, 1) == 'm' then
    local variant = string.sub(field, 2)
    local status = purge_status(metadata)
    if status == 'h' then
      redis.call('HDEL', KEYS[3], field, 'r' .. variant)
    elseif fields['r' .. variant] then
      reply[#reply + 1] = status
      reply[#reply + 1] = fields['r' .. variant]
    end
  end
end
return reply
`;

/**
 * KEYS[3]: the hash of a key, as for {@link GET_RESPONSES}. ARGV: run id, epoch and number that the client knew when it
 * requested the response, response time, milliseconds until it expires, maximum variants, variant, encoded response,
 * maximum bytes of all variants, purge keys. The oldest variants make room.
 * Replies with 1 if the response was stored, else 0.
 */
export const PUT_RESPONSE: string = `${STATE_FUNCTIONS}
local epoch, seq = current_position(ARGV[1])
local reply = { epoch, text(seq), now(), '0' }
local requested, responded = tonumber(ARGV[3]), tonumber(ARGV[4])
if epoch ~= ARGV[2] then return reply end
local purge_keys = {}
for at = 10, #ARGV do purge_keys[#purge_keys + 1] = ARGV[at] end
if requested < seq then
  for _, mode in ipairs({ 'h', 's', 'u' }) do
    if last_purge(mode, purge_keys) > requested then return reply end
  end
end
if redis.call('TYPE', KEYS[3]).ok ~= 'hash' then redis.call('DEL', KEYS[3]) end
local field = 'm' .. ARGV[7]
local before = redis.call('HGET', KEYS[3], field)
if before then
  local ok, stored = pcall(cmsgpack.unpack, before)
  -- Another gateway has stored a newer response.
  if ok and type(stored) == 'table' and stored[1] == epoch and (tonumber(stored[3]) or 0) > responded then return reply end
end
local others, bytes = {}, #ARGV[8]
for _, other in ipairs(redis.call('HKEYS', KEYS[3])) do
  if string.sub(other, 1, 1) == 'm' and other ~= field then
    local ok, stored = pcall(cmsgpack.unpack, redis.call('HGET', KEYS[3], other))
    local time = ok and type(stored) == 'table' and tonumber(stored[3]) or 0
    local size = redis.call('HSTRLEN', KEYS[3], 'r' .. string.sub(other, 2))
    others[#others + 1] = { other, time, size }
    bytes = bytes + size
  end
end
table.sort(others, function(one, other) return one[2] < other[2] end)
for at, other in ipairs(others) do
  if #others - at + 1 < tonumber(ARGV[6]) and bytes <= tonumber(ARGV[9]) then break end
  redis.call('HDEL', KEYS[3], other[1], 'r' .. string.sub(other[1], 2))
  bytes = bytes - other[3]
end
redis.call('HSET', KEYS[3], field, cmsgpack.pack({ epoch, seq, responded, purge_keys }), 'r' .. ARGV[7], ARGV[8])
if redis.call('PTTL', KEYS[3]) < tonumber(ARGV[5]) then redis.call('PEXPIRE', KEYS[3], ARGV[5]) end
reply[4] = '1'
return reply
`;

/**
 * KEYS[3]: the channel. KEYS[4]: the sorted set of gateway instances.
 * ARGV: run id, `h`, `s` or `u`, the message without epoch and number, the purge keys, or `all` in place of them.
 * Replies with the number of instances whose lease has expired, and the others.
 */
export const RECORD_PURGE: string = `${STATE_FUNCTIONS}
local epoch, seq = current_position(ARGV[1])
seq = seq + 1
redis.call('ZADD', KEYS[1], seq, '#seq')
local mode = ARGV[2]
if ARGV[4] == 'all' then
  redis.call('ZADD', KEYS[1], seq, floors[mode])
else
  for at = 4, #ARGV do redis.call('ZADD', KEYS[1], seq, mode .. ARGV[at]) end
end
local excess = redis.call('ZCARD', KEYS[1]) - ${MAX_PURGE_KEYS}
if excess > 0 then
  local floor = score('#floor')
  local oldest = redis.call('ZRANGE', KEYS[1], 0, excess + 8, 'WITHSCORES')
  for at = 1, #oldest, 2 do
    if string.sub(oldest[at], 1, 1) ~= '#' then
      redis.call('ZREM', KEYS[1], oldest[at])
      floor = math.max(floor, tonumber(oldest[at + 1]))
    end
  end
  redis.call('ZADD', KEYS[1], floor, '#floor')
end
local message = epoch .. ' ' .. text(seq) .. ' ' .. ARGV[3]
redis.call('RPUSH', KEYS[2], message)
redis.call('LTRIM', KEYS[2], -${MAX_PURGE_MESSAGES}, -1)
redis.call('PUBLISH', KEYS[3], message)
local time = now()
local reply = { epoch, text(seq), time, text(redis.call('ZCOUNT', KEYS[4], '-inf', '(' .. time)) }
for _, instance in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], time, '+inf')) do reply[#reply + 1] = instance end
return reply
`;

/** KEYS[1]: a lease. ARGV: the token of its holder. */
export const RELEASE_LEASE: string = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`;

/** KEYS[1]: a lease. ARGV: the token of its holder, milliseconds until it expires. */
export const EXTEND_LEASE: string = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
`;

/**
 * KEYS[3]: a sorted set of gateway instances, with the time at which the lease of each expires. ARGV: run id, instance,
 * milliseconds of its lease, milliseconds after which a lost instance is forgotten, 1 if the instance has renewed its lease
 * before, and when the lease ends at the latest, in the server's time: the request may have been delayed.
 *
 * Renews the lease of the instance. If another was forgotten, a new epoch begins: its last purges are unknown. So it does if
 * the instance is missing: Redis has lost the instances, so the last purges did not wait for all of them.
 * The set never expires: policies that evict only what expires (`volatile-…`) keep it, as they keep the purge state.
 * Replies with the number of instances whose lease has expired, and the number of all instances.
 */
export const RENEW_INSTANCE: string = `${STATE_FUNCTIONS}
local time = tonumber(now())
local is_lost = ARGV[5] == '1' and not redis.call('ZSCORE', KEYS[3], ARGV[2])
redis.call('ZADD', KEYS[3], text(math.min(time + tonumber(ARGV[3]), tonumber(ARGV[6]))), ARGV[2])
redis.call('PERSIST', KEYS[3])
local forgotten = redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. text(time - tonumber(ARGV[4])))
if is_lost or forgotten > 0 then start_epoch(ARGV[1]) end
local epoch, seq = current_position(ARGV[1])
return { epoch, text(seq), text(time), text(redis.call('ZCOUNT', KEYS[3], '-inf', '(' .. text(time))), text(redis.call('ZCARD', KEYS[3])) }
`;

/** KEYS[1]: the sorted set of gateway instances. ARGV: an instance that stops and has published all its purges. */
export const REMOVE_INSTANCE: string = `return redis.call('ZREM', KEYS[1], ARGV[1])`;

/** All scripts, which a session loads when it connects. */
export const LUA_SCRIPTS: readonly string[] = [
  GET_MISSED_PURGES,
  OPEN_EPOCH,
  START_EPOCH,
  GET_RESPONSES,
  PUT_RESPONSE,
  RECORD_PURGE,
  RELEASE_LEASE,
  EXTEND_LEASE,
  RENEW_INSTANCE,
  REMOVE_INSTANCE,
];

/** The names of everything that the gateways with one prefix share in Redis. */
export interface RedisKeys {
  /** `KEYS[1]` and `KEYS[2]` of most scripts: the recorded purges, and the messages of the last ones. */
  readonly purgeStateKeys: readonly [state: string, messages: string];
  /** Publish/subscribe channel of purge messages. */
  readonly purgeChannel: string;
  /** Channel of the acknowledgements of an instance's purges. */
  acknowledgementChannel(instanceId: string): string;
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
    acknowledgementChannel: (instanceId) => `${prefix}acknowledgements:${instanceId}`,
    instancesKey: `${prefix}instances`,
    responsesKey: (key) => `${prefix}responses:${key}`,
    leaseKey: (key) => `${prefix}lease:${key}`,
  };
}
