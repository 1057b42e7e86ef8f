/** The signature of a macro, such as `text(x)`, and its body in DuckDB's SQL. */
export type Macro = readonly [signature: string, body: string];
