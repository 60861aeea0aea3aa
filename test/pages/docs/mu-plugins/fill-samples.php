<?php
/**
 * Prepares the site for one sample of the documentation: `?fill=<path of the sample>&role=<role>` creates what the path names,
 * removes what samples create, and responds with a new user of the role.
 */
add_action('init', function () {
    register_sidebar(['id' => 'sidebar-1', 'name' => 'Sidebar']);
    register_nav_menu('primary', 'Primary');
    if (!isset($_GET['fill'])) return;
    require_once ABSPATH . 'wp-admin/includes/user.php';
    require_once ABSPATH . 'wp-admin/includes/image.php';
    $reader = fill_users($_GET['role']);
    fill_terms();
    fill_posts($_GET['fill']);
    fill_widgets();
    wp_send_json($reader);
}, 99);

/** Every taxonomy has the term 42 in turn: the path tells which one. */
function fill_terms() {
    global $wpdb;
    foreach (get_terms(['taxonomy' => get_taxonomies(), 'hide_empty' => false]) as $term)
        if ($term->term_id > 1) wp_delete_term($term->term_id, $term->taxonomy);
    $wpdb->insert($wpdb->terms, ['term_id' => 42, 'name' => 'Walks', 'slug' => 'walks']);
    $taxonomy = ['tags' => 'post_tag', 'menus' => 'nav_menu'][explode('/', $_GET['fill'])[3] ?? ''] ?? 'category';
    $wpdb->insert($wpdb->term_taxonomy, ['term_id' => 42, 'term_taxonomy_id' => 42, 'taxonomy' => $taxonomy]);
    clean_term_cache([42]);
}

function fill_posts($path) {
    foreach ([42, 58] as $id) wp_delete_post($id, true);
    foreach (get_comments(['fields' => 'ids', 'status' => ['all', 'trash']]) as $id) wp_delete_comment($id, true);
    foreach (get_posts(['post_type' => ['wp_template', 'wp_template_part'], 'numberposts' => -1]) as $post) wp_delete_post($post->ID, true);
    $type = 'post';
    foreach (get_post_types([], 'objects') as $each)
        if (preg_match('#^/wp/v2/' . ($each->rest_base ?: strtr(preg_replace('/^wp_/', '', $each->name), '_', '-')) . '(?:/|$)#', $path)) $type = $each->name;
    // Who has no credentials may read a user who has published.
    $own = ['post_author' => str_starts_with($path, '/wp/v2/users') ? 42 : 1, 'post_title' => 'A walk', 'post_content' => 'Along the river.', 'post_status' => 'publish'];
    if (preg_match('#^/wp/v2/template#', $path)) {
        $template = ['post_type' => $type, 'post_name' => $type === 'wp_template' ? 'single' : 'header'] + $own;
        wp_set_object_terms(wp_insert_post($template), get_stylesheet(), 'wp_theme');
        return;
    }
    $isBelow = preg_match('#/(revisions|autosaves)/42$#', $path, $kind);
    wp_insert_post(['import_id' => $isBelow ? 58 : (str_contains($path, '/58/') ? 58 : 42), 'post_type' => $type] + $own);
    if ($isBelow) {
        $name = $kind[1] === 'revisions' ? '58-revision-v1' : '58-autosave-v1';
        wp_insert_post(['import_id' => 42, 'post_type' => 'revision', 'post_parent' => 58, 'post_name' => $name, 'post_status' => 'inherit'] + $own);
    }
    if ($type === 'attachment') {
        imagejpeg(imagecreatetruecolor(64, 40), wp_upload_dir()['basedir'] . '/photo.jpg');
        wp_update_post(['ID' => 42, 'post_mime_type' => 'image/jpeg']);
        update_attached_file(42, 'photo.jpg');
        wp_update_attachment_metadata(42, wp_generate_attachment_metadata(42, get_attached_file(42)));
    }
    if ($type === 'wp_global_styles') wp_update_post(['ID' => 42, 'post_content' => '{"version": 2, "isGlobalStylesUserThemeJSON": true}']);
    if ($type === 'nav_menu_item') {
        foreach (['type' => 'custom', 'object' => 'custom', 'object_id' => 42, 'url' => home_url()] as $name => $value)
            update_post_meta(42, "_menu_item_$name", $value);
    }
    if (!post_exists_by_slug('winter-bridge')) wp_insert_post(['post_name' => 'winter-bridge'] + $own);
    global $wpdb;
    $wpdb->insert($wpdb->comments, ['comment_ID' => 42, 'comment_post_ID' => 1, 'comment_content' => 'A fine walk.', 'comment_author' => 'Mary']);
}

function post_exists_by_slug($slug) {
    return get_posts(['name' => $slug, 'post_type' => 'post']) !== [];
}

function fill_widgets() {
    update_option('widget_text', [2 => ['title' => 'Hours', 'text' => 'Nine to five.'], '_multiwidget' => 1]);
    wp_set_sidebars_widgets(['sidebar-1' => ['text-2'], 'wp_inactive_widgets' => []]);
    deactivate_sample();
}

function deactivate_sample() {
    update_option('active_plugins', []);
    wp_mkdir_p(WP_PLUGIN_DIR . '/sample');
    file_put_contents(WP_PLUGIN_DIR . '/sample/sample.php', "<?php\n/* Plugin Name: Sample */\n");
    wp_cache_delete('plugins', 'plugins');
}

/** A user of the role with an application password, and the user 42. */
function fill_users($role) {
    foreach (['mary', 'reader', 'other'] as $name)
        if ($known = get_user_by('login', $name)) wp_delete_user($known->ID, 1);
    global $wpdb;
    wp_delete_user(42, 1);
    $wpdb->insert($wpdb->users, ['ID' => 42, 'user_login' => 'other', 'user_nicename' => 'other', 'user_email' => 'other@example.com']);
    clean_user_cache(42);
    $id = wp_insert_user(['user_login' => 'reader', 'user_pass' => wp_generate_password(), 'user_email' => 'reader@example.com', 'role' => $role ?: 'subscriber']);
    [$password] = WP_Application_Passwords::create_new_application_password($id, ['name' => 'Reader']);
    $passwords = WP_Application_Passwords::get_user_application_passwords($id);
    $passwords[] = ['uuid' => '65f9647e-9ba2-48db-a142-a98b6cbab8ad', 'name' => 'Old'] + $passwords[0];
    update_user_meta($id, WP_Application_Passwords::USERMETA_KEY_APPLICATION_PASSWORDS, $passwords);
    return ['username' => 'reader', 'password' => $password];
}
