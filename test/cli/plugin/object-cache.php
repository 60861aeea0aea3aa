<?php
/** A persistent object cache in Redis, with keys such as `wp:posts:7` as the plugin Redis Object Cache has them. */
class WP_Object_Cache
{
    public $cache = [];
    private $redis;
    private $globalGroups = [];
    private $localGroups = [];

    public function __construct()
    {
        $this->redis = new Redis();
        $this->redis->connect('127.0.0.1', OBJECT_CACHE_PORT);
    }

    private function name($key, $group)
    {
        $blog = is_multisite() && !isset($this->globalGroups[$group]) ? get_current_blog_id() . ':' : '';
        return "wp:$blog" . ($group ?: 'default') . ":$key";
    }

    public function get($key, $group, $force, &$found)
    {
        $name = $this->name($key, $group);
        $isLocal = isset($this->localGroups[$group]);
        $found = isset($this->cache[$name]) && (!$force || $isLocal);
        if (!$found) {
            $stored = $isLocal ? false : $this->redis->get($name);
            $found = $stored !== false;
            if (!$found) return false;
            $this->cache[$name] = unserialize($stored);
        }
        return is_object($this->cache[$name]) ? clone $this->cache[$name] : $this->cache[$name];
    }

    public function set($key, $value, $group, $seconds)
    {
        $name = $this->name($key, $group);
        $this->cache[$name] = is_object($value) ? clone $value : $value;
        if (isset($this->localGroups[$group])) return true;
        return $this->redis->set($name, serialize($value), $seconds > 0 ? ['ex' => (int) $seconds] : []);
    }

    public function delete($key, $group)
    {
        $name = $this->name($key, $group);
        $isKnown = isset($this->cache[$name]);
        unset($this->cache[$name]);
        return $this->redis->del($name) > 0 || $isKnown;
    }

    public function flush()
    {
        $this->cache = [];
        return $this->redis->flushDB();
    }

    public function addGroups($property, $groups)
    {
        $this->$property += array_fill_keys((array) $groups, true);
    }
}

function wp_cache_init() { $GLOBALS['wp_object_cache'] = new WP_Object_Cache(); }
function wp_cache_get($key, $group = '', $force = false, &$found = null) { return $GLOBALS['wp_object_cache']->get($key, $group, $force, $found); }
function wp_cache_set($key, $value, $group = '', $seconds = 0) { return $GLOBALS['wp_object_cache']->set($key, $value, $group, $seconds); }
function wp_cache_has($key, $group) { wp_cache_get($key, $group, false, $found); return $found; }
function wp_cache_add($key, $value, $group = '', $seconds = 0) { return !wp_cache_has($key, $group) && wp_cache_set($key, $value, $group, $seconds); }
function wp_cache_replace($key, $value, $group = '', $seconds = 0) { return wp_cache_has($key, $group) && wp_cache_set($key, $value, $group, $seconds); }
function wp_cache_delete($key, $group = '') { return $GLOBALS['wp_object_cache']->delete($key, $group); }
function wp_cache_incr($key, $by = 1, $group = '') { $value = wp_cache_get($key, $group); return $value === false ? false : (wp_cache_set($key, $value + $by, $group) ? $value + $by : false); }
function wp_cache_decr($key, $by = 1, $group = '') { return wp_cache_incr($key, -$by, $group); }
function wp_cache_flush() { return $GLOBALS['wp_object_cache']->flush(); }
function wp_cache_close() { return true; }
function wp_cache_switch_to_blog() {}
function wp_cache_add_global_groups($groups) { $GLOBALS['wp_object_cache']->addGroups('globalGroups', $groups); }
function wp_cache_add_non_persistent_groups($groups) { $GLOBALS['wp_object_cache']->addGroups('localGroups', $groups); }
