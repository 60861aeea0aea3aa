/**
 * The Lua scripts that Redis runs atomically (docs/internals/redis-protocol.md).
 *
 * `KEYS[1]` is a sorted set of all purges, in one key, so that it is evicted whole. `#seq` is the number of
 * the last purge. `h…`, `r…` and `u…` (the first letters of the modes) have the number of the last purge of a
 * name, and without name that of everything. `#generation` is a random number below zero, which changes when
 * purges can have been lost.
 * `KEYS[2]` is a hash with the responses of a cache key by variant (`v…`), and their `revision`: a random
 * name that changes with each.
 *
 * Each script but `OPEN` gets the generation, and replies with 0 if there is another one. Otherwise its reply
 * begins with the number of the last purge, and the names purged since the number that it got, with their
 * numbers.
 */

/** More count as a purge of everything. */
export const MAX_NEW_NAMES = 1_000;
/** Beyond that another generation begins. */
const MAX_NAMES = 100_000;
const MAX_VARIANTS = 64;

/** ARGV[1]: generation. ARGV[2]: number of the last purge that the gateway knows. */
const HEAD = `
-- Changes nothing. But a server that takes no writes refuses it: its data can be outdated.
redis.call('ZREM', KEYS[1], '')
local function score(member) return redis.call('ZSCORE', KEYS[1], member) end
if score('#generation') ~= ARGV[1] then return 0 end
local function describe_purges()
  local since = '(' .. ARGV[2]
  return score('#seq'), redis.call('ZRANGEBYSCORE', KEYS[1], since, '+inf', 'WITHSCORES', 'LIMIT', 0, ${MAX_NEW_NAMES + 1})
end
local function is_purged(mode, names, number)
  if (tonumber(score(mode)) or 0) > number then return true end
  for _, name in ipairs(names) do
    if (tonumber(score(mode .. name)) or 0) > number then return true end
  end
  return false
end
`;

/**
 * ARGV: identity of the server in this run, a random number below zero, `1` if the identity was just read.
 * Begins another generation if the record of purges is missing, or from another run or server. Replies with
 * generation and number of the last purge, or with 0 if the identity can be outdated.
 */
export const OPEN: string = `
local server = '#server ' .. ARGV[1]
local generation = redis.call('ZSCORE', KEYS[1], '#generation')
if not generation or not redis.call('ZSCORE', KEYS[1], server) then
  if generation and ARGV[3] == '0' then return 0 end
  redis.call('DEL', KEYS[1])
  redis.call('ZADD', KEYS[1], ARGV[2], '#generation', 0, '#seq', 0, server)
end
return { redis.call('ZSCORE', KEYS[1], '#generation'), redis.call('ZSCORE', KEYS[1], '#seq') }
`;

/**
 * ARGV[3]: revision of what the gateway has. Replies with 1 if that is all there is, and nothing was purged.
 * Else a third value has four for each usable response: `u` if a purge of that mode applies to it,
 * milliseconds since it was stored, metadata and body.
 */
export const LOOK_UP: string = `${HEAD}
local revision = redis.call('HGET', KEYS[2], 'revision') or ''
if revision == ARGV[3] and score('#seq') == ARGV[2] then return 1 end
local reply = { describe_purges() }
if revision == ARGV[3] then return reply end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function find_mode(stored)
  if stored[1] ~= ARGV[1] then return 'h' end
  for mode in string.gmatch('hru', '.') do
    if is_purged(mode, stored[4], stored[2]) then return mode end
  end
  return '-'
end
reply[3] = {}
local found = redis.call('HGETALL', KEYS[2])
for at = 1, #found, 2 do
  if found[at] ~= 'revision' then
    local ok, stored = pcall(cmsgpack.unpack, found[at + 1])
    local mode = ok and type(stored) == 'table' and find_mode(stored) or 'h'
    if mode == 'h' or mode == 'r' then
      redis.call('HDEL', KEYS[2], found[at])
    else
      for _, value in ipairs({ mode, now - stored[3], stored[5], stored[6] }) do table.insert(reply[3], value) end
    end
  end
end
return reply
`;

/**
 * ARGV[3]: number of the last purge before the response was requested; new revision, variant, milliseconds
 * until it expires, maximum bytes of all variants, metadata, body, names by which it is purged. If there are
 * too many variants, all others make room. The reply ends with `outdated` if it was purged, `stored` with the
 * revision before, or `unstored` if there is no room.
 */
export const STORE: string = `${HEAD}
local seq, new_names = describe_purges()
local names = {}
for at = 10, #ARGV do names[#names + 1] = ARGV[at] end
local requested = tonumber(ARGV[3])
if seq ~= ARGV[3] then
  for mode in string.gmatch('hru', '.') do
    if is_purged(mode, names, requested) then return { seq, new_names, 'outdated' } end
  end
end
local limit, variant = tonumber(ARGV[7]), 'v' .. ARGV[5]
if #ARGV[9] > limit then return { seq, new_names, 'unstored' } end
local before = redis.call('HGET', KEYS[2], 'revision') or ''
local fields, bytes = redis.call('HKEYS', KEYS[2]), #ARGV[9]
for _, field in ipairs(fields) do
  if field ~= variant then bytes = bytes + redis.call('HSTRLEN', KEYS[2], field) end
end
if #fields > ${MAX_VARIANTS} or bytes > limit then redis.call('DEL', KEYS[2]) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local value = cmsgpack.pack({ ARGV[1], requested, now, names, ARGV[8], ARGV[9] })
local written = redis.pcall('HSET', KEYS[2], variant, value, 'revision', ARGV[4])
if type(written) == 'table' then return { seq, new_names, 'unstored' } end
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[6]) then redis.call('PEXPIRE', KEYS[2], ARGV[6]) end
return { seq, new_names, 'stored', before }
`;

/**
 * ARGV[3]: first letter of the mode, names; none for everything. Replies with 1 if there is no room: the
 * record of purges is then removed, which invalidates everything.
 */
export const PURGE: string = `${HEAD}
if redis.call('ZCARD', KEYS[1]) + #ARGV > ${MAX_NAMES} then
  redis.call('DEL', KEYS[1])
  return 1
end
local seq = tonumber(score('#seq')) + 1
local function record(member)
  return type(redis.pcall('ZADD', KEYS[1], seq, member)) ~= 'table'
end
local is_recorded = record('#seq')
if #ARGV == 3 then is_recorded = is_recorded and record(ARGV[3]) end
for at = 4, #ARGV do is_recorded = is_recorded and record(ARGV[3] .. ARGV[at]) end
if not is_recorded then
  redis.call('DEL', KEYS[1])
  return 1
end
return { describe_purges() }
`;

/** KEYS[1]: a lease. ARGV: the token of its holder. */
export const RELEASE_LEASE: string = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`;
