<?php
/**
 * Plugin Name: Community (test plugin)
 *
 * Boards with threads, votes and members, for tests. It is written as many plugins are: own tables, sanitising that the
 * index does not show, reads and writes of WordPress's own data, one-time links, nonces in responses.
 */

add_action('init', 'community_install');
add_action('rest_api_init', 'community_routes');
// Shows data of two other kinds in the content of a page.
add_shortcode('community_newest', fn () => implode(', ', array_map(
    fn ($row) => $row['title'] . ' by ' . get_the_author_meta('display_name', $row['author_id']),
    $GLOBALS['wpdb']->get_results('SELECT * FROM ' . community_table('threads') . ' ORDER BY id DESC LIMIT 3', ARRAY_A),
)));

function community_table(string $name): string
{
    return $GLOBALS['wpdb']->prefix . "community_$name";
}

function community_install(): void
{
    global $wpdb;
    if (wp_installing() || get_option('community_version') === '1') return;
    update_option('community_version', '1');
    foreach ([
        'boards' => 'title text, state varchar(20), post_id bigint default 0',
        'threads' => 'board_id bigint, author_id bigint, title text, body text, state varchar(20), post_id bigint default 0',
        'votes' => 'thread_id bigint, user_id bigint, value int',
        'members' => 'user_id bigint, nickname text, bio text',
    ] as $name => $columns) {
        $wpdb->query('CREATE TABLE ' . community_table($name) . " (id bigint AUTO_INCREMENT PRIMARY KEY, $columns)");
    }
    [$administrator, $editor] = get_users(['orderby' => 'ID', 'number' => 2]);
    $posts = get_posts(['numberposts' => 3, 'orderby' => 'ID', 'order' => 'ASC']);
    foreach (['Ideas' => 'open', 'Questions' => 'open', 'Staff' => 'hidden'] as $title => $state) {
        $wpdb->insert(community_table('boards'), ['title' => $title, 'state' => $state, 'post_id' => $posts[0]->ID ?? 0]);
    }
    foreach (range(1, 9) as $n) {
        $wpdb->insert(community_table('threads'), [
            'board_id' => $n % 3 + 1,
            'author_id' => $n % 2 ? $administrator->ID : $editor->ID,
            'title' => "Thread $n",
            'body' => "The text of thread $n.",
            'state' => $n === 5 ? 'closed' : 'open',
            'post_id' => $posts[$n % 3]->ID ?? 0,
        ]);
        $wpdb->insert(community_table('votes'), ['thread_id' => $n, 'user_id' => $editor->ID, 'value' => 1]);
    }
    $wpdb->insert(community_table('members'), ['user_id' => $administrator->ID, 'nickname' => 'Ann', 'bio' => 'Runs it.']);
    $wpdb->insert(community_table('members'), ['user_id' => $editor->ID, 'nickname' => 'Ben', 'bio' => 'Edits it.']);
    wp_insert_post(['post_type' => 'page', 'post_title' => 'Newest threads', 'post_name' => 'newest', 'post_status' => 'publish', 'post_date' => '2024-02-03 12:00:00', 'post_content' => '[community_newest]', 'post_author' => $administrator->ID]);
}

/** A row by id, or the error of an unknown id. */
function community_row(string $table, $id)
{
    global $wpdb;
    $row = $wpdb->get_row($wpdb->prepare('SELECT * FROM ' . community_table($table) . ' WHERE id = %d', intval($id)), ARRAY_A);
    return $row ?: new WP_Error('community_not_found', "No $table with this id.", ['status' => 404]);
}

function community_board(array $row): array
{
    global $wpdb;
    $threads = $wpdb->get_results($wpdb->prepare('SELECT id FROM ' . community_table('threads') . ' WHERE board_id = %d', $row['id']));
    return [
        'id' => intval($row['id']),
        'title' => $row['title'],
        'state' => $row['state'],
        'label' => get_option('community_label', 'Board') . ' ' . $row['title'],
        'threads' => count($threads),
        'about' => $row['post_id'] ? get_the_title($row['post_id']) : '',
    ];
}

