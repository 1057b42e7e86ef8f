CREATE TABLE customers (
  id BIGINT NOT NULL PRIMARY KEY, email VARCHAR(120) NOT NULL UNIQUE, name VARCHAR(80) NOT NULL, country CHAR(2),
  segment ENUM('private', 'business') NOT NULL, created_at DATETIME NOT NULL, deleted_at DATETIME, referrer_id BIGINT
);
CREATE TABLE categories (id INT NOT NULL PRIMARY KEY, parent_id INT, name VARCHAR(60) NOT NULL);
CREATE TABLE products (
  id BIGINT NOT NULL PRIMARY KEY, sku VARCHAR(30) NOT NULL UNIQUE, name VARCHAR(120) NOT NULL, category_id INT,
  price DECIMAL(10, 2) NOT NULL, cost DECIMAL(10, 2), status ENUM('active', 'draft', 'retired') NOT NULL
);
CREATE TABLE coupons (id INT NOT NULL PRIMARY KEY, code VARCHAR(20) NOT NULL UNIQUE, percent INT NOT NULL, ends_on DATE);
CREATE TABLE orders (
  id BIGINT NOT NULL PRIMARY KEY, customer_id BIGINT NOT NULL,
  status ENUM('open', 'paid', 'shipped', 'cancelled', 'returned') NOT NULL,
  placed_at DATETIME NOT NULL, shipped_at DATETIME, total DECIMAL(12, 2) NOT NULL, coupon_id INT, channel VARCHAR(20) NOT NULL
);
CREATE TABLE order_items (
  order_id BIGINT NOT NULL, line_no INT NOT NULL, product_id BIGINT NOT NULL, quantity INT NOT NULL,
  unit_price DECIMAL(10, 2) NOT NULL, discount DECIMAL(10, 2), PRIMARY KEY (order_id, line_no)
);
CREATE TABLE payments (
  id BIGINT NOT NULL PRIMARY KEY, order_id BIGINT NOT NULL, amount DECIMAL(12, 2) NOT NULL,
  method ENUM('card', 'transfer', 'voucher') NOT NULL, paid_at DATETIME, failed_at DATETIME
);
CREATE TABLE refunds (id BIGINT NOT NULL PRIMARY KEY, order_id BIGINT NOT NULL, amount DECIMAL(12, 2) NOT NULL, refunded_at DATETIME NOT NULL, reason VARCHAR(40));
CREATE TABLE reviews (
  id BIGINT NOT NULL PRIMARY KEY, product_id BIGINT NOT NULL, customer_id BIGINT, rating INT NOT NULL, comment TEXT, created_at DATETIME NOT NULL
);
CREATE TABLE warehouses (id INT NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL UNIQUE, city VARCHAR(60) NOT NULL);
CREATE TABLE stock (
  product_id BIGINT NOT NULL, warehouse_id INT NOT NULL, on_hand INT NOT NULL, reserved INT, PRIMARY KEY (product_id, warehouse_id)
);
