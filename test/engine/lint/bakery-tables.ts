import { readDefinedTables } from '../../../engine/sql/analysis/defined-tables.js';

/** Facts about the tables of the bakery. `crumbs` has no key, and the table `flours` is missing, so it is unknown. */
export const BAKERY_TABLES = readDefinedTables([
  'CREATE TABLE ovens (id INT NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL, built_at DATETIME, UNIQUE KEY (name))',
  `CREATE TABLE loaves (
    id BIGINT NOT NULL PRIMARY KEY,
    oven_id INT NOT NULL,
    parent_id BIGINT,
    kind VARCHAR(20) NOT NULL,
    weight DECIMAL(8, 3),
    baked_at DATETIME NOT NULL,
    day DATE NOT NULL
  )`,
  'CREATE TABLE sales (loaf_id BIGINT NOT NULL, shop_id INT NOT NULL, pieces INT NOT NULL, PRIMARY KEY (loaf_id, shop_id))',
  'CREATE TABLE crumbs (loaf_id BIGINT, kind VARCHAR(20), pieces INT)',
]);
