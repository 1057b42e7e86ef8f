import { named } from '../../databases/duckdb/translate/column-names.js';
import { integerValue } from '../../databases/duckdb/translate/literals.js';
import { type Fields, type Node, nameOf, open } from '../../databases/duckdb/translate/tree.js';
import { refuse } from './refusal.js';
import { outputName } from './writer.js';

/**
 * Refuses a query whose texts could grow beyond bounds, such as a CONCAT of a CONCAT in table within table: the embedded
 * database makes 2,048 values of an expression at a time, and neither counts their memory nor can be stopped between.
 * Counted are the most characters that columns and literals allow. What GROUP_CONCAT gives has no bound known here, so
 * it may be shown, cut and searched, but not be put together with more.
 */
export function requireBoundedTexts(query: unknown): void {
  longest(query, { lengths: new Map(), unnamed: LONGEST_COLUMN, made: 0 });
}

/** The longest text of a public table has 512 characters. */
const LONGEST_COLUMN = 512;
/** The longest text that an expression may make. */
const MAX_TEXT = 16_384;
/** All texts that the expressions of a query may make of one row. */
const MAX_TEXTS = 65_536;
/** What a number or a date takes as text. */
const LONGEST_NUMBER = 80;

interface State {
  /** The longest text under a name that the query gives, in small letters. */
  readonly lengths: Map<string, number>;
  /** The longest of all other columns. */
  unnamed: number;
  made: number;
}

/** The longest text that any part of a tree can be. A key of the tree is the kind of a node, or a field of one. */
function longest(tree: unknown, state: State): number {
  if (typeof tree !== 'object' || tree === null) return 0;
  if (Array.isArray(tree)) return Math.max(0, ...tree.map((item) => longest(item, state)));
  return Math.max(
    0,
    ...Object.entries(tree).map(([kind, fields]) => {
      const rule = typeof fields === 'object' && fields !== null ? RULES[kind] : undefined;
      return rule === undefined ? longest(fields, state) : rule({ kind, fields: fields as Fields }, state);
    }),
  );
}

type Rule = (node: Node, state: State) => number;

const RULES: Readonly<Record<string, Rule>> = {
  literal: (node) => String(node.fields.value).length,
  column: ({ fields }, { lengths, unnamed }) => lengths.get(nameOf(fields.name).toLowerCase()) ?? unnamed,
  select: selectLength,
  union: combinedLength,
  intersect: combinedLength,
  except: combinedLength,
  ctes: (node, state) => {
    for (const cte of Object.values(node.fields) as Fields[]) nameColumns(cte.columns, longest(cte.this, state), state);
    return 0;
  },
  function: functionLength,
  substring: ({ fields }, state) => Math.min(longest(fields.this, state), atMost(fields.length)),
  json_object: (node, state) => made('JSON_OBJECT', partsOf(node.fields.pairs, state), state),
  j_s_o_n_array: (node, state) => made('JSON_ARRAY', partsOf(node.fields.expressions, state), state),
  group_concat: (node, state) => unbounded(node, state),
  j_s_o_n_array_agg: (node, state) => unbounded(node, state),
};

/** Tables first, then the columns one after the other, since the embedded database lets one use those before it. */
function selectLength(node: Node, state: State): number {
  const { with: clauses, from, joins, expressions, ...rest } = named(node).fields;
  longest([clauses, from, joins], state);
  const lengths = (Array.isArray(expressions) ? expressions : []).map((tree) => {
    const { kind, fields: column } = open(tree);
    const length = longest(tree, state);
    if (kind === 'alias') raise(outputName(column.alias), length, state);
    return length;
  });
  longest(rest, state);
  return Math.max(0, ...lengths);
}

/** The columns have the names of the left side, whatever these are, and texts of both. */
function combinedLength({ fields }: Node, state: State): number {
  const { with: clauses, left, right, ...rest } = fields;
  longest(clauses, state);
  const length = Math.max(longest(left, state), longest(right, state));
  for (const name of state.lengths.keys()) raise(name, length, state);
  state.unnamed = Math.max(state.unnamed, length);
  longest(rest, state);
  return length;
}

function nameColumns(columns: unknown, length: number, state: State): void {
  for (const column of Array.isArray(columns) ? columns : []) raise(nameOf(column), length, state);
}

/** The same name may stand for a column of a table, too. */
function raise(name: string, length: number, { lengths }: State): void {
  const key = name.toLowerCase();
  lengths.set(key, Math.max(lengths.get(key) ?? LONGEST_COLUMN, length));
}

function functionLength(node: Node, state: State): number {
  const name = nameOf(node.fields).toUpperCase();
  const args = Array.isArray(node.fields.args) ? node.fields.args : [];
  const lengths = args.map((arg) => longest(arg, state));
  const [first = 0, second = 0, third = 0] = lengths;
  switch (name) {
    case 'CONCAT':
    case 'JSON_ARRAY':
    case 'JSON_OBJECT':
      return made(name, partsOf(args, state), state);
    case 'CONCAT_WS':
      return made(name, [...partsOf(args.slice(1), state), first * args.length], state);
    case 'REPLACE':
    case 'REGEXP_REPLACE':
      return made(name, [(first + 1) * Math.max(1, third)], state);
    case 'REPEAT':
      return made(name, [first * times(name, args[1])], state);
    case 'SPACE':
      return made(name, [times(name, args[0])], state);
    case 'LPAD':
    case 'RPAD':
      return made(name, [times(name, args[1])], state);
    case 'DATE_FORMAT':
    case 'FROM_UNIXTIME':
      return made(name, [second * LONGEST_NUMBER], state);
    case 'LEFT':
    case 'RIGHT':
    case 'MID':
    case 'SUBSTR':
      return Math.min(first, atMost(name.length > 3 && name !== 'SUBSTR' ? args[1] : args[2]));
    default:
      return Math.max(LONGEST_NUMBER, ...lengths);
  }
}

/** The lengths of what is put together; anything but a literal may be a number. */
function partsOf(trees: unknown, state: State): number[] {
  return (Array.isArray(trees) ? trees.flat() : []).map((tree) =>
    open(tree).kind === 'literal' ? longest(tree, state) : Math.max(LONGEST_NUMBER, longest(tree, state)),
  );
}

function made(name: string, parts: readonly number[], state: State): number {
  const length = parts.reduce((sum, part) => sum + part, 0);
  if (length === Number.POSITIVE_INFINITY) {
    refuse(
      `${name} of a text that is as long as a GROUP_CONCAT or JSON_ARRAYAGG makes it: cut it with LEFT first`,
      name,
    );
  }
  if (length > MAX_TEXT) {
    refuse(`${name} may make a text of ${length} characters; at most ${MAX_TEXT} are allowed`, name);
  }
  state.made += length;
  if (state.made > MAX_TEXTS) refuse(`the texts of a row may have more than ${MAX_TEXTS} characters together`, name);
  return length;
}

function unbounded(node: Node, state: State): number {
  longest(node.fields, state);
  return Number.POSITIVE_INFINITY;
}

/** How often, or up to how many characters: a literal, so that it is known. */
function times(name: string, tree: unknown): number {
  const count = tree === undefined ? undefined : integerValue(open(tree));
  return count === undefined ? refuse(`the count of ${name} is a literal whole number`, name) : Math.max(0, count);
}

function atMost(tree: unknown): number {
  const count = typeof tree === 'object' && tree !== null ? integerValue(open(tree)) : undefined;
  return count === undefined ? Number.POSITIVE_INFINITY : Math.max(0, count);
}
