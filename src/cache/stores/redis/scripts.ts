/**
 * The Lua scripts that Redis runs atomically. docs/internals/redis-protocol.md describes the protocol.
 *
 * `KEYS[1]` is a sorted set with all purge state: `#epoch`; `#seq`, the number of the last purge; `#floor`, `#soft` and
 * `#unconfirmed`, the numbers before which everything is purged in this mode; `#run:…`, the server's run id. `h…`, `s…` and
 * `u…` have the last purge of each tag by mode. It is a single key, so that a server that evicts keys evicts all of it or
 * nothing.
 * Each script that uses this state replies with the epoch, the number of the last purge and the server's time in milliseconds, followed
 * by the values that its comment names.
 */

/** Maximum tags that are recorded by name, about 10 MB. Beyond that a new epoch begins. */
const MAX_PURGED_TAGS = 100_000;

/** Lua functions of the scripts that read or change the purge state. */
const STATE_FUNCTIONS: string = `
local function text(number) return string.format('%.0f', number) end
local floors = { h = '#floor', u = '#unconfirmed' }
local function score(member) return tonumber(redis.call('ZSCORE', KEYS[1], member) or 0) end
local function start_epoch(run)
  local time = redis.call('TIME')
  local epoch = text(time[1] * 1000000 + time[2])
  redis.call('DEL', KEYS[1])
  redis.call('ZADD', KEYS[1], epoch, '#epoch', 0, '#seq', 0, '#floor', 0, '#run:' .. run)
  return epoch, 0
end
local function current_position(run)
  local epoch = redis.call('ZSCORE', KEYS[1], '#epoch')
  if not epoch then return start_epoch(run) end
  return text(tonumber(epoch)), score('#seq')
end
local function last_purge(mode, tags)
  local last = score(floors[mode])
  for _, tag in ipairs(tags) do last = math.max(last, score(mode .. tag)) end
  return last
end
local function now()
  local time = redis.call('TIME')
  return text(time[1] * 1000 + math.floor(time[2] / 1000))
end
`;

/**
 * ARGV: run id, `1` to start a new epoch in any case. Starts one, in which no stored response is valid, if the server was restarted
 * since the last one began: the data that it has read from disk can lack the last purges.
 */
export const OPEN_EPOCH: string = `${STATE_FUNCTIONS}
local epoch, seq = current_position(ARGV[1])
if ARGV[2] == '1' or not redis.call('ZSCORE', KEYS[1], '#run:' .. ARGV[1]) then epoch, seq = start_epoch(ARGV[1]) end
return { epoch, text(seq), now() }
`;

/**
 * KEYS[2]: a hash with the responses of a key. The value of a variant has its epoch, the number of the last purge, its response time,
 * its tags, its metadata and its body. ARGV: run id.
 * Replies with three values for each response: the mode of the purge that applies to it (s, u or -), its metadata, and its body.
 */
export const GET_RESPONSES: string = `${STATE_FUNCTIONS}
local epoch, seq = current_position(ARGV[1])
local reply = { epoch, text(seq), now() }
local function find_mode(stored)
  if stored[1] ~= epoch then return 'h' end
  local found = '-'
  if stored[2] == seq then return found end
  for _, mode in ipairs({ 'u', 'h' }) do
    if last_purge(mode, stored[4]) > stored[2] then found = mode end
  end
  return found
end
local found = redis.call('HGETALL', KEYS[2])
for at = 1, #found, 2 do
  local ok, stored = pcall(cmsgpack.unpack, found[at + 1])
  local mode = ok and type(stored) == 'table' and find_mode(stored) or 'h'
  if mode == 'h' then
    redis.call('HDEL', KEYS[2], found[at])
  else
    reply[#reply + 1] = mode
    reply[#reply + 1] = stored[5]
    reply[#reply + 1] = stored[6]
  end
end
return reply
`;

/** Maximum variants of one key. */
const MAX_VARIANTS = 64;

/**
 * KEYS[2]: the hash of a key, as for {@link GET_RESPONSES}. ARGV: run id, epoch and number that the client knew when it
 * requested the response, response time, milliseconds until it expires, maximum bytes of all variants, variant, metadata, body, tags.
 * If there are too many variants, all others make room: those in use are stored again.
 */