function community_thread(array $row): array
{
    global $wpdb;
    $votes = $wpdb->get_var($wpdb->prepare('SELECT SUM(value) FROM ' . community_table('votes') . ' WHERE thread_id = %d', $row['id']));
    $author = get_userdata($row['author_id']);
    $member = $wpdb->get_var($wpdb->prepare('SELECT nickname FROM ' . community_table('members') . ' WHERE user_id = %d', $row['author_id']));
    $board = community_row('boards', $row['board_id']);
    return [
        'id' => intval($row['id']),
        'board' => is_wp_error($board) ? null : $board['title'],
        'title' => $row['title'],
        'body' => wpautop($row['body']),
        'state' => $row['state'],
        'votes' => intval($votes),
        'author' => $author ? $author->display_name : 'a former member',
        'nickname' => $member,
        'avatar' => $author ? get_avatar_url($author->ID) : null,
        'about' => get_post_status($row['post_id']) === 'publish' ? get_the_title($row['post_id']) : null,
        'vote_nonce' => wp_create_nonce('community-vote-' . $row['id']),
    ];
}

function community_threads(WP_REST_Request $request): WP_REST_Response
{
    global $wpdb;
    $where = ['board_id IN (SELECT id FROM ' . community_table('boards') . " WHERE state <> 'hidden')"];
    if ($request['board']) $where[] = 'board_id = ' . intval($request['board']);
    if ($request['include']) $where[] = 'id IN (' . implode(',', wp_parse_id_list($request['include'])) . ')';
    if ($request['exclude']) $where[] = 'id NOT IN (' . implode(',', wp_parse_id_list($request['exclude'])) . ')';
    if ($request['state']) $where[] = $wpdb->prepare('state = %s', $request['state']);
    if ($request['search']) $where[] = $wpdb->prepare('title LIKE %s', '%' . $wpdb->esc_like($request['search']) . '%');
    $order = $request['order'] === 'desc' ? 'DESC' : 'ASC';
    $limit = max(1, min(50, intval($request['per_page'] ?? 10)));
    $offset = (max(1, intval($request['page'] ?? 1)) - 1) * $limit;
    $rows = $wpdb->get_results('SELECT * FROM ' . community_table('threads') . ' WHERE ' . implode(' AND ', $where) . " ORDER BY id $order LIMIT $limit OFFSET $offset", ARRAY_A);
    $response = new WP_REST_Response(array_map('community_thread', $rows));
    $response->header('X-Community-Total', (string) count($rows));
    return $response;
}

