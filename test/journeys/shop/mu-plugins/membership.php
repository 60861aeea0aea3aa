<?php
/**
 * Plugin Name: Membership (test plugin)
 *
 * Members with profiles, avatars, activities and messages, as BuddyPress builds them: a registration form that is posted to its page, a
 * mail with a key, components below /members/<name>/, one-time links, and admin-ajax.php.
 */

add_action('init', 'membership_install', 12);
add_action('template_redirect', 'membership_handle', 1);
add_action('wp_ajax_post_update', 'membership_post_update');
add_action('wp_ajax_nopriv_post_update', fn () => wp_send_json_error('You must be logged in.', 403));
add_action('wp_ajax_avatar_upload', 'membership_avatar_upload');
add_filter('query_vars', fn ($names) => [...$names, 'member', 'component']);
add_shortcode('membership', 'membership_page');
add_shortcode('membership_contact', 'membership_contact');

function membership_install(): void
{
    add_rewrite_rule('^members/([^/]+)(?:/(.+?))?/?$', 'index.php?pagename=members&member=$matches[1]&component=$matches[2]', 'top');
    if (wp_installing() || get_option('membership_version') === '1') return;
    update_option('membership_version', '1');
    update_option('membership_activities', []);
    wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Members', 'post_content' => '[membership]', 'post_author' => 1]);
    wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Contact', 'post_content' => '[membership_contact]', 'post_author' => 1]);
    flush_rewrite_rules(false);
}

function membership_url(string $path): string
{
    return home_url("/members/$path/");
}

function membership_redirect(string $url, string $notice = ''): void
{
    if ($notice !== '') setcookie('bp-message', rawurlencode($notice), time() + HOUR_IN_SECONDS, COOKIEPATH ?: '/', COOKIE_DOMAIN, is_ssl());
    wp_safe_redirect($url);
    exit;
}

function membership_handle(): void
{
    if (!is_page('members')) return;
    nocache_headers();
    $name = get_query_var('member');
    $component = get_query_var('component');
    if (isset($_POST['signup_submit']) && $name === 'register') {
        check_admin_referer('bp_new_signup');
        $key = wp_generate_password(24, false);
        update_option('membership_signup', ['login' => $_POST['signup_username'], 'email' => $_POST['signup_email'], 'password' => $_POST['signup_password'], 'key' => $key], false);
        wp_mail($_POST['signup_email'], 'Activate your account', 'To activate it: ' . membership_url("activate/$key"));
        membership_redirect(membership_url('register/completed'));
    }
    if (isset($_POST['activate']) && $name === 'activate') {
        $signup = get_option('membership_signup');
        if (!$signup || !hash_equals($signup['key'], $_POST['key'])) membership_redirect(membership_url('activate'), 'Invalid activation key.');
        wp_create_user($signup['login'], $signup['password'], $signup['email']);
        delete_option('membership_signup');
        membership_redirect(membership_url('activate/done'), 'Your account is now active!');
    }
    if (isset($_POST['member_login'])) {
        $user = wp_signon(['user_login' => $_POST['log'], 'user_password' => $_POST['pwd']], is_ssl());
        // `wp_get_referer()` is false if the form was posted to the page that showed it.
        if (!is_wp_error($user)) membership_redirect(wp_get_referer() ?: membership_url($user->user_login));
        membership_redirect(wp_get_raw_referer(), 'Wrong password.');
    }
    $user = wp_get_current_user();
    if (!in_array($name, ['', 'register', 'activate'], true) && str_contains($component, 'edit') && $user->user_login !== $name) {
        membership_redirect(add_query_arg(['redirect_to' => rawurlencode(home_url($_SERVER['REQUEST_URI'])), 'bp-auth' => 1, 'action' => 'bpnoaccess'], wp_login_url()));
    }
    if (!$user->ID) return;
    if (isset($_POST['profile-group-edit-submit'])) {
        check_admin_referer('bp_xprofile_edit');
        foreach ((array) ($_POST['field'] ?? []) as $field => $value) update_user_meta($user->ID, sanitize_key("member_$field"), wp_kses_post(wp_unslash(is_array($value) ? implode(', ', $value) : $value)));
        membership_redirect(membership_url("$name/profile"), 'Changes saved.');
    }
    if (isset($_POST['upload'], $_FILES['file'])) {
        check_admin_referer('bp_avatar_upload');
        membership_store_avatar($_FILES['file']);
        membership_redirect(membership_url("$name/profile/change-avatar"), 'Your new profile photo was uploaded successfully.');
    }
    if (isset($_POST['send'])) {
        check_admin_referer('messages_send_message');
        add_user_meta($user->ID, 'member_message', ['subject' => sanitize_text_field(wp_unslash($_POST['subject'])), 'content' => sanitize_textarea_field(wp_unslash($_POST['content']))]);
        membership_redirect(membership_url("$name/messages/view/" . count(get_user_meta($user->ID, 'member_message'))), 'Message sent.');
    }
    if (str_starts_with($component, 'friends/add')) {
        check_admin_referer('friends_add_friend');
        add_user_meta($user->ID, 'member_friend', sanitize_user(basename($component)));
        membership_redirect(wp_get_referer() ?: membership_url($name), 'Friendship requested.');
    }
    if (isset($_POST['delete-account-understand'])) {
        check_admin_referer('delete-account');
        require_once ABSPATH . 'wp-admin/includes/user.php';
        wp_logout();
        wp_delete_user($user->ID);
        membership_redirect(home_url('/'));
    }
}

