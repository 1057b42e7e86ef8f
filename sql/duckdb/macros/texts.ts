import type { Macro } from './macro.js';

/** Macros for text. */
export const TEXTS: readonly Macro[] = [
  ['hexadecimal(x)', "CASE WHEN typeof(x) = 'VARCHAR' THEN hex(CAST(x AS VARCHAR)) ELSE hex(mysql.signed(x)) END"],
  // Limits the length of a repeated text. DuckDB checks neither its memory limit nor the time limit while it creates a
  // single text.
  [
    'bounded(n, bytes)',
    `CASE WHEN n > 65536 OR n * bytes > 65536 THEN error('a repeated text must not exceed 65,536 bytes')
       WHEN n < 0 THEN 0 ELSE n END`,
  ],
  [
    'first_byte(c)',
    `CASE WHEN c < 128 THEN c WHEN c < 2048 THEN 192 + (c >> 6) WHEN c < 65536 THEN 224 + (c >> 12)
       ELSE 240 + (c >> 18) END`,
  ],
  // This macro reverses code points, as MySQL does. DuckDB's `reverse` keeps code points together that are displayed as
  // one character.
  ['reversed(s)', "array_to_string(list_reverse(regexp_extract_all(s, '(?s).')), '')"],
  [
    'part_from(s, p)',
    "CASE WHEN s IS NULL OR p IS NULL THEN NULL WHEN p = 0 OR -p > length(s) THEN '' ELSE substring(s, p) END",
  ],
  [
    'part_of(s, p, n)',
    `CASE WHEN s IS NULL OR p IS NULL OR n IS NULL THEN NULL
       WHEN p = 0 OR -p > length(s) OR n < 1 THEN '' ELSE substring(s, p, n) END`,
  ],
  [
    'position_from(s, part, p)',
    `CASE WHEN p IS NULL OR s IS NULL OR part IS NULL THEN NULL WHEN p < 1 OR p > length(s) + 1 THEN 0
       WHEN instr(substring(s, p), part) = 0 THEN 0
       ELSE instr(substring(s, p), part) + p - 1 END`,
  ],
  [
    'up_to_delimiter(s, d, n)',
    `CASE WHEN s IS NULL OR d IS NULL OR n IS NULL THEN NULL WHEN n = 0 OR d = '' THEN ''
       WHEN n > 0 THEN array_to_string(string_split(s, d)[1:n], d)
       ELSE array_to_string(string_split(s, d)[greatest(len(string_split(s, d)) + n + 1, 1):], d) END`,
  ],
  [
    'with_part(s, p, n, part)',
    `CASE WHEN p < 1 OR p > length(s) THEN s || left(part, 0) ELSE left(s, p - 1) || part
       || CASE WHEN n < 0 OR n > length(s) THEN '' ELSE substring(s, p + n) END END`,
  ],
  [
    'grouped(x)',
    `CASE WHEN x < 0 THEN '-' ELSE '' END || format('{:,}', CAST(trunc(abs(x)) AS BIGINT))
       || regexp_extract(CAST(x AS VARCHAR), '\\..*$')`,
  ],
  ['without_start(s, part)', "regexp_replace(s, '^(' || regexp_escape(part) || ')+', '')"],
  ['without_end(s, part)', "regexp_replace(s, '(' || regexp_escape(part) || ')+$', '')"],
  ['pattern(p)', "p || CASE WHEN length(regexp_extract(p, '\\\\+$')) % 2 = 1 THEN '\\' ELSE '' END"],
  [
    'place_in_set(x, list)',
    `CASE WHEN x IS NULL OR list IS NULL THEN NULL WHEN list = '' OR contains(x, ',') THEN 0
       ELSE CAST(coalesce(list_position(string_split(list, ','), x), 0) AS BIGINT) END`,
  ],
  ['unquoted(s)', `CASE WHEN s LIKE '"%"' AND json_valid(s) THEN json_extract_string(s, '$') ELSE s END`],
];
