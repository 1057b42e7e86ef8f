import { HAND_WRITTEN, type Product } from '../../serving/misses/hand-written-sql.js';
import { serve } from './stored-answers.js';

/** Returns the hand-written SQL of a database by the name of the operation. */
export function handWrittenSql(product: Product): ReadonlyMap<string, string> {
  return new Map(Object.entries(HAND_WRITTEN).map(([name, sql]) => [name, sql[product]]));
}

/** Serves `/<operation>?<parameters as JSON>` with node:http and JSON.stringify. */
export function serveQueries(rowsOf: (name: string, values: (string | number)[]) => Promise<unknown>): void {
  serve(async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const rows = await rowsOf(path.slice(1), JSON.parse(decodeURIComponent(query)) as (string | number)[]);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(rows));
  });
}
