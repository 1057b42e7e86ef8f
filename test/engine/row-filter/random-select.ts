import type { Random } from '../../../demo/world/random.js';

/** The columns of the tables that random queries read. */
export const TABLE_COLUMNS = {
  customers: ['id', 'tenant_id', 'region'],
  orders: ['id', 'tenant_id', 'customer_id', 'amount'],
  items: ['id', 'tenant_id', 'order_id', 'amount'],
} as const;

/** A random SELECT, and the names of its constructs. */
export interface RandomSelect {
  readonly sql: string;
  /** The number of its columns `c1`, `c2`, …. */
  readonly width: number;
  readonly shape: string;
}

/**
 * Returns a random SELECT that every database accepts. Equal tables return equal rows, in any order. `depth` is the maximum number of queries
 * around a query. MariaDB finds the names of WITH queries reliably only up to depth 1.
 */
export function createRandomSelect(random: Random, depth: number): RandomSelect {
  const writer = new SelectWriter(random);
  const width = 1 + random.below(3);
  const sql = writer.query(width, depth, new Map(TABLES));
  return { sql, width, shape: [...writer.shape].sort().join(' ') };
}

/** The columns of the tables and of the WITH queries that are visible, by name. */
type Scope = ReadonlyMap<string, readonly string[]>;

const TABLES: Scope = new Map(Object.entries(TABLE_COLUMNS));