function membership_store_avatar(array $file): string
{
    require_once ABSPATH . 'wp-admin/includes/file.php';
    $stored = wp_handle_upload($file, ['test_form' => false]);
    if (isset($stored['error'])) return '';
    update_user_meta(get_current_user_id(), 'member_avatar', $stored['url']);
    return $stored['url'];
}

function membership_avatar_upload(): void
{
    check_ajax_referer('bp-uploader');
    $url = membership_store_avatar($_FILES['file']);
    $url === '' ? wp_send_json(['success' => false]) : wp_send_json(['success' => true, 'data' => ['url' => $url, 'name' => $_FILES['file']['name']]]);
}

function membership_post_update(): void
{
    check_ajax_referer('post_update', '_wpnonce_post_update');
    $content = wp_kses_post(wp_unslash($_POST['content'] ?? ''));
    update_option('membership_activities', [['user' => get_current_user_id(), 'content' => $content], ...get_option('membership_activities')]);
    wp_send_json_success(['activity' => '<li>' . $content . '</li>']);
}

function membership_page(): string
{
    $name = get_query_var('member');
    $component = get_query_var('component');
    $notice = rawurldecode($_COOKIE['bp-message'] ?? '');
    $html = $notice === '' ? '' : '<div id="message">' . esc_html($notice) . '</div><script>document.cookie = "bp-message=; path=/; max-age=0"</script>';
    $nonce = fn (string $action) => wp_nonce_field($action, '_wpnonce', true, false);
    if ($name === 'register') {
        return $html . ($component === 'completed' ? '<p>Check your email to activate.</p>' : '<form id="signup" method="post" enctype="multipart/form-data"><input name="signup_username"><input name="signup_email"><input name="signup_password" type="password">' . $nonce('bp_new_signup') . '<button name="signup_submit" value="Complete Sign Up">Sign up</button></form>');
    }
    if ($name === 'activate') return $html . '<form id="activate" method="post" action="' . esc_url(membership_url('activate')) . '"><input name="key" value="' . esc_attr($component) . '"><button name="activate" value="1">Activate</button></form>';
    $me = wp_get_current_user();
    if (!$me->ID) {
        $html .= '<form id="member-login" method="post"><input name="log"><input name="pwd" type="password">' . wp_referer_field(false) . '<button name="member_login" value="1">Log in</button></form>';
    }
    $user = $name === '' ? false : get_user_by('login', $name);
    if (!$user) return $html . '<ul>' . implode('', array_map(fn ($user) => '<li><a href="' . esc_url(membership_url($user->user_login)) . '">' . esc_html($user->display_name) . '</a></li>', get_users())) . '</ul>';
    $avatar = get_user_meta($user->ID, 'member_avatar', true);
    $html .= '<h2>' . esc_html($user->display_name) . '</h2>' . ($avatar ? '<img id="avatar" src="' . esc_url($avatar) . '" alt="Avatar">' : '');
    if ($me->ID && $me->ID !== $user->ID) $html .= '<a id="befriend" href="' . esc_url(wp_nonce_url(membership_url("$me->user_login/friends/add/$name"), 'friends_add_friend')) . '">Add friend</a>';
    $messages = get_user_meta($user->ID, 'member_message');
    return $html . match (true) {
        $component === 'profile/edit' => '<form id="profile" method="post"><input name="field[city]" value="' . esc_attr($user->member_city) . '"><textarea name="field[about]">' . esc_textarea($user->member_about) . '</textarea><select name="field[likes][]" multiple><option>Cups</option><option>Plates</option></select>' . $nonce('bp_xprofile_edit') . '<button name="profile-group-edit-submit" value="1">Save</button></form>',
        $component === 'profile/change-avatar' => '<form id="avatar-form" method="post" enctype="multipart/form-data"><input type="file" name="file"><input type="hidden" name="action" value="bp_avatar_upload">' . $nonce('bp_avatar_upload') . '<button name="upload" value="1">Upload</button></form><script>window.uploader = { url: ' . wp_json_encode(admin_url('admin-ajax.php')) . ', nonce: ' . wp_json_encode(wp_create_nonce('bp-uploader')) . ' }</script>',
        $component === 'messages/compose' => '<form id="compose" method="post"><input name="subject"><textarea name="content"></textarea>' . $nonce('messages_send_message') . '<button name="send" value="1">Send</button></form>',
        str_starts_with($component, 'messages/view/') && $me->ID === $user->ID => '<p id="sent">' . esc_html(implode(': ', $messages[intval(basename($component)) - 1] ?? [])) . '</p>',
        $component === 'activity' => '<ul id="activities">' . implode('', array_map(fn ($activity) => "<li>{$activity['content']}</li>", get_option('membership_activities'))) . '</ul><form id="whats-new"><textarea name="content"></textarea><button>Post</button></form><script>document.querySelector("#whats-new").addEventListener("submit", async (event) => {
            event.preventDefault();
            const body = new URLSearchParams(new FormData(event.target));
            body.set("action", "post_update");
            body.set("_wpnonce_post_update", ' . wp_json_encode(wp_create_nonce('post_update')) . ');
            const response = await fetch(' . wp_json_encode(admin_url('admin-ajax.php')) . ', { method: "POST", body });
            const { data } = await response.json();
            document.querySelector("#activities").insertAdjacentHTML("afterbegin", data.activity ?? data);
        })</script>',
        $component === 'settings/delete-account' => '<form id="delete" method="post"><input type="checkbox" name="delete-account-understand" value="1">' . $nonce('delete-account') . '<button>Delete account</button></form>',
        default => '<dl id="fields"><dt>City</dt><dd>' . esc_html($user->member_city) . '</dd><dt>About</dt><dd>' . wp_kses_post($user->member_about) . '</dd><dt>Likes</dt><dd>' . esc_html($user->member_likes) . '</dd><dt>Friends</dt><dd>' . esc_html(implode(', ', get_user_meta($user->ID, 'member_friend'))) . '</dd></dl>',
    };
}

/** A form for everybody, whose fields WordPress would take for variables of its query: many contact forms have such. */
function membership_contact(): string
{
    $sent = $_POST['message'] ?? null;
    $html = $sent === null ? '' : '<p id="sent">Thank you, ' . esc_html(wp_unslash($_POST['visitor'] ?? '')) . ': ' . esc_html(wp_unslash($sent)) . ' (' . esc_html($_SERVER['REQUEST_URI']) . ')</p>';
    if ($sent !== null) wp_mail(get_option('admin_email'), 'A message', wp_unslash($sent) . "\n" . home_url(wp_unslash($_SERVER['REQUEST_URI'])));
    return $html . '<form id="contact" method="post" enctype="multipart/form-data"><input name="visitor"><textarea name="message"></textarea><input type="file" name="attachment">' . wp_referer_field(false) . '<button>Send</button></form>';
}
