import { openEmbedded } from 'repo-insight/duckdb';

// Creates the database of the example.
const database = await openEmbedded({ file: 'shop.duckdb', memoryLimit: '256MB', threads: 1, readers: 1 });
await database.write(async (connection) => {
  await connection.run('CREATE TABLE orders (id BIGINT PRIMARY KEY, status VARCHAR NOT NULL, total DECIMAL(10, 2) NOT NULL)');
  await connection.run(`
    INSERT INTO orders
    SELECT i, CASE i % 3 WHEN 0 THEN 'open' ELSE 'paid' END, i * 1.5 FROM range(1, 31) r(i)`);
});
await database.close();
