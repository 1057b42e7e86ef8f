/** What the parts of a syntax tree tell about a query; see `inspectQuery`. */
export interface QueryFindings {
  /** Names of the markers found where a value can stand. */
  readonly bound: ReadonlySet<string>;
  /** Names of the markers that stand alone where they mean nothing, such as in ORDER BY, with the name of the place. */
  readonly meaningless: ReadonlyMap<string, string>;
  /** Things that a query may not do, as `name` of a token to point at and a message. */
  readonly refused: readonly { readonly token: string; readonly message: string }[];
  /** Names of the output columns; undefined when a `*` hides them; null for an expression without a name. */
  readonly outputs: readonly (string | null)[] | undefined;
  /** Whether the outermost query has its own LIMIT, OFFSET or FETCH. */
  readonly hasLimit: boolean;
}

type Tree = Readonly<Record<string, unknown>>;

const SET_OPERATIONS = ['union', 'intersect', 'except'];
const CLOCK = new Set([
  'NOW',
  'CURRENT_DATE',
  'CURDATE',
  'CURRENT_TIME',
  'CURTIME',
  'CURRENT_TIMESTAMP',
  'LOCALTIME',
  'LOCALTIMESTAMP',
  'SYSDATE',
  'UTC_DATE',
  'UTC_TIME',
  'UTC_TIMESTAMP',
  'UNIX_TIMESTAMP',
  'GETDATE',
  'TODAY',
]);
const CHANCE = new Set(['RAND', 'RANDOM', 'UUID', 'UUID_SHORT', 'RANDOM_BYTES', 'GEN_RANDOM_UUID']);
const SESSION = new Set([
  'SLEEP',
  'BENCHMARK',
  'LOAD_FILE',
  'GET_LOCK',
  'RELEASE_LOCK',
  'RELEASE_ALL_LOCKS',
  'IS_FREE_LOCK',
  'IS_USED_LOCK',
  'USER',
  'CURRENT_USER',
  'SESSION_USER',
  'SYSTEM_USER',
  'CURRENT_ROLE',
  'CONNECTION_ID',
  'DATABASE',
  'SCHEMA',
  'VERSION',
  'LAST_INSERT_ID',
  'FOUND_ROWS',
  'ROW_COUNT',
  'GETENV',
]);
/** Functions one argument of which is a word of the language, not a value: the parser lets a marker stand there. */
const WORD_ARGUMENTS: Readonly<Record<string, number>> = { TIMESTAMPDIFF: 0, TIMESTAMPADD: 0, CONVERT: 1 };

/** Looks at the one statement of a parsed text. Undefined when it is not a SELECT. */
export function inspectQuery(statement: unknown): QueryFindings | undefined {
  const [kind, body] = only(statement);
  if (!isQuery(kind)) return undefined;
  const inspection = new Inspection();
  inspection.visit(statement);
  return {
    bound: inspection.bound,
    meaningless: inspection.meaningless,
    refused: inspection.refused,
    outputs: outputNames(statement),
    hasLimit: ['limit', 'offset', 'fetch'].some((key) => body[key] !== null && body[key] !== undefined),
  };
}

class Inspection {
  readonly bound = new Set<string>();
  readonly meaningless = new Map<string, string>();
  readonly refused: { token: string; message: string }[] = [];

