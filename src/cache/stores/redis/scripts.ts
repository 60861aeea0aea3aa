/**
 * What is done in Redis in one step. There are no lists of the keys of a tag, which would have to be kept true: a purge is
 * a number of a sequence, noted under each tag and key that it strikes, and an answer is kept with the number that stood
 * when it was put. It counts as purged where one of its marks has a higher number. So a purge costs what its tags are,
 * however many answers they strike, and nothing leaks.
 *
 * KEYS[1] is a sorted set of all that is known of purges: `#epoch`, `#seq` (the last purge), `#floor` and `#soft` (what
 * was put before them is purged, hard and soft), `#run:…` (the server that it was made on), and `h…` or `s…` for each mark.
 * It is one key so that a server that gives keys up gives up all of it or nothing: without it a new epoch begins, in which
 * nothing that was kept before counts. KEYS[2] is a list of the last purges as they were told, for who missed one.
 */
export interface LuaScript {
  readonly name: string;
  readonly source: string;
}

/** Marks that are remembered by name: about 10 MB. Older ones count against everything that was put before them. */
const MOST_MARKS = 100_000;
/** Purges that are told again to who missed them; who missed more forgets everything. */
const MOST_TOLD = 1000;

const STATE = `
local function text(number) return string.format('%.0f', number) end
local function score(member) return tonumber(redis.call('ZSCORE', KEYS[1], member) or 0) end
local function begin(run)
  local time = redis.call('TIME')
  local epoch = text(time[1] * 1000000 + time[2])
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('ZADD', KEYS[1], epoch, '#epoch', 0, '#seq', 0, '#floor', 0, '#soft', 0, '#run:' .. run)
  return epoch, 0
end
local function state(run)
  local epoch = redis.call('ZSCORE', KEYS[1], '#epoch')
  if not epoch then return begin(run) end
  return text(tonumber(epoch)), score('#seq')
end
local function now()
  local time = redis.call('TIME')
  return text(time[1] * 1000 + math.floor(time[2] / 1000))
end
`;

/**
 * ARGV: run, the epoch and number that the caller knows. Gives epoch, number, time, and the purges since, as far as they
 * are still told.
 */
export const GET_MISSED_PURGES: LuaScript = {
  name: 'since',
  source: `${STATE}
local epoch, seq = state(ARGV[1])
local reply = { epoch, text(seq), now() }
if epoch ~= ARGV[2] then return reply end
local missed = seq - tonumber(ARGV[3])
if missed > 0 then
  for _, message in ipairs(redis.call('LRANGE', KEYS[2], -missed, -1)) do reply[#reply + 1] = message end
end
return reply
`,
};

/**
 * ARGV: run. What was kept by a server that has since been started again begins anew: what it read back from its disk may
 * lack the last purges.
 */
export const OPEN_EPOCH: LuaScript = {
  name: 'open',
  source: `${STATE}
local epoch, seq = state(ARGV[1])
if not redis.call('ZSCORE', KEYS[1], '#run:' .. ARGV[1]) then epoch, seq = begin(ARGV[1]) end
return { epoch, text(seq), now() }
`,
};

/** ARGV: run. Nothing that is kept counts any more. */
export const START_EPOCH: LuaScript = {
  name: 'renew',
  source: `${STATE}
local epoch, seq = begin(ARGV[1])
return { epoch, text(seq), now() }
`,
};

/** KEYS[3]: the answers of a key. ARGV: run. Gives epoch, number, time, and for each answer 0 or 1 (soft) and its frame. */
export const GET_RESPONSES: LuaScript = {
  name: 'get',
  source: `${STATE}
local epoch, seq = state(ARGV[1])
local reply = { epoch, text(seq), now() }
local found = redis.pcall('HGETALL', KEYS[3])
if found.err then redis.call('DEL', KEYS[3]) return reply end
local frames = {}
for at = 1, #found, 2 do frames[found[at]] = found[at + 1] end
local floor, soft = score('#floor'), score('#soft')
local function judge(meta)
  local sound, kept = pcall(cmsgpack.unpack, meta)
  if not sound or type(kept) ~= 'table' or kept[1] ~= epoch or type(kept[4]) ~= 'table' then return 'dead' end
  local since = kept[2]
  if since < floor then return 'dead' end
  local verdict = since < soft and 'soft' or 'good'
  if since == seq then return verdict end
  for _, mark in ipairs(kept[4]) do
    if score('h' .. mark) > since then return 'dead' end
    if score('s' .. mark) > since then verdict = 'soft' end
  end
  return verdict
end
for field, meta in pairs(frames) do
  if string.sub(field, 1, 1) == 'm' then
    local variant = string.sub(field, 2)
    local verdict = judge(meta)
    if verdict == 'dead' then
      redis.call('HDEL', KEYS[3], field, 'a' .. variant)
    elseif frames['a' .. variant] then
      reply[#reply + 1] = verdict == 'soft' and '1' or '0'
      reply[#reply + 1] = frames['a' .. variant]
    end
  end
end
return reply
`,
};

