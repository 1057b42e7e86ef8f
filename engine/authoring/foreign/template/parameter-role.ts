import type { SqlNode } from './sql-nodes.js';

/** How a parameter appears in the template. */
export interface ParameterRole {
  /** The name of the parameter in the definition. */
  readonly name: string;
  readonly isList?: boolean;
  /** The values of an enum. Outside of quotes they can choose names and keywords. */
  readonly choices?: readonly (string | number)[];
  /** Whether the values of the enum are SQL text outside of quotes, and not bound values. */
  readonly isText?: boolean;
  /** The SQL that each value of the enum selects. */
  readonly fragments?: ReadonlyMap<string, readonly SqlNode[]>;
  /** Why the parameter cannot be a value outside of quotes. */
  readonly unsafe?: string;
}
