import { readStatement } from '../reading/statement.js';
import {
  children,
  type Fields,
  isFields,
  isQuery,
  type Node,
  nameOf,
  optionalChild,
  part,
  parts,
  SET_OPERATIONS,
  toNode,
} from '../reading/tree.js';
import { relationOfSelect, relationOfSetOperation, relationOfTable, UNKNOWN_RELATION } from './relations.js';
import { outputsOf, type Relation, type SelectScope, type Source } from './select-scope.js';
import type { TableFacts } from './table-facts.js';
import { queriesIn, toQuery } from './tree-search.js';
import type { MarkerTypes } from './value-type.js';

/** A parsed query with the names that each of its SELECTs can use. */
export interface QueryAnalysis {
  /** The statement without enclosing parentheses. */
  readonly root: Node;
  /** All SELECTs. A SELECT comes before the subqueries in its expressions, and after those in its FROM. */
  readonly selects: readonly SelectScope[];
}

export interface KnownFacts {
  readonly tables: TableFacts;
  readonly markers: MarkerTypes;
}

/** Analyses one query that the SQL reader accepts. Returns undefined if the parser cannot read the text. */
export function analyzeQuery(sql: string, facts: KnownFacts): QueryAnalysis | undefined {
  const reading = readStatement(sql);
  if ('message' in reading) return undefined;
  const analysis = new Analysis(facts);
  const root = toNode(reading.tree);
  analysis.readQuery(root, { withQueries: new Map(), outer: undefined, isOutermost: true, isExistence: false });
  return { root: unwrap(root), selects: analysis.selects };
}

/** Returns the SELECT of a query in the same statement; undefined for UNION and other set operations. */
export function selectOf({ selects }: QueryAnalysis, query: Node): SelectScope | undefined {
  const { fields } = unwrap(query);
  return selects.find(({ node }) => node.fields === fields);
}

/** Returns the queries that set operations such as UNION combine, or the query itself. */
export function operandsOf(query: Node): Node[] {
  const { kind, fields } = unwrap(query);
  if (!SET_OPERATIONS.has(kind)) return [query];
  return [fields.left, fields.right].filter(isFields).flatMap((side) => operandsOf(toNode(side)));
}

/** Returns the query without parentheses. */
export function unwrap(node: Node): Node {
  return node.kind === 'subquery' && isFields(node.fields.this) ? unwrap(toNode(node.fields.this)) : node;
}

/** A query of WITH. */
interface WithQuery {
  readonly relation: Relation;
  readonly query: Node | undefined;
}

interface Surroundings {
  /** The WITH queries, by their names in lower case. */
  readonly withQueries: ReadonlyMap<string, WithQuery>;
  readonly outer: SelectScope | undefined;
  readonly isOutermost: boolean;
  readonly isExistence: boolean;
}

const UNKNOWN_QUERY: WithQuery = { relation: UNKNOWN_RELATION, query: undefined };

class Analysis {
  readonly selects: SelectScope[] = [];
  readonly #facts: KnownFacts;

  constructor(facts: KnownFacts) {
    this.#facts = facts;
  }

  readQuery(node: Node, around: Surroundings): Relation {
    const withQueries = this.#readWith(part(node.fields, 'with'), around);
    const inside = { ...around, withQueries };
    if (node.kind === 'select') return this.#readSelect(node, inside);
    if (node.kind === 'subquery') return this.readQuery(toNode(node.fields.this), inside);
    if (!SET_OPERATIONS.has(node.kind)) return UNKNOWN_RELATION;
    const [left] = ['left', 'right'].map((side) => {
      const query = optionalChild(node, side);
      return query === undefined ? UNKNOWN_RELATION : this.readQuery(query, inside);
    });
    return relationOfSetOperation(left ?? UNKNOWN_RELATION, node.fields.all !== true);
  }

