<?php
/** php newer-syntax.php <file>: prints each token of a PHP file that PHP 7.4 does not understand, with its line. */
$tokens = array_values(array_filter(PhpToken::tokenize(file_get_contents($argv[1])), fn ($token) => !$token->isIgnorable()));
$functions = ['str_contains', 'str_starts_with', 'str_ends_with', 'get_debug_type', 'get_resource_id', 'fdiv', 'array_is_list', 'fsync', 'json_validate', 'array_find', 'array_any', 'array_all', 'mb_str_pad', 'mb_trim'];
$depths = [];
foreach ($tokens as $at => $token) {
    [$before, $next, $then] = [$tokens[$at - 1] ?? null, $tokens[$at + 1] ?? null, $tokens[$at + 2] ?? null];
    $isNewer = $token->is(['T_MATCH', 'T_NULLSAFE_OBJECT_OPERATOR', 'T_ATTRIBUTE', 'T_ENUM', 'T_READONLY'])
        || in_array($token->getTokenName(), ['T_MATCH', 'T_NULLSAFE_OBJECT_OPERATOR', 'T_ATTRIBUTE', 'T_ENUM', 'T_READONLY', 'T_AMPERSAND_NOT_FOLLOWED_BY_VAR_OR_VARARG_TYPE'], true)
        // A named argument, not a branch of `?:` or a label.
        || ($token->is(T_STRING) && $next?->is(':') && $before?->is(['(', ',']))
        // The end of a list of parameters or arguments after a comma; `f(...)`.
        || ($token->is(',') && $next?->is(')') && $then?->is(['{', ':', T_USE]))
        || ($token->is('(') && $next?->is(T_ELLIPSIS) && $then?->is(')'))
        // A union type.
        || ($token->is('|') && $before?->is([T_STRING, T_ARRAY, T_CALLABLE]) && $next?->is([T_STRING, T_ARRAY, T_CALLABLE]) && $then?->is([T_VARIABLE, '|', '{']))
        // A property in the parameters of a constructor.
        || ($token->is([T_PUBLIC, T_PROTECTED, T_PRIVATE]) && $before?->is(['(', ',']))
        || ($token->is(T_CATCH) && !in_array(T_VARIABLE, array_map(fn ($each) => $each->id, array_slice($tokens, $at, 8)), true))
        || ($token->is(T_THROW) && !$before?->is([';', '{', '}', ')', T_ELSE]))
        || ($token->is(T_STRING) && in_array(strtolower($token->text), $functions, true) && $next?->is('('));
    if ($isNewer) echo "line $token->line: $token->text\n";
}
