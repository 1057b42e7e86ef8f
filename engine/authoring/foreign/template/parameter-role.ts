import type { SqlNode } from './sql-nodes.js';

/** How a parameter is written in the template. */
export interface ParameterRole {
  /** The name of the parameter in the definition. */
  readonly name: string;
  readonly isList?: boolean;
  /** The values of an enum. Outside of quotes, they can select names and keywords. */
  readonly choices?: readonly (string | number)[];
  /** Whether the values of the enum are inserted outside of quotes as SQL text, instead of being bound. */
  readonly isText?: boolean;
  /** The SQL fragment that each value of the enum selects. */
  readonly fragments?: ReadonlyMap<string, readonly SqlNode[]>;
  /** The reason why the parameter cannot be bound as a value outside of quotes. */
  readonly unsafe?: string;
}
