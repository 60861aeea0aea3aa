<?php
/**
 * php move.php <socket of the database> <URL> <title>: gives the installed site in the database another address and title. The path
 * of the URL is that of the installation, so host and port are replaced wherever they occur.
 */
[, $socket, $url, $title] = $argv;
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$database = new mysqli(null, 'root', '', 'wordpress', 0, $socket);
$authority = fn (string $url): string => parse_url($url, PHP_URL_HOST) . ':' . parse_url($url, PHP_URL_PORT);
[[$installed]] = $database->query("SELECT option_value FROM wp_options WHERE option_name = 'siteurl'")->fetch_all();
[$from, $to] = [$authority($installed), $authority($url)];
$columns = $database->query(
    "SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'wordpress' AND data_type IN ('varchar', 'text', 'mediumtext', 'longtext')",
);
foreach ($columns as ['table_name' => $table, 'column_name' => $column]) {
    // A serialized value states its length.
    $isSafe = strlen($from) === strlen($to) ? 'TRUE' : "`$column` NOT REGEXP '^[aOs]:[0-9]+:'";
    $database->execute_query(
        "UPDATE `$table` SET `$column` = REPLACE(`$column`, ?, ?) WHERE `$column` LIKE ? AND $isSafe",
        [$from, $to, "%$from%"],
    );
}
$database->execute_query("UPDATE wp_options SET option_value = ? WHERE option_name = 'blogname'", [htmlspecialchars($title)]);
// WordPress creates the rules again, with those of plugins.
$database->query("UPDATE wp_options SET option_value = '' WHERE option_name = 'rewrite_rules'");
