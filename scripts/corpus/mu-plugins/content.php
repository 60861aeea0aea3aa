<?php
/**
 * Content for plugins that nobody has set up: three posts of each of their types and three terms of each of their taxonomies, and
 * the tables that a plugin creates on its page of wp-admin only.
 */
add_action('init', function () {
    if (defined('WP_ADMIN')) {
        if (class_exists('Red_Database')) Red_Database::get_latest_database()->install();
        return;
    }
    // The plugins are active and have been set up in wp-admin at the first other request.
    if (get_option('corpus_content')) return;
    update_option('corpus_content', 1);
    foreach (get_taxonomies(['_builtin' => false]) as $taxonomy)
        foreach (['First', 'Second', 'Third'] as $name) wp_insert_term($name, $taxonomy);
    foreach (get_post_types(['_builtin' => false, 'public' => true]) as $type)
        foreach (['First', 'Second', 'Third'] as $name)
            wp_insert_post(['post_type' => $type, 'post_title' => $name, 'post_content' => "<p>The $name</p>", 'post_status' => 'publish', 'post_author' => 1]);
}, 99);