function community_routes(): void
{
    $public = ['permission_callback' => '__return_true'];
    $staff = ['permission_callback' => fn () => current_user_can('edit_posts')];
    $route = fn (string $route, string $methods, array $access, callable $callback, array $args = []) =>
        register_rest_route('community/v1', $route, $access + compact('methods', 'callback', 'args'));
    // Sanitised by the plugin, so WordPress accepts anything here.
    $lenient = ['type' => 'integer', 'sanitize_callback' => fn ($value) => intval($value)];
    $ids = ['type' => 'array', 'items' => ['type' => 'integer'], 'validate_callback' => '__return_true', 'sanitize_callback' => 'wp_parse_id_list'];
    $list = [
        'include' => $ids, 'exclude' => $ids, 'board' => $lenient,
        'page' => ['type' => 'integer', 'default' => 1, 'validate_callback' => '__return_true'],
        'per_page' => $lenient + ['default' => 10, 'minimum' => 1, 'maximum' => 50],
        'state' => ['type' => 'string', 'enum' => ['open', 'closed'], 'sanitize_callback' => fn ($value) => $value === 'closed' ? 'closed' : ($value ? 'open' : '')],
        'search' => ['type' => 'string', 'sanitize_callback' => 'sanitize_text_field'],
        'order' => ['type' => 'string', 'enum' => ['asc', 'desc'], 'default' => 'asc'],
    ];
    $thread = [
        'title' => ['type' => 'string', 'minLength' => 1, 'maxLength' => 80],
        'body' => ['type' => 'string'],
        'state' => ['type' => 'string', 'enum' => ['open', 'closed']],
        // The same definition as in lists, but validated by WordPress.
        'board' => ['type' => 'integer'],
        'about' => ['type' => 'integer', 'minimum' => 0],
    ];
    $board = ['title' => ['type' => 'string', 'minLength' => 1], 'state' => ['type' => 'string', 'enum' => ['open', 'closed', 'hidden']], 'about' => ['type' => 'integer']];

    $route('/boards', 'GET', $public, function () {
        global $wpdb;
        $rows = $wpdb->get_results('SELECT * FROM ' . community_table('boards') . " WHERE state <> 'hidden' ORDER BY title", ARRAY_A);
        return array_map('community_board', $rows);
    });
    $route('/boards', 'POST', $staff, fn ($request) => community_save('boards', $request, null), ['title' => $board['title'] + ['required' => true]] + $board);
    $route('/boards/(?P<id>\d+)', 'GET', $public, function ($request) {
        $row = community_row('boards', $request['id']);
        if (!is_wp_error($row) && $row['state'] === 'hidden') return new WP_Error('community_hidden', 'This board is hidden.', ['status' => 403]);
        return is_wp_error($row) ? $row : community_board($row);
    });
    $route('/boards/(?P<id>\d+)', 'POST, PUT, PATCH', $staff, fn ($request) => community_save('boards', $request, $request['id']), $board);
    $route('/boards/(?P<id>\d+)', 'DELETE', $staff, fn ($request) => community_delete('boards', $request['id']));
    $route('/boards/(?P<board>\d+)/threads', 'GET', $public, 'community_threads', $list);
    $route('/threads', 'GET', $public, 'community_threads', $list);
    $route('/threads', 'POST', $staff, fn ($request) => community_save('threads', $request, null), ['title' => $thread['title'] + ['required' => true]] + $thread);
    $route('/threads/(?P<id>\d+)', 'GET', $public, fn ($request) => is_wp_error($row = community_row('threads', $request['id'])) ? $row : community_thread($row));
    $route('/threads/(?P<id>\d+)', 'POST, PUT, PATCH', $staff, fn ($request) => community_save('threads', $request, $request['id']), $thread);
    $route('/threads/(?P<id>\d+)', 'DELETE', $staff, fn ($request) => community_delete('threads', $request['id']));
    $route('/threads/(?P<id>\d+)/votes', 'POST', $public, function ($request) {
        global $wpdb;
        $row = community_row('threads', $request['id']);
        if (is_wp_error($row)) return $row;
        $wpdb->insert(community_table('votes'), ['thread_id' => $row['id'], 'user_id' => get_current_user_id(), 'value' => $request['value'] < 0 ? -1 : 1]);
        // The response contains nothing of what has changed.
        return ['thanks' => true];
    }, ['value' => $lenient + ['default' => 1]]);
    $route('/threads/(?P<id>\d+)/publish', 'POST', $staff, function ($request) {
        $row = community_row('threads', $request['id']);
        if (is_wp_error($row)) return $row;
        wp_update_post(['ID' => $row['post_id'], 'post_title' => $request['title'] ?? $row['title']]);
        return ['done' => true];
    }, ['title' => ['type' => 'string']]);
    $route('/members', 'GET', $public, function () {
        global $wpdb;
        return array_map(fn ($row) => ['name' => get_the_author_meta('display_name', $row['user_id'])] + $row, $wpdb->get_results('SELECT * FROM ' . community_table('members'), ARRAY_A));
    });
    $route('/members/(?P<id>\d+)', 'GET', $public, function ($request) {
        global $wpdb;
        $row = community_row('members', $request['id']);
        if (is_wp_error($row)) return $row;
        $threads = $wpdb->get_var($wpdb->prepare('SELECT COUNT(*) FROM ' . community_table('threads') . ' WHERE author_id = %d', $row['user_id']));
        return $row + ['threads' => intval($threads), 'posts' => count_user_posts($row['user_id'])];
    });
    $route('/members/(?P<id>\d+)', 'POST', $staff, function ($request) {
        global $wpdb;
        $row = community_row('members', $request['id']);
        if (is_wp_error($row)) return $row;
        $wpdb->update(community_table('members'), array_filter(['nickname' => $request['nickname'], 'bio' => $request['bio']]), ['id' => $row['id']]);
        if ($request['name']) wp_update_user(['ID' => $row['user_id'], 'display_name' => $request['name']]);
        return null;
    }, ['nickname' => ['type' => 'string', 'maxLength' => 20], 'bio' => ['type' => 'string'], 'name' => ['type' => 'string']]);
    $route('/stats', 'GET', $public, fn () => array_map(fn ($name) => intval($GLOBALS['wpdb']->get_var('SELECT COUNT(*) FROM ' . community_table($name))), ['boards', 'threads', 'votes', 'members']) + ['posts' => wp_count_posts()->publish]);
    $route('/digest', 'GET', $public, fn ($request) => [
        'site' => get_bloginfo('name'),
        'posts' => array_map(fn ($post) => ['title' => $post->post_title, 'by' => get_the_author_meta('display_name', $post->post_author), 'comments' => $post->comment_count], get_posts(['numberposts' => intval($request['count'] ?? 5)])),
        'threads' => community_threads(new WP_REST_Request())->get_data(),
        'terms' => wp_list_pluck(get_terms(['hide_empty' => false]), 'count', 'name'),
    ], ['count' => ['type' => 'integer', 'validate_callback' => '__return_true']]);
    $route('/settings', 'GET', $public, fn () => ['label' => get_option('community_label', 'Board')]);
    $route('/settings', 'POST', $staff, fn ($request) => ['saved' => update_option('community_label', sanitize_text_field($request['label']))], ['label' => ['type' => 'string', 'required' => true]]);
    $route('/session', 'GET', $public, function () {
        $response = new WP_REST_Response(['nonce' => wp_generate_password(16, false), 'user' => get_current_user_id()]);
        $response->header('X-Community-Nonce', wp_generate_password(16, false));
        return $response;
    });
    $route('/access-links', 'POST', $staff, function () {
        $nonce = wp_generate_password(20, false);
        update_option('community_access', array_merge((array) get_option('community_access', []), [$nonce]));
        return ['url' => rest_url("community/v1/admin-access/$nonce"), 'nonce' => $nonce];
    });
    $route('/admin-access/(?P<nonce>\w+)', 'GET', $public, function ($request) {
        $open = (array) get_option('community_access', []);
        if (!in_array($request['nonce'], $open, true)) return new WP_Error('community_gone', 'This link has been used.', ['status' => 410]);
        update_option('community_access', array_values(array_diff($open, [$request['nonce']])));
        return ['secret' => wp_hash($request['nonce']), 'email' => get_option('admin_email')];
    });
    register_rest_field('post', 'community', ['get_callback' => function ($post) {
        global $wpdb;
        $count = $wpdb->get_var($wpdb->prepare('SELECT COUNT(*) FROM ' . community_table('threads') . ' WHERE post_id = %d', $post['id']));
        $author = get_userdata($post['author'] ?? 0);
        return ['threads' => intval($count), 'by' => $author ? $author->display_name : ''];
    }]);
}

function community_save(string $table, WP_REST_Request $request, $id)
{
    global $wpdb;
    $values = array_filter(['title' => $request['title'], 'state' => $request['state'], 'post_id' => $request['about']], fn ($value) => $value !== null);
    if ($table === 'threads') $values += array_filter(['body' => $request['body'], 'board_id' => $request['board']], fn ($value) => $value !== null);
    if ($id === null) {
        $defaults = $table === 'threads' ? ['author_id' => get_current_user_id(), 'board_id' => 1, 'body' => ''] : [];
        $wpdb->insert(community_table($table), $values + $defaults + ['state' => 'open', 'post_id' => 0]);
        return ['id' => $wpdb->insert_id];
    }
    $row = community_row($table, $id);
    if (is_wp_error($row)) return $row;
    if ($values) $wpdb->update(community_table($table), $values, ['id' => $row['id']]);
    return community_row($table, $id);
}

function community_delete(string $table, $id)
{
    global $wpdb;
    $row = community_row($table, $id);
    if (is_wp_error($row)) return $row;
    $wpdb->delete(community_table($table), ['id' => $row['id']]);
    if ($table === 'boards') $wpdb->delete(community_table('threads'), ['board_id' => $row['id']]);
    return true;
}
