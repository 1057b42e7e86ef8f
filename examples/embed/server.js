import { createServer } from 'node:http';
import { createEngine } from 'repo-insight';

// A shop in DuckDB. Any MySQL, MariaDB or TiDB database works too: mysql://reader:password@127.0.0.1:3306/shop
const engine = await createEngine({
  database: process.env.DATABASE_URL ?? 'duckdb:shop.duckdb',
  definitions: new URL('endpoints', import.meta.url).pathname,
});

// Within the program: the same rows as GET /q/orders?status=open
const { data } = await engine.run('orders', { status: 'open' });
console.log(`${data.length} open orders`);

// For other programs: GET /v1/orders/?status=open
const server = createServer(engine.handler());
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/v1/orders/`);
});

process.once('SIGTERM', () => {
  server.close(() => engine.close());
  server.closeIdleConnections();
});
