/** The part of an answer of the service that is compared. */
interface Envelope {
  readonly data?: {
    readonly columns: readonly { readonly col: string }[];
    readonly rows: readonly Readonly<Record<string, string>>[];
  };
}

/**
 * Throws an error if the rows of the service differ from those of the hand-written SQL. The service returns every cell as text, but drivers
 * use other types, so two texts that represent the same number count as equal.
 */
export function requireEqualRows(path: string, ours: unknown, bare: unknown): void {
  const { data } = ours as Envelope;
  const rows = bare as readonly Readonly<Record<string, unknown>>[];
  if (data === undefined) throw new Error(`${path} answered ${JSON.stringify(ours).slice(0, 500)}`);
  if (data.rows.length !== rows.length) {
    throw new Error(`${path}: the service has ${data.rows.length} rows, the hand-written SQL has ${rows.length}`);
  }
  for (const [index, row] of data.rows.entries()) {
    for (const { col } of data.columns) {
      const [expected, actual] = [rows[index]?.[col], row[col]];
      if (!isEqual(actual, expected)) {
        throw new Error(
          `${path}, row ${index + 1}, ${col}: the service has ${actual}, the hand-written SQL ${expected}`,
        );
      }
    }
  }
}

function isEqual(text: unknown, cell: unknown): boolean {
  const other = cell === null ? '' : String(cell);
  return text === other || (text !== '' && other !== '' && Number(text) === Number(other));
}