const JOINS = ['JOIN', 'INNER JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'STRAIGHT_JOIN', 'CROSS JOIN', 'NATURAL JOIN'];

/** A source of FROM, with its name and its columns. */
interface Source {
  readonly name: string;
  readonly columns: readonly string[];
}

class SelectWriter {
  readonly shape = new Set<string>();
  readonly #random: Random;
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Writes a query with the columns `c1` to `cN`. In an expression, `outer` are the sources that its WHERE can use in addition. */
  query(width: number, depth: number, scope: Scope, outer?: readonly Source[]): string {
    const [clause, visible] = depth > 0 && this.#random.chance(0.3) ? this.#writeWith(depth - 1, scope) : ['', scope];
    const isCombined = depth > 0 && this.#random.chance(0.15);
    return (
      clause +
      (isCombined ? this.#combine(width, depth - 1, visible, outer && []) : this.#select(width, depth, visible, outer))
    );
  }

  #writeWith(depth: number, scope: Scope): readonly [string, Scope] {
    // The queries of a WITH cannot read those of an outer WITH, because MariaDB does not find them.
    const readable = new Map([...scope].filter(([name, columns]) => TABLES.get(name) === columns));
    if (readable.size === 0) return ['', scope];
    if (this.#random.chance(0.2)) return this.#countUp(scope, [...readable.keys()]);
    const visible = new Map(scope);
    const names = new Set([this.#withName(), this.#withName()].slice(this.#random.below(2)));
    const queries = [...names].map((name) => {
      this.#see(TABLES.has(name) ? 'hiding with' : 'with');
      const width = 1 + this.#random.below(3);
      const isListed = this.#random.chance(0.3);
      const columns = Array.from({ length: width }, (_, index) => (isListed ? `d${index + 1}` : `c${index + 1}`));
      const list = isListed ? ` (${columns.join(', ')})` : '';
      const text = `${this.#quote(name)}${list} AS (${this.query(width, depth, readable)})`;
      for (const known of [visible, readable]) known.set(name, columns);
      return text;
    });
    return [`${this.#word('WITH')} ${queries.join(', ')} `, visible];
  }

  /** Writes a WITH RECURSIVE that counts from the number of rows of a table. */
  #countUp(scope: Scope, tables: readonly string[]): readonly [string, Scope] {
    const name = this.#withName();
    const source = tables.find((table) => table !== name);
    if (source === undefined) return ['', scope];
    this.#see(TABLES.has(name) ? 'hiding recursive' : 'recursive');
    const start = `SELECT CAST(COUNT(*) AS SIGNED) AS c1 FROM ${this.#quote(source)}`;
    const next = `SELECT c1 + 1 FROM ${this.#quote(name)} WHERE c1 < 6`;
    return [`WITH RECURSIVE ${name} AS (${start} UNION ALL ${next}) `, new Map(scope).set(name, ['c1'])];
  }

  #withName(): string {
    return this.#random.pick(['orders', 'customers', 'items', 'recent', 'w']);
  }

  #combine(width: number, depth: number, scope: Scope, outer?: readonly Source[]): string {
    const word = this.#random.pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT']);
    this.#see(word.toLowerCase());
    const sides = [1, 2].map(() => this.#select(width, depth, scope, outer));
    // The parser reads a UNION after a comparison with a subquery as a part of this subquery.
    const isPlain = this.#random.chance(0.5) && !sides.some((side) => /LIMIT|HAVING/.test(side));
    const [left = '', right = ''] = sides.map((side) => (isPlain ? side : `(${side})`));
    return `${left} ${word} ${right}`;
  }

  #select(width: number, depth: number, scope: Scope, outer?: readonly Source[]): string {
    const { text, sources } = this.#from(depth, scope);
    // MariaDB can return wrong rows for a SELECT with groups in IN.
    const isWindowed = outer === undefined && this.#random.chance(0.15);
    const where = this.#random.chance(0.5) ? ` WHERE ${this.#condition(sources, depth, scope)}` : '';
    const correlated = outer !== undefined && this.#random.chance(0.7) ? this.#correlate(where, sources, outer) : where;
    const isGrouped = outer === undefined && !isWindowed && this.#random.chance(0.25);
    const list = isGrouped
      ? this.#groupedList(width, sources)
      : { items: this.#list(width, sources, depth, scope, isWindowed), key: '' };
    const group = isGrouped ? this.#groupBy(sources, list.key, depth, scope) : '';
    const distinct = this.#random.chance(0.15) ? 'DISTINCT ' : '';
    const items = list.items.map((item, index) => `${item}${this.#pick([' AS ', ' '])}c${index + 1}`);
    return `${this.#word('SELECT')} ${distinct}${items.join(', ')} ${text}${correlated}${group}${outer === undefined ? this.#limit(width) : ''}`;
  }

  /** Writes ORDER BY with all columns, so that equal tables return equal rows, and LIMIT. */
  #limit(width: number): string {
    if (!this.#random.chance(0.1)) return '';
    this.#see('limit');
    const keys = Array.from({ length: width }, (_, index) => index + 1);
    return ` ORDER BY ${keys.join(', ')} LIMIT ${1 + this.#random.below(5)}`;
  }

  #from(depth: number, scope: Scope): { readonly text: string; readonly sources: readonly Source[] } {
    const count = this.#pick([1, 1, 1, 2, 2, 3]);
    const first = this.#source(depth, scope, []);
    const sources = [first.source];
    let text = first.text;
    const isList = this.#random.chance(0.2);
    while (sources.length < count) {
      const { text: next, source } = this.#source(depth, scope, sources);
      text += isList ? `, ${next}` : this.#join(next, source, sources, depth, scope);
      sources.push(source);
    }
    if (isList && count > 1) this.#see('comma');
    // In parentheses, the parser cannot read these joins after a derived table.
    const isNested = !isList && count > 1 && !/NATURAL|STRAIGHT_JOIN/.test(text) && this.#random.chance(0.2);
    if (isNested) this.#see('join in parentheses');
    return { text: `${this.#word('FROM')} ${isNested ? `(${text})` : text}`, sources };
  }

  #join(text: string, source: Source, left: readonly Source[], depth: number, scope: Scope): string {
    const [first, second] = left;
    const isShared = first?.columns.includes('id') === true && source.columns.includes('id') && second === undefined;
    const kind = this.#pick(JOINS);
    if (kind === 'CROSS JOIN' || (kind === 'NATURAL JOIN' && isShared)) {
      this.#see(kind.toLowerCase());
      return ` ${kind} ${text}`;
    }
    const words = kind === 'NATURAL JOIN' ? 'JOIN' : kind;
    this.#see(words.toLowerCase());
    if (isShared && words !== 'STRAIGHT_JOIN' && this.#random.chance(0.3)) {
      this.#see('using');
      return ` ${words} ${text} USING (id)`;
    }
    const isInner = words === 'JOIN' && this.#random.chance(0.2);
    const both = [...left, source];
    const more = isInner ? ` AND ${this.#subqueryCondition(both, depth, scope)}` : '';
    return ` ${words} ${text} ON ${this.#column(left, true)} = ${this.#column([source], true)}${more}`;
  }

  #source(depth: number, scope: Scope, taken: readonly Source[]): { readonly text: string; readonly source: Source } {
    const isTaken = (name: string) => taken.some((source) => source.name === name);
    if (depth > 0 && this.#random.chance(0.2)) {
      this.#see('derived');
      const columns = ['c1', 'c2'];
      const name = this.#alias(isTaken);
      const as = this.#pick([' AS ', ' ']);
      return { text: `(${this.query(2, depth - 1, scope)})${as}${this.#quote(name)}`, source: { name, columns } };
    }
    const [table, columns] = this.#pick([...scope]);
    const written = this.#quote(table);
    if (!isTaken(table) && this.#random.chance(0.4)) {
      return { text: this.#random.chance(0.2) ? `(${written})` : written, source: { name: table, columns } };
    }
    const name = this.#alias(isTaken);
    const gap = this.#pick([' ', ' AS ', ' /* as */ ', '\n-- as\n']);
    return { text: `${written}${gap}${this.#quote(name)}`, source: { name, columns } };
  }

  /** Returns an alias, which can be the name of a table. */
  #alias(isTaken: (name: string) => boolean): string {
    const name = this.#pick(['orders', 'items', 'customers', 'o', 'x', 'group', 'a b']);
    this.#names += 1;
    if (isTaken(name) || this.#random.chance(0.3)) return `t${this.#names}`;
    if (TABLES.has(name)) this.#see('alias of a table');
    return name;
  }

  #list(width: number, sources: readonly Source[], depth: number, scope: Scope, isWindowed: boolean): string[] {
    const values = Array.from({ length: width }, () => this.#value(sources, depth, scope));
    return isWindowed ? values.map((value, index) => (index < 2 ? this.#window(sources) : value)) : values;
  }

  #window(sources: readonly Source[]): string {
    this.#see('window');
    const source = [this.#pick(sources)];
    const [value, part, key] = [1, 2, 3].map(() => this.#column(source, true));
    return `${this.#pick(['COUNT(*)', `MAX(${value})`, 'RANK()'])} OVER (PARTITION BY ${part} ORDER BY ${key})`;
  }

  #value(sources: readonly Source[], depth: number, scope: Scope): string {
    const column = this.#column(sources);
    const kind = this.#random.below(8);
    if (kind === 0 && depth > 0) {
      this.#see('scalar');
      return `(SELECT COUNT(*) FROM (${this.query(1, depth - 1, scope)}) AS s)`;
    }
    if (kind === 1 && depth > 0) {
      this.#see('case');
      return `CASE WHEN ${this.#subqueryCondition(sources, depth, scope)} THEN ${column} ELSE -1 END`;
    }
    return kind === 2 ? `COALESCE(${column}, 0) + 1` : column;
  }

  #groupedList(width: number, sources: readonly Source[]): { items: string[]; key: string } {
    this.#see('group');
    const key = this.#column(sources);
    const items = Array.from({ length: width }, () => {
      const column = this.#column(sources);
      return this.#pick([key, 'COUNT(*)', `COUNT(DISTINCT ${column})`, `MIN(${column})`, `MAX(${column})`]);
    });
    return { items, key };
  }

  #groupBy(sources: readonly Source[], key: string, depth: number, scope: Scope): string {
    if (depth === 0 || this.#random.chance(0.6)) return ` GROUP BY ${key}`;
    this.#see('having');
    const count = `SELECT COUNT(*) FROM (${this.query(1, depth - 1, scope)}) AS s`;
    return ` GROUP BY ${key} HAVING COUNT(${this.#column(sources)}) + 3 > (${count})`;
  }

  #condition(sources: readonly Source[], depth: number, scope: Scope): string {
    const isNested = depth > 0 && this.#random.chance(0.4);
    const first = isNested ? this.#subqueryCondition(sources, depth, scope) : this.#comparison(sources);
    return this.#random.chance(0.3) ? `(${first} ${this.#pick(['AND', 'OR'])} ${this.#comparison(sources)})` : first;
  }

  #comparison(sources: readonly Source[]): string {
    const column = this.#column(sources, true);
    return `${column} ${this.#pick(['= 2', '> 1', '<> 3', 'IS NOT NULL', 'IS NULL', 'IN (1, 2, 5)'])}`;
  }

  #subqueryCondition(sources: readonly Source[], depth: number, scope: Scope): string {
    const kind = this.#pick(['IN', 'NOT IN', 'EXISTS', 'NOT EXISTS']);
    this.#see(kind.toLowerCase());
    if (depth === 0) return this.#comparison(sources);
    if (kind.endsWith('IN')) {
      return `${this.#column(sources)} ${kind} (${this.query(1, depth - 1, scope, [])})`;
    }
    return `${kind} (${this.#select(1, 0, scope, sources)})`;
  }

  #correlate(where: string, sources: readonly Source[], outer: readonly Source[]): string {
    const visible = outer.filter(({ name }) => sources.every((source) => source.name !== name));
    if (visible.length === 0) return where;
    this.#see('correlated');
    const condition = `${this.#column(sources, true)} = ${this.#column(visible, true)}`;
    return where === '' ? ` WHERE ${condition}` : `${where} AND ${condition}`;
  }

  #column(sources: readonly Source[], isQualified = false): string {
    const source = this.#pick(sources);
    const column = this.#pick(source.columns);
    return !isQualified && sources.length === 1 && this.#random.chance(0.3)
      ? column
      : `${this.#quote(source.name)}.${column}`;
  }

  #quote(name: string): string {
    return /^(?:group|a b)$/.test(name) || this.#random.chance(0.2) ? `\`${name}\`` : name;
  }

  #word(word: string): string {
    return this.#random.chance(0.2) ? word.toLowerCase() : word;
  }

  #pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }

  #see(construct: string): void {
    this.shape.add(construct);
  }
}