export const PUT_RESPONSE: string = `${STATE_FUNCTIONS}
local epoch, seq = current_position(ARGV[1])
local reply = { epoch, text(seq), now() }
local requested, responded, variant = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[7]
if epoch ~= ARGV[2] then return reply end
local tags = {}
for at = 10, #ARGV do tags[#tags + 1] = ARGV[at] end
for _, mode in ipairs({ 'h', 'u' }) do
  if last_purge(mode, tags) > requested then return reply end
end
local before = redis.call('HGET', KEYS[2], variant)
if before then
  local stored = cmsgpack.unpack(before)
  -- Another gateway has stored a newer response.
  if stored[1] == epoch and stored[3] > responded then return reply end
end
local others, bytes = redis.call('HKEYS', KEYS[2]), #ARGV[9]
for _, other in ipairs(others) do
  if other ~= variant then bytes = bytes + redis.call('HSTRLEN', KEYS[2], other) end
end
if #others >= ${MAX_VARIANTS} or bytes > tonumber(ARGV[6]) then redis.call('DEL', KEYS[2]) end
redis.call('HSET', KEYS[2], variant, cmsgpack.pack({ epoch, seq, responded, tags, ARGV[8], ARGV[9] }))
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[5]) then redis.call('PEXPIRE', KEYS[2], ARGV[5]) end
return reply
`;

/**
 * KEYS[2]: the channel. KEYS[3]: the sorted set of gateway instances.
 * ARGV: run id, `h`, `s` or `u`, the message without epoch and number, `all` or `tags`, the tags.
 * Replies with the number of instances whose lease has expired, and the others.
 */
export const RECORD_PURGE: string = `${STATE_FUNCTIONS}
local epoch, seq = current_position(ARGV[1])
if redis.call('ZCARD', KEYS[1]) + #ARGV > ${MAX_PURGED_TAGS} then epoch, seq = start_epoch(ARGV[1]) end
seq = seq + 1
redis.call('ZADD', KEYS[1], seq, '#seq')
local mode = ARGV[2]
if ARGV[4] == 'all' then
  redis.call('ZADD', KEYS[1], seq, floors[mode])
else
  for at = 5, #ARGV do redis.call('ZADD', KEYS[1], seq, mode .. ARGV[at]) end
end
local message = epoch .. ' ' .. text(seq) .. ' ' .. ARGV[3]
redis.call('PUBLISH', KEYS[2], message)
local time = now()
local reply = { epoch, text(seq), time, text(redis.call('ZCOUNT', KEYS[3], '-inf', '(' .. time)) }
for _, instance in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], time, '+inf')) do reply[#reply + 1] = instance end
return reply
`;

/** KEYS[1]: a lease. ARGV: the token of its holder. */
export const RELEASE_LEASE: string = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`;

/**
 * KEYS[2]: a sorted set of gateway instances, with the time at which the lease of each expires. ARGV: run id, instance,
 * milliseconds of its lease, milliseconds after which a lost instance is forgotten. Then `1` if the instance has renewed its
 * lease before, and the latest end of the lease in the server's time, because the request might have been delayed.
 *
 * Renews the lease of the instance. If another was forgotten, a new epoch begins: its last purges are unknown. So it does if
 * the instance is missing: Redis has lost the instances, so the last purges did not wait for all of them.
 * The set never expires: policies that evict only what expires (`volatile-…`) keep it, as they keep the purge state.
 * Replies with the number of instances whose lease has expired.
 */
export const RENEW_INSTANCE: string = `${STATE_FUNCTIONS}
local time = tonumber(now())
local is_lost = ARGV[5] == '1' and not redis.call('ZSCORE', KEYS[2], ARGV[2])
redis.call('ZADD', KEYS[2], text(math.min(time + tonumber(ARGV[3]), tonumber(ARGV[6]))), ARGV[2])
redis.call('PERSIST', KEYS[2])
local forgotten = redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. text(time - tonumber(ARGV[4])))
if is_lost or forgotten > 0 then start_epoch(ARGV[1]) end
local epoch, seq = current_position(ARGV[1])
return { epoch, text(seq), text(time), text(redis.call('ZCOUNT', KEYS[2], '-inf', '(' .. text(time))) }
`;

export type RedisKeys = ReturnType<typeof createRedisKeys>;

/** Creates the names of everything that the gateways with one prefix share in Redis (docs/internals/redis-protocol.md). */
export function createRedisKeys(prefix: string) {
  return {
    purgeStateKey: `${prefix}purge-state`,
    purgeChannel: `${prefix}purges`,
    acknowledgementChannel: (gatewayId: string) => `${prefix}acknowledgements:${gatewayId}`,
    instancesKey: `${prefix}instances`,
    responsesKey: (key: string) => `${prefix}responses:${key}`,
    leaseKey: (key: string) => `${prefix}lease:${key}`,
  };
}