  visit(node: unknown): void {
    if (Array.isArray(node)) {
      for (const item of node) this.visit(item);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    for (const key in node) {
      const child = (node as Tree)[key];
      if (typeof child === 'object' && child !== null) {
        this.visitPart(key, child as Tree);
        this.visit(child);
      }
    }
  }

  private visitPart(key: string, part: Tree): void {
    switch (key) {
      case 'parameter':
      case 'placeholder':
        return this.visitMarker(part);
      case 'function':
        return this.visitFunction(String(part['name']), part['args']);
      case 'rand':
      case 'random':
        return this.refuseFunction(key);
      case 'column':
        return this.visitColumn(part);
      case 'order_by':
        return this.refuseBare(expressionsOf(part), 'ORDER BY');
      case 'group_by':
        return this.refuseBare(expressionsOf(part), 'GROUP BY');
      case 'partition_by':
        return this.refuseBare(expressionsOf(part), 'PARTITION BY');
      case 'is':
        return this.refuseBare([part['right']], 'IS');
      case 'lambda':
        return this.refuseBare([part['body']], '->');
      case 'group_concat':
        return this.refuseBare([part['separator']], 'SEPARATOR');
      case 'locks':
        if (Array.isArray(part) && part.length > 0) this.refuse('FOR', 'a query takes no locks');
        return;
      case 'into':
        return this.refuse('INTO', 'a query writes nothing: leave INTO out');
      case 'ctes':
        for (const cte of Array.isArray(part) ? part : []) {
          if (!isQuery(only((cte as Tree)['this'])[0])) this.refuse('WITH', 'WITH may hold SELECT only');
        }
    }
  }

  private visitMarker(part: Tree): void {
    if (part['style'] === 'Colon') this.bound.add(String(part['name']));
    else if (part['style'] === 'DoubleAt')
      this.refuse('@@', 'system variables differ between databases: leave them out');
    else this.refuse('?', 'a value is bound with {{ name }}, not with a marker of your own');
  }

  private visitColumn(part: Tree): void {
    const name = nameOf(part['name']);
    if (name?.startsWith('@'))
      this.refuse(name, 'user variables keep state between queries: use a WITH or a window function');
  }

  private visitFunction(name: string, args: unknown): void {
    const word = WORD_ARGUMENTS[name.toUpperCase()];
    const list = Array.isArray(args) ? args : [];
    if (word !== undefined) this.refuseBare([list[word]], name.toUpperCase());
    if (name.toUpperCase() !== 'UNIX_TIMESTAMP' || list.length === 0) this.refuseFunction(name);
  }

  private refuseFunction(name: string): void {
    const upper = name.toUpperCase();
    if (CLOCK.has(upper)) {
      this.refuse(name, `${upper} reads the database's own clock: use {{ now }}, the service's clock in UTC`);
    } else if (CHANCE.has(upper)) {
      this.refuse(name, `${upper} makes every answer different: leave it out`);
    } else if (SESSION.has(upper)) {
      this.refuse(name, `${upper} is about the server, not about the data: leave it out`);
    }
  }

  private refuse(token: string, message: string): void {
    this.refused.push({ token, message });
  }

  private refuseBare(expressions: readonly unknown[], place: string): void {
    for (const expression of expressions) {
      const name = bareMarker(expression);
      if (name !== undefined) this.meaningless.set(name, place);
    }
  }
}

function expressionsOf(part: Tree): readonly unknown[] {
  const list = Array.isArray(part) ? part : part['expressions'];
  return Array.isArray(list) ? list : [];
}

/** The marker that an expression consists of, in brackets or with DESC perhaps. */
function bareMarker(expression: unknown): string | undefined {
  if (typeof expression !== 'object' || expression === null) return undefined;
  const { parameter, paren, this: inner } = expression as Tree;
  if (parameter !== undefined) return String((parameter as Tree)['name']);
  return bareMarker(paren ?? inner);
}

function only(node: unknown): [string, Tree] {
  const [entry] = typeof node === 'object' && node !== null ? Object.entries(node as Tree) : [];
  return entry === undefined ? ['', {}] : [entry[0], (entry[1] ?? {}) as Tree];
}

function isQuery(kind: string): boolean {
  return kind === 'select' || kind === 'subquery' || SET_OPERATIONS.includes(kind);
}

function outputNames(query: unknown): (string | null)[] | undefined {
  const [kind, body] = only(query);
  if (kind === 'subquery') return outputNames(body['this']);
  if (SET_OPERATIONS.includes(kind)) return outputNames(body['left']);
  const names: (string | null)[] = [];
  for (const expression of Array.isArray(body['expressions']) ? body['expressions'] : []) {
    const [part, content] = only(expression);
    if (part === 'star') return undefined;
    names.push(part === 'alias' ? nameOf(content['alias']) : part === 'column' ? nameOf(content['name']) : null);
  }
  return names;
}

function nameOf(identifier: unknown): string | null {
  const name = typeof identifier === 'object' && identifier !== null ? (identifier as Tree)['name'] : undefined;
  return typeof name === 'string' ? name : null;
}
