/** A small shop that no part of this project knows, in MySQL's dialect. One of its tables has the name of a table of this program. */
export const SHOP: readonly string[] = [
  "CREATE TABLE customers (id INT NOT NULL PRIMARY KEY, name VARCHAR(80) NOT NULL COMMENT 'Full name', email VARCHAR(120), country CHAR(2), updated_at DATETIME)",
  'CREATE TABLE products (id INT NOT NULL PRIMARY KEY, title VARCHAR(80) NOT NULL, price DECIMAL(10, 2) NOT NULL)',
  'CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, customer_id INT NOT NULL, total DECIMAL(12, 2) NOT NULL, updated_at DATETIME NOT NULL)',
  'CREATE TABLE order_items (order_id BIGINT NOT NULL, line INT NOT NULL, product_id INT NOT NULL, PRIMARY KEY (order_id, line))',
  'CREATE TABLE collections (label VARCHAR(20))',
  'CREATE TABLE warehouses (code VARCHAR(8) NOT NULL PRIMARY KEY, city VARCHAR(40))',
  'CREATE TABLE stock (warehouse VARCHAR(8) NOT NULL, product_id INT NOT NULL, pieces INT, PRIMARY KEY (warehouse, product_id))',
  'CREATE TABLE invoices (id INT NOT NULL PRIMARY KEY, order_id BIGINT NOT NULL)',
  'CREATE TABLE payments (id INT NOT NULL PRIMARY KEY, invoice_id INT NOT NULL, amount DECIMAL(12, 2))',
  'CREATE TABLE returns (id INT NOT NULL PRIMARY KEY, order_id BIGINT NOT NULL, reason TEXT)',
  'CREATE TABLE Reviews (id INT NOT NULL PRIMARY KEY, product_id INT NOT NULL, Stars INT NOT NULL, words TEXT)',
  'CREATE TABLE twins (id INT NOT NULL PRIMARY KEY, constructor INT)',
  'CREATE TABLE users (id INT NOT NULL PRIMARY KEY, login VARCHAR(40) NOT NULL)',
  "INSERT INTO customers VALUES (1, 'Ada', 'ada@example.com', 'DE', NULL), (2, 'Bo', NULL, 'FR', NULL), (3, 'Cy', 'cy@example.com', 'DE', NULL)",
  "INSERT INTO products VALUES (1, 'Tea', 4.50), (2, 'Cup', 9.00)",
  "INSERT INTO orders VALUES (1, 1, 13.50, '2026-01-02 10:00:00'), (2, 2, 4.50, '2026-01-03 11:00:00'), (3, 1, 9.00, '2026-01-04 12:00:00')",
  'INSERT INTO order_items VALUES (1, 1, 1), (1, 2, 2), (2, 1, 1), (3, 1, 2)',
  "INSERT INTO Reviews VALUES (1, 1, 5, 'Good.'), (2, 2, 3, NULL)",
  "INSERT INTO collections VALUES ('spring')",
  "INSERT INTO users VALUES (1, 'ada')",
];

export const SHOP_TABLES: readonly string[] = SHOP.flatMap(
  (statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? [],
);
