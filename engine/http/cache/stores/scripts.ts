import { RedisScript } from '../../redis/redis-script.js';

/** The time of the Redis server in milliseconds, with a fraction. This time is used because the clocks of the processes differ. */
const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000`;

/**
 * Stores a value. Removes the least recently used values while the total size of all values exceeds the budget.
 *
 * Keys: the value, the index (a sorted set of ids by their last use) and the sizes (a hash of bytes by id, and their
 * `total`). Keys of the index and the sizes that have another type are replaced. Arguments: the id, the value, its time to
 * live in milliseconds, the budget in bytes, and the prefix of the keys of values.
 */
export const PUT = new RedisScript(`
local value, index, sizes = KEYS[1], KEYS[2], KEYS[3]
local id, ttl, budget, prefix = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local function replace(key, expected)
  local found = redis.call('TYPE', key).ok
  if found ~= expected and found ~= 'none' then redis.call('DEL', key) end
end
replace(index, 'zset')
replace(sizes, 'hash')
local total = tonumber(redis.call('HGET', sizes, 'total') or '0')
if total == nil then
  redis.call('DEL', index, sizes)
  total = 0
end
local function size_of(member)
  return tonumber(redis.call('HGET', sizes, member) or '0') or 0
end
local function remove(member)
  total = total - size_of(member)
  redis.call('UNLINK', prefix .. member)
  redis.call('ZREM', index, member)
  redis.call('HDEL', sizes, member)
end
local size = #ARGV[2] + 300
redis.call('SET', value, ARGV[2], 'PX', ttl)
total = total - size_of(id) + size
${NOW}
redis.call('ZADD', index, now, id)
redis.call('HSET', sizes, id, size)
for _, member in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', now - ttl, 'LIMIT', 0, 100)) do remove(member) end
for _ = 1, 1000 do
  local oldest = total > budget and redis.call('ZRANGE', index, 0, 0)[1]
  if not oldest then break end
  remove(oldest)
end
if redis.call('ZCARD', index) == 0 then
  redis.call('DEL', sizes)
  total = 0
end
redis.call('HSET', sizes, 'total', total)
redis.call('PEXPIRE', index, 2 * ttl)
redis.call('PEXPIRE', sizes, 2 * ttl)
return total`);

/** Updates the time of the last use of a value, if it is in the index. Key: the index. Argument: the id. */
export const TOUCH = new RedisScript(`
${NOW}
return redis.call('ZADD', KEYS[1], 'XX', now, ARGV[1])`);

/**
 * Removes values. The script writes nothing, so that it also works when Redis is full. Keys: the index and the sizes.
 * Argument: the prefix of the keys of values.
 */
export const REMOVE_ALL = new RedisScript(`
if redis.call('TYPE', KEYS[1]).ok == 'zset' then
  for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, 999)) do redis.call('UNLINK', ARGV[1] .. member) end
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, 999)
end
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('DEL', KEYS[2]) end
return 1`);

/**
 * Takes a lease. If the key contains something else than a lease of this program, it is replaced. Key: the lease.
 * Arguments: the token of the holder, and the milliseconds until the lease expires.
 */
export const TAKE_LEASE = new RedisScript(`
local found = redis.call('TYPE', KEYS[1]).ok
if found ~= 'none' then
  local left = redis.call('PTTL', KEYS[1])
  if found ~= 'string' or left < 0 or left > tonumber(ARGV[2]) then redis.call('DEL', KEYS[1]) end
end
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
return 0`);

/** Extends a lease if its value is still this token. */
export const EXTEND_LEASE = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`);

/**
 * Releases a lease if its value is still this token: after it expired, another process may have taken it. Key: the
 * lease. Arguments: the token, and a time in milliseconds for which an empty text replaces the lease, so that no
 * process waits for an answer that cannot be stored; 0 for none.
 */
export const RELEASE_LEASE = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], '', 'PX', ARGV[2])
return 1`);