  #readWith(clause: Fields | undefined, around: Surroundings): ReadonlyMap<string, WithQuery> {
    if (clause === undefined) return around.withQueries;
    const visible = new Map(around.withQueries);
    for (const query of parts(clause, 'ctes')) {
      const name = nameOf(query.alias).toLowerCase();
      // A recursive query reads its own rows, about which nothing is known here.
      if (clause.recursive === true) visible.set(name, UNKNOWN_QUERY);
      const inside = { ...around, withQueries: new Map(visible), isOutermost: false };
      const body = toNode(query.this);
      const relation = this.readQuery(body, inside);
      const isRenamed = parts(query, 'columns').length > 0;
      visible.set(name, isRenamed || clause.recursive === true ? UNKNOWN_QUERY : { relation, query: body });
    }
    return visible;
  }

  #readSelect(node: Node, around: Surroundings): Relation {
    const from = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
    const joins = parts(node.fields, 'joins');
    const sources = [
      ...from.flatMap((source, index) => {
        const [first, ...others] = this.#readSource(source, around);
        return first === undefined ? [] : [index === 0 ? first : { ...first, join: 'Implicit' }, ...others];
      }),
      ...joins.flatMap((join) => this.#readJoin(join, around)),
    ];
    const { outer, isOutermost, isExistence } = around;
    const isUnderstood = !hasUnusualJoin([...from.map(({ fields }) => fields), node.fields]);
    const scope = { node, sources, outputs: outputsOf(node), outer, isOutermost, isExistence, isUnderstood };
    this.selects.push(scope);
    const { with: _, from: __, ...expressions } = node.fields;
    for (const { isExists, query } of [...nestedQueries(expressions), ...nestedQueries(joins.map(({ on }) => on))]) {
      this.readQuery(query, { ...around, outer: scope, isOutermost: false, isExistence: isExists });
    }
    return relationOfSelect(scope, this.#facts.markers);
  }

  #readJoin(join: Fields, around: Surroundings): Source[] {
    const using = parts(join, 'using').map((name) => nameOf({ name: name.name }).toLowerCase());
    const isOptional = join.kind === 'Left';
    return this.#readSource(toNode(join.this), around).map((source) => ({
      ...source,
      join: source.join ?? String(join.kind),
      using,
      on: bothOf(source.on, join.on),
      isOptional: isOptional || source.isOptional,
    }));
  }

  /** Reads an item of FROM. A join in parentheses has several sources. */
  #readSource(node: Node, around: Surroundings): Source[] {
    const { kind, fields } = node;
    const identifier = fields.alias ?? fields.name;
    const plain = { identifier, query: undefined, join: undefined, isOptional: false, on: undefined, using: [] };
    if (kind === 'joined_table') {
      const joined = parts(fields, 'joins').flatMap((join) => this.#readJoin(join, around));
      return [...this.#readSource(toNode(fields.left), around), ...joined];
    }
    if (kind === 'paren') return this.#readSource(toNode(fields.this), around);
    const alias = isFields(fields.alias) ? nameOf(fields.alias).toLowerCase() : undefined;
    const isRenamed = parts(fields, 'column_aliases').length > 0;
    if (kind === 'table') {
      const name = nameOf(fields.name).toLowerCase();
      if (name === 'dual' && alias === undefined) return [];
      const common = isFields(fields.schema) ? undefined : around.withQueries.get(name);
      const isTable = common === undefined && !isFields(fields.schema);
      const relation = common?.relation ?? (isTable ? relationOfTable(this.#facts.tables(name)) : UNKNOWN_RELATION);
      const known = isRenamed ? UNKNOWN_QUERY : { relation, query: common?.query };
      return [{ ...plain, alias: alias ?? name, table: isTable ? name : undefined, ...known }];
    }
    const relation = isQuery(kind) ? this.readQuery(node, { ...around, isOutermost: false }) : UNKNOWN_RELATION;
    const known = isRenamed || !isQuery(kind) ? UNKNOWN_QUERY : { relation, query: node };
    return [{ ...plain, alias: alias ?? '', table: undefined, ...known }];
  }
}

/** Combines the conditions of ON inside and outside of the parentheses of a join. */
function bothOf(inner: unknown, outer: unknown): unknown {
  return isFields(inner) && isFields(outer) ? { and: { left: inner, right: outer } } : (inner ?? outer);
}

/** Finds the subqueries in expressions, and whether EXISTS contains them. */
function nestedQueries(tree: unknown): { readonly isExists: boolean; readonly query: Node }[] {
  if (Array.isArray(tree)) return tree.flatMap(nestedQueries);
  if (!isFields(tree)) return [];
  return Object.entries(tree).flatMap(([key, value]) => {
    if (key === 'joins') return [];
    if (key === 'exists') return queriesIn(value).map((query) => ({ isExists: true, query }));
    const query = toQuery(key, value);
    return query === undefined ? nestedQueries(value) : [{ isExists: false, query }];
  });
}

function hasUnusualJoin(fields: readonly Fields[]): boolean {
  return fields.some((one) => parts(one, 'joins').some(({ kind }) => !USUAL_JOINS.has(String(kind))));
}

const USUAL_JOINS: ReadonlySet<string> = new Set(['Inner', 'Left', 'Cross', 'Straight', 'Implicit']);