/**
 * KEYS[3]: the answers of a key. ARGV: run, epoch and number that the caller knew when it asked the site, the time of the
 * answer, milliseconds to keep it, variants to keep, variant, frame, marks. Gives epoch, number, time, and 1 where it is
 * kept.
 */
export const PUT_RESPONSE: LuaScript = {
  name: 'put',
  source: `${STATE}
local epoch, seq = state(ARGV[1])
local reply = { epoch, text(seq), now(), '0' }
local asked, responded = tonumber(ARGV[3]), tonumber(ARGV[4])
if epoch ~= ARGV[2] or score('#floor') > asked or score('#soft') > asked then return reply end
local marks = {}
for at = 9, #ARGV do
  marks[#marks + 1] = ARGV[at]
  if asked < seq and (score('h' .. ARGV[at]) > asked or score('s' .. ARGV[at]) > asked) then return reply end
end
if redis.call('TYPE', KEYS[3]).ok ~= 'hash' then redis.call('DEL', KEYS[3]) end
local field = 'm' .. ARGV[7]
local before = redis.call('HGET', KEYS[3], field)
if before then
  local sound, kept = pcall(cmsgpack.unpack, before)
  -- Another instance was faster: its answer is the newer one.
  if sound and type(kept) == 'table' and kept[1] == epoch and (tonumber(kept[3]) or 0) > responded then return reply end
end
if not before and redis.call('HLEN', KEYS[3]) >= 2 * tonumber(ARGV[6]) then
  local oldest, when
  for _, other in ipairs(redis.call('HKEYS', KEYS[3])) do
    if string.sub(other, 1, 1) == 'm' then
      local sound, kept = pcall(cmsgpack.unpack, redis.call('HGET', KEYS[3], other))
      local time = sound and type(kept) == 'table' and tonumber(kept[3]) or 0
      if not when or time < when then oldest, when = other, time end
    end
  end
  if oldest then redis.call('HDEL', KEYS[3], oldest, 'a' .. string.sub(oldest, 2)) end
end
redis.call('HSET', KEYS[3], field, cmsgpack.pack({ epoch, seq, responded, marks }), 'a' .. ARGV[7], ARGV[8])
if redis.call('PTTL', KEYS[3]) < tonumber(ARGV[5]) then redis.call('PEXPIRE', KEYS[3], ARGV[5]) end
reply[4] = '1'
return reply
`,
};

/** KEYS[3]: the channel. ARGV: run, `h` or `s`, what is told, and the marks; none for all. Gives epoch, number, time. */
export const RECORD_PURGE: LuaScript = {
  name: 'purge',
  source: `${STATE}
local epoch, seq = state(ARGV[1])
seq = seq + 1
redis.call('ZADD', KEYS[1], seq, '#seq')
if #ARGV == 4 and ARGV[4] == '' then
  redis.call('ZADD', KEYS[1], seq, ARGV[2] == 'h' and '#floor' or '#soft')
else
  for at = 4, #ARGV do redis.call('ZADD', KEYS[1], seq, ARGV[2] .. ARGV[at]) end
end
local excess = redis.call('ZCARD', KEYS[1]) - ${MOST_MARKS}
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
redis.call('LTRIM', KEYS[2], -${MOST_TOLD}, -1)
redis.call('PUBLISH', KEYS[3], message)
return { epoch, text(seq), now() }
`,
};

/** KEYS[1]: a lease. ARGV: the token of who holds it. */
export const RELEASE_LEASE: LuaScript = {
  name: 'release',
  source: `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`,
};

/** KEYS[1]: a lease. ARGV: the token of who holds it, milliseconds from now. */
export const EXTEND_LEASE: LuaScript = {
  name: 'extend',
  source: `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
`,
};

export const LUA_SCRIPTS: readonly LuaScript[] = [
  GET_MISSED_PURGES,
  OPEN_EPOCH,
  START_EPOCH,
  GET_RESPONSES,
  PUT_RESPONSE,
  RECORD_PURGE,
  RELEASE_LEASE,
  EXTEND_LEASE,
];
