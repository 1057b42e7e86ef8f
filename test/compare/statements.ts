/**
 * The statements of a file of one of the suites. `reset` removes all tables that earlier statements created, except those of the setup of
 * the suite.
 */
export type Step = { readonly sql: string; readonly line: number } | 'reset';

/**
 * Reads a file in the language of mysqltest, in which the tests of MariaDB and TiDB are written. Commands of mysqltest are omitted, and
 * so are the bodies of `if` and `while`, because they depend on variables.
 */
export function readMysqltest(text: string): Step[] {
  const steps: Step[] = [];
  let delimiter = ';';
  let statement = '';
  let start = 0;
  let depth = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const isNew = statement.trim() === '';
    const word = /^\s*(?:--\s*)?(\w+)/.exec(line)?.[1]?.toLowerCase() ?? '';
    if (isNew && /^\s*(?:#|$)/.test(line)) continue;
    if (isNew && (depth > 0 || /^\s*(?:if|while)\s*\(/i.test(line) || /^\s*[{}]/.test(line))) {
      depth = Math.max(0, depth + count(line, '{') - count(line, '}'));
      continue;
    }
    if (isNew && word === 'delimiter') {
      const given = /delimiter\s+(\S+)/i.exec(line)?.[1] ?? delimiter;
      delimiter =
        given.length > delimiter.length && given.endsWith(delimiter) ? given.slice(0, -delimiter.length) : given;
      continue;
    }
    if (isNew && /^\s*--/.test(line)) continue;
    if (isNew) start = index + 1;
    statement += `${line}\n`;
    const ends = endsOf(statement, delimiter);
    if (ends === undefined) continue;
    for (const sql of ends.complete) if (!COMMANDS.has(firstWord(sql))) steps.push({ sql: sql.trim(), line: start });
    statement = ends.rest;
  }
  return steps;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function firstWord(sql: string): string {
  return /^\W*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? '';
}

/** Splits a text at the delimiters outside of quotes and comments. Returns undefined if the text contains no delimiter. */
function endsOf(text: string, delimiter: string): { readonly complete: string[]; readonly rest: string } | undefined {
  const complete: string[] = [];
  let from = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token.length > 1 || index < from || !text.startsWith(delimiter, index)) continue;
    complete.push(text.slice(from, index));
    from = index + delimiter.length;
  }
  return complete.length === 0 ? undefined : { complete, rest: text.slice(from) };
}

/** A quoted text, a comment, or one other character. A quote without an end is one character. */
const TOKENS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\/\*.*?\*\/|--\s[^\n]*|#[^\n]*|./gs;

/** The commands of mysqltest that can be written without `--`. Statements with them are not SQL. */
const COMMANDS = new Set(
  `append_file assert begin_concurrent cat_file change_user character_set chmod connect connection copy_file dec
  die diff_files dirty_close disable_abort_on_error disable_connect_log disable_info disable_metadata disable_ps_protocol
  disable_query_log disable_reconnect disable_result_log disable_warnings disconnect echo enable_abort_on_error
  enable_connect_log enable_info enable_metadata enable_ps_protocol enable_query_log enable_reconnect enable_result_log
  enable_warnings end end_concurrent error eval exec exit file_exists horizontal_results inc let list_files mkdir move_file
  output perl ping query query_get_value query_horizontal query_vertical real_sleep reap remove_file replace_column
  replace_regex replace_result require reset_connection result rmdir save_master_pos send send_eval send_quit
  shutdown_server skip sleep sorted_result source start_timer sync_slave_with_master sync_with_master system vertical_results
  wait_for_slave_to_stop write_file`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/**
 * Reads a Go file of the query tests of go-mysql-server. A test of a script begins with a name, and has its own tables. Strings that are
 * not statements, such as expected values, are omitted.
 */
export function readGoQueries(text: string): Step[] {
  const steps: Step[] = [];
  let isSetup = false;
  let isScript = false;
  for (const { 0: token, groups = {}, index } of text.matchAll(GO_TOKENS)) {
    const { field, list, literal } = groups;
    if (list !== undefined) {
      isScript = list.includes('Script');
      isSetup = false;
      steps.push('reset');
    } else if (field !== undefined) {
      isSetup = field === 'SetUpScript';
      if (field === 'Name' && isScript) steps.push('reset');
      const sql = field === 'Query' ? goString(token.slice(token.indexOf(':') + 1).trim()) : undefined;
      if (sql !== undefined) steps.push({ sql, line: lineOf(text, index) });
    } else if (token === '}') isSetup = false;
    else if (isSetup && literal !== undefined) steps.push({ sql: goString(literal) ?? '', line: lineOf(text, index) });
  }
  return steps;
}

const GO_STRING = '`[^`]*`|"(?:[^"\\\\\\n]|\\\\.)*"';
const GO_TOKENS = new RegExp(
  `//[^\\n]*|(?<list>\\[\\](?:\\w+\\.)?\\w*(?:Script|Query)\\w*Test\\{)` +
    `|\\b(?<field>Query|Name|SetUpScript|Assertions|Expected\\w*|Bindings|Dialect):\\s*(?:${GO_STRING})?|(?<literal>${GO_STRING})|\\}`,
  'g',
);

/** Returns the value of a string literal; undefined if the text is not one. */
function goString(literal: string): string | undefined {
  if (/^`[^`]*`$/.test(literal)) return literal.slice(1, -1);
  if (!/^"(?:[^"\\]|\\.)*"$/.test(literal)) return undefined;
  return literal.slice(1, -1).replace(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|.)/gi, (_, code: string) => {
    if (/^[xu]./i.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    return { n: '\n', t: '\t', r: '\r' }[code] ?? code;
  });
}

function lineOf(text: string, index: number): number {
  return count(text.slice(0, index), '\n') + 1;
}

/** Reads a setup script of go-mysql-server: each statement follows a line `exec` and ends with a line `----`. */
export function readGoSetup(text: string): string[] {
  return text
    .split(/^----$/m)
    .map((part) => part.replace(/^\s*exec\s*\n/, '').trim())
    .filter((part) => part !== '');
}
