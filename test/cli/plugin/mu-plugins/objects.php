<?php
/** A persistent object cache: what WordPress has cached is in a file. One process runs at a time, so none restores what is outdated. */
(function () {
    $file = WP_CONTENT_DIR . '/objects.txt';
    $handle = fopen($file, 'c+');
    flock($handle, LOCK_EX);
    wp_using_ext_object_cache(true);
    $objects = $GLOBALS['wp_object_cache'];
    $stored = unserialize((string) stream_get_contents($handle)) ?: [];
    // Options were read before. Groups that themes and widgets call not persistent are not restored.
    unset($stored['options'], $stored['waygate'], $stored['plugins'], $stored['themes'], $stored['theme_json']);
    $objects->cache = $stored + $objects->cache;
    register_shutdown_function(function () use ($handle, $objects) {
        // After what runs at the end of the request.
        register_shutdown_function(function () use ($handle, $objects) {
            ftruncate($handle, 0);
            rewind($handle);
            fwrite($handle, serialize($objects->cache));
            fclose($handle);
        });
    });
})();
